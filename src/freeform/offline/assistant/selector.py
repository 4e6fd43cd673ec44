"""The selector without a model: which tools a question needs and what for, by a small trained model
over its clauses."""

import json
import math
from functools import cache
from importlib.resources import files
from typing import Any

from freeform.assistant.model import TOOLS, Tool, ToolNeeded
from freeform.assistant.passes import SelectorInput, ToolSelection
from freeform.core.chance import Chance
from freeform.offline.assistant.features import QuestionClause, clauses, features

_NEEDED, _SECOND = 0.45, 0.36
"""A clause's best tool needs that much to be sure of; another one that much to be asked beside
it."""


@cache
def _weights() -> dict[str, Any]:
    """The trained weights, in hundredths, by sign."""
    data: dict[str, Any] = json.loads(
        (files(__package__) / "weights.json").read_text(encoding="utf-8")
    )
    for part in data.values():
        part["signs"] = {
            s: [(int(j), v / 100) for j, v in row.items()] for s, row in part["signs"].items()
        }
    return data


def chances(part: str, signs: list[str]) -> dict[str, float]:
    """How likely each answer of one of the four small models is."""
    model = _weights()[part]
    known = [sign for sign in dict.fromkeys(signs) if sign in _weights()["tools"]["signs"]]
    scores = [value / 100 for value in model["bias"]]
    scale = 1 / math.sqrt(max(1, len(known)))
    for sign in known:
        for at, value in model["signs"].get(sign, ()):
            scores[at] += value * scale
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    return {name: power / sum(powers) for name, power in zip(model["names"], powers, strict=True)}


def needs(clause: QuestionClause) -> list[ToolNeeded]:
    """The tools one clause needs."""
    signs = features(clause)
    tools = chances("tools", signs)
    best = max(TOOLS, key=lambda tool: tools[tool])
    chosen = [tool for tool in TOOLS if tool == best or tools[tool] >= _SECOND]
    return [_needed(tool, tools[tool], signs, tool == best) for tool in chosen]


def _needed(tool: Tool, chance: float, signs: list[str], best: bool) -> ToolNeeded:
    wanted = chances(tool, signs)
    sure = (
        0.7 + 0.3 * chance
        if (best and chance >= _NEEDED) or chance >= _SECOND
        else 0.55 + 0.3 * chance
    )
    return ToolNeeded(
        tool=tool,
        intention=max(wanted, key=lambda name: wanted[name]),
        confidence=round(min(sure, 0.99), 2),
    )


def respond(input: SelectorInput, chance: Chance) -> ToolSelection:
    """What every clause needs, each tool and intention once, the surest first."""
    found: dict[tuple[str, str], ToolNeeded] = {}
    for clause in clauses(input.question, input.known_names):
        for each in needs(clause):
            key = (each.tool, each.intention)
            if key not in found or found[key].confidence < each.confidence:
                found[key] = each
    return ToolSelection(tools_needed=sorted(found.values(), key=lambda each: -each.confidence))

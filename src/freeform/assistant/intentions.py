"""The intentions of each tool with their retrieval strategies, read from intentions.yaml."""

from functools import cache
from importlib.resources import files
from typing import Literal

import yaml
from pydantic import Field

from freeform.assistant.model import TOOLS, Tool
from freeform.core.record import Record

Mode = Literal["names", "both", "words", "each"]


class Intention(Record):
    """One thing a question can want of a source, and how that is fetched."""

    tool: Tool
    name: str
    about: str
    sections: list[str] = Field(default_factory=list)
    kinds: list[str] = Field(default_factory=list)
    mode: Mode = "both"
    words: str = ""
    limit: int = 6


@cache
def intentions() -> dict[Tool, dict[str, Intention]]:
    """Every intention, by tool and name, in the order of the file."""
    text = (files("freeform.assistant") / "intentions.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=yaml.CSafeLoader)
    return {
        tool: {name: Intention(tool=tool, name=name, **row) for name, row in data[tool].items()}
        for tool in TOOLS
    }


def intention(tool: Tool, name: str) -> Intention:
    """By name; one that is unknown becomes the tool's plainest, since a model may invent words."""
    mine = intentions()[tool]
    return mine.get(name) or mine[PLAINEST[tool]]


PLAINEST: dict[Tool, str] = {
    "character_data": "character_basics",
    "session_notes": "event_recap",
    "rulebook": "rule_mechanics",
}


def catalogue() -> str:
    """The whole list as the selector's prompt shows it."""
    lines: list[str] = []
    for tool, mine in intentions().items():
        lines.append(f"{tool}:")
        lines += [f"- {each.name}: {each.about}" for each in mine.values()]
    return "\n".join(lines)

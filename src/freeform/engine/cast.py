"""Those present, as a narrator plays them: who they are, how they speak, what they want tonight,
what they know and keep back (by its id alone), and what the player said to them lately."""

from collections.abc import Mapping, Sequence
from typing import Any

from freeform.core.text import shorten
from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Knowledge, Withheld
from freeform.engine.ports import TurnText
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.rulings.reach import GONE, is_gone
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.sentences import sentences
from freeform.retrieval.briefing import NpcBriefing

_SAID, _LETTERS, _TOPICS = 4, 160, 4
"""How many of the player's lines to someone are kept in mind, and how many letters of each; how
many words of a topic say which one it is."""


def cast_of_scene(
    state: GameState,
    rules: Rules,
    briefings: Mapping[str, NpcBriefing],
    recent: Sequence[TurnText],
    limits: SafetyLimits,
) -> list[dict[str, Any]]:
    """A row for each person present. Nothing in it tells what the player must not learn: a text
    that would is left out."""
    rows: list[dict[str, Any]] = []
    for who in state.scene.present_entity_ids:
        entity = state.entities.get(who)
        if entity is None or entity.type != "npc" or who == PLAYER:
            continue
        if is_gone(who, state):
            rows.append({"id": who, "name": entity.name, "is": _how(who, state)})
            continue
        person, notes = rules.person(who), briefings.get(who, NpcBriefing())
        texts = {
            "who": notes.who or str(entity.attrs.get("description", "")),
            "manner": person.disposition or notes.disposition,
            "voice": notes.voice,
            "lines": "\n".join([*person.greeting[:1], *person.shrugs[:1]]),
            "wants": person.agenda,
        }
        row: dict[str, Any] = {"id": who, "name": entity.name}
        row |= {name: text for name, text in texts.items() if text and _is_open(text, limits)}
        row["knows"] = [_topic(each, who, state) for each in person.knows if _holds(each, state)]
        row["withholds"] = [_kept_back(each, who, state) for each in person.withholds]
        row["player_said"] = _said_to(who, recent)
        rows.append({name: value for name, value in row.items() if value})
    return rows


def _how(who: str, state: GameState) -> str:
    """How someone is who can no longer answer: dead, unconscious."""
    known = (str(state.value(who, name) or "") for name in ("status", "condition", "state"))
    return next((value for value in known if value in GONE), "")


def _is_open(text: str, limits: SafetyLimits) -> bool:
    return all(map(limits.names_none, sentences(text)))


def _holds(known: Knowledge, state: GameState) -> bool:
    return check(known.when, state).holds


def _topic(known: Knowledge, who: str, state: GameState) -> dict[str, Any]:
    """Something they know, by its id and what one asks for; whether it was told already."""
    row: dict[str, Any] = {"id": known.id, "about": known.topics[:_TOPICS]}
    return {**row, "told": True} if state.value(who, f"told:{known.id}") else row


def _kept_back(known: Withheld, who: str, state: GameState) -> dict[str, Any]:
    """Something they keep back: its id, and what may win it from them. What it is about is part of
    the secret until it is told."""
    if state.value(who, f"told:{known.id}"):
        return _topic(known, who, state)
    return {"id": known.id, "until": known.yields_to}


def _said_to(who: str, recent: Sequence[TurnText]) -> list[str]:
    said = [turn.player_input for turn in recent if who in turn.focus]
    return [shorten(line, _LETTERS) for line in said[-_SAID:]]

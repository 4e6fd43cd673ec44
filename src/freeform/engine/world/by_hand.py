"""What a human game master has laid down: the dead who stay dead, pinned facts, directions."""

from typing import Any

from freeform.engine.world.scales import opposite_words
from freeform.engine.world.state import GameState

GAME_MASTER = "game master"
"""Why an entry is in the log that a game master made, and how a fact of theirs came to be known."""
ORACLE = "oracle"
"""The same of what the oracle said."""
BY_ITSELF = (GAME_MASTER, ORACLE)
"""Entries between turns that one `undo` takes back by themselves."""
CAMPAIGN = "campaign"
PINNED, WHISPERS, NOTE, STYLE = "gm_pinned", "gm_whispers", "gm_note", "gm_style"
RETOLD = "gm_retold"
"""Predicates of the campaign."""
BY_PEN = "by pen"
"""The intent of a turn that a person wrote as it stands."""


def is_dead_by_hand(id: str, state: GameState) -> bool:
    """Whether a game master has said that someone is dead: nothing authored revives them."""
    fact = state.fact(id, "status")
    if fact is None or fact.discovery_method != GAME_MASTER:
        return False
    return str(fact.object.get("value")) in opposite_words("alive")


def dead_by_hand(state: GameState) -> list[str]:
    """Everyone whom a game master has declared dead."""
    return [id for id in state.value(CAMPAIGN, "gm_dead") or [] if is_dead_by_hand(id, state)]


def pinned_by_hand(state: GameState) -> list[str]:
    """The ids of facts a game master wants told whatever else is left out."""
    return [id for id in state.value(CAMPAIGN, PINNED) or [] if id in state.facts]


def retold_by_hand(state: GameState) -> dict[int, str]:
    """What turns read now that a game master has corrected or had told in other words."""
    return {int(turn): str(text) for turn, text in (state.value(CAMPAIGN, RETOLD) or {}).items()}


def direction_of(state: GameState) -> dict[str, Any]:
    """What a game master has asked of whoever tells this turn: `whispers`, `note`, `style`."""
    whispers = [
        str(row["text"])
        for row in state.value(CAMPAIGN, WHISPERS) or []
        if int(row["until"]) >= state.turn_no
    ]
    parts = {
        "whispers": whispers,
        "note": state.value(CAMPAIGN, NOTE) or "",
        "style": state.value(CAMPAIGN, STYLE) or {},
    }
    return {name: part for name, part in parts.items() if part}


def with_style(direction: dict[str, Any], style: dict[str, Any]) -> dict[str, Any]:
    """The same wishes with more of how it is to be told."""
    if not style:
        return direction
    return {**direction, "style": {**direction.get("style", {}), **style}}

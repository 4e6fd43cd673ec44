"""A story without what was said beside it: remarks out of character, questions to the game master,
and the answers to both. Pure."""

import re
from collections.abc import Sequence

from freeform.engine.log import Logged, Resolved
from freeform.engine.world.acts import family_of
from freeform.services.views.records import TurnView

_ASIDE = frozenset({"ooc", "gm_question"})
_ANSWERS = frozenset({"table_talk", "answered"})


def in_character(turns: Sequence[TurnView], logged: Sequence[Logged]) -> list[TurnView]:
    """The turns that are part of the story. One that was all talk at the table is left out; of one
    in which something was done beside it, the remark and its answer are. Where the answer is woven
    into the telling, so that it cannot be told apart, the whole turn is left out."""
    heard = {row.entry.turn_id: row.entry for row in logged if isinstance(row.entry, Resolved)}
    told = (_within(turn, heard[turn.turn_id]) for turn in turns if turn.turn_id in heard)
    return [turn for turn in told if turn]


def _within(turn: TurnView, heard: Resolved) -> TurnView | None:
    acts = heard.interpreter.proposed_actions
    families = [family_of(act.action, act.family) for act in acts]
    answers = [event for event in heard.engine_events if event.type in _ANSWERS]
    remarks = [act.details for act, family in zip(acts, families, strict=True) if family == "ooc"]
    if not remarks and not (answers and set(families) <= _ASIDE):
        return turn
    if set(families) <= _ASIDE:
        return None
    said = _without(turn.player_input, remarks)
    replies = [str(event.details["text"]) for event in answers if event.type == "table_talk"]
    told = _without(turn.final_text, replies)
    if told is None:
        return None
    silent = {f"{part.actor}:" for part in turn.parts}
    lines = [line for line in (said or "").splitlines() if line.strip() not in {"", *silent}]
    return turn.model_copy(
        update={"player_input": "\n".join(lines), "parts": [], "final_text": told}
    )


def _without(text: str, pieces: Sequence[str]) -> str | None:
    """A text without some pieces of it; None where one of them is not found."""
    for piece in pieces:
        words = piece.split()
        found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
        if found is None:
            return None
        text = f"{text[: found.start()]}{text[found.end() :]}"
    return text.strip()

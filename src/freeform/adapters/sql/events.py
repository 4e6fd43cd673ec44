"""The `events` table: one row per turn and take, begun with its facts and completed with its
prose."""

import json
from collections.abc import Sequence

from pydantic_core import to_json

from freeform.adapters.sql.entries import (
    NO_CHANGE,
    EntryPage,
    as_json,
    diff_json,
)
from freeform.adapters.sql.ports import Db
from freeform.engine.log import Entry, Narrated, Resolved
from freeform.engine.ports import TurnText
from freeform.engine.rules.change import join
from freeform.engine.world.model import StateDiff

_REMEMBERED = 2_000


def begin_row(
    db: Db, campaign: str, branch: str, log_id: int, turn: Resolved, page: EntryPage
) -> None:
    """A turn's facts are known."""
    outputs = turn.model_dump_json(include={"interpreter", "validator", "planner", "rolls"})
    db.execute(
        "insert into events (id, campaign_id, turn_no, player_input, context_packet_json, pass_outputs_json,"
        " engine_events_json, state_diff_json, final_text, prompt_versions_json, log_id, branch, take)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?)",
        (
            f"{turn.turn_id}#{log_id}", campaign, turn.turn_no, turn.player_input,
            page.packet_text, outputs, to_json(turn.engine_events).decode(),
            page.diff_text, as_json(turn.prompt_versions), log_id, branch, turn.take,
        ),
    )  # fmt: skip


def complete_row(db: Db, resolved: int, turn: Narrated, page: EntryPage) -> None:
    """Its prose is told. The row is that of the facts the prose follows; what it says is put behind
    what it said."""
    told = to_json({"narrator": turn.narrator, "rejected": turn.rejected}).decode()
    db.execute(
        "update events set pass_outputs_json = substr(pass_outputs_json, 1, length(pass_outputs_json) - 1) || ?,"
        " prompt_versions_json = json_patch(prompt_versions_json, ?), final_text = ? where log_id = ?",
        (f",{told[1:]}", as_json(turn.prompt_versions), turn.final_text, resolved),
    )
    if page.diff_text != NO_CHANGE:
        (diff,) = db.execute("select state_diff from log where id = ?", (resolved,)).fetchone()
        whole = join(StateDiff.model_validate_json(diff), turn.state_diff)
        db.execute(
            "update events set state_diff_json = ? where log_id = ?", (diff_json(whole), resolved)
        )


def facts_before(db: Db, entry: int | None, turn: Narrated) -> int | None:
    """The facts that a turn's prose tells of, at or before this entry; None when they are not
    there."""
    while entry is not None:
        kind, turn_id, turn_no, parent = db.execute(
            "select kind, turn_id, turn_no, parent from log where id = ?", (entry,)
        ).fetchone()
        if kind == "resolved" and turn_id == turn.turn_id:
            return entry
        if turn_no < turn.turn_no:
            return None
        entry = parent
    return None


def told_next(told: Sequence[TurnText], most: int, entry: Entry) -> tuple[TurnText, ...]:
    """The last turns as a reader sees them, once this entry is added to their log."""
    match entry:
        case Resolved():
            asked, focus = (
                entry.validator.clarification_needed,
                entry.interpreter.referenced_entities,
            )
            turn = TurnText(
                turn_no=entry.turn_no,
                player_input=entry.player_input,
                final_text="",
                focus=focus,
                asked=asked,
            )
            return (*told, turn)[-most:]
        case Narrated() if told:
            *before, last = told
            turn = TurnText(  # not a copy: that would keep the words of the text it had
                turn_no=last.turn_no,
                player_input=last.player_input,
                final_text=entry.final_text,
                focus=last.focus,
                asked=last.asked,
            )
            return (*before, turn)
        case _:
            return tuple(told)


def told_lately(db: Db, ids: list[int], told: dict[int, TurnText | None]) -> list[TurnText]:
    """The turns among those log entries as a reader sees them, oldest first. A turn that is told
    stays as it is:
    `told` remembers it, and that an entry is no turn of its own."""
    fresh = [id for id in ids if id not in told]
    found: dict[int, TurnText | None] = dict.fromkeys(fresh) | _turn_texts(db, fresh)
    turns = [turn for id in ids if (turn := told.get(id) or found.get(id))]
    if len(told) > _REMEMBERED:
        told.clear()
    told.update({id: turn for id, turn in found.items() if turn is None or turn.final_text})
    return turns


def _turn_texts(db: Db, ids: list[int]) -> dict[int, TurnText]:
    if not ids:
        return {}
    marks = ",".join("?" * len(ids))
    rows = db.execute(
        "select log_id, turn_no, player_input, final_text, json_extract(pass_outputs_json, '$.interpreter.referenced_entities'),"
        " json_extract(pass_outputs_json, '$.validator.clarification_needed')"
        f" from events where log_id in ({marks}) order by log_id",
        ids,
    )
    return {
        log_id: TurnText(
            turn_no=turn,
            player_input=typed,
            final_text=text,
            focus=json.loads(focus or "[]"),
            asked=asked in (1, "true"),  # each database has its own way to say so
        )
        for log_id, turn, typed, text, focus, asked in rows
    }

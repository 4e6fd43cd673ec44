"""The `events` table: one row per turn and take, begun with its facts and completed with its prose."""

import json
import sqlite3

from freeform.adapters.sqlite.entries import as_json, diff_json
from freeform.engine.change import join
from freeform.engine.log import Narrated, Resolved
from freeform.engine.model import StateDiff
from freeform.engine.ports import TurnText


def begin_row(db: sqlite3.Connection, campaign: str, branch: str, log_id: int, turn: Resolved) -> None:
    """A turn's facts are known."""
    outputs = {
        "interpreter": turn.interpreter.model_dump(mode="json"),
        "validator": turn.validator.model_dump(mode="json"),
        "planner": turn.planner.model_dump(mode="json"),
        "rolls": [roll.model_dump(mode="json") for roll in turn.rolls],
    }
    db.execute(
        "insert into events (id, campaign_id, turn_no, player_input, context_packet_json, pass_outputs_json,"
        " engine_events_json, state_diff_json, final_text, prompt_versions_json, log_id, branch, take)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?)",
        (
            f"{turn.turn_id}#{log_id}", campaign, turn.turn_no, turn.player_input,
            turn.context_packet.model_dump_json(), as_json(outputs),
            as_json([event.model_dump(mode="json") for event in turn.engine_events]),
            diff_json(turn.state_diff), as_json(turn.prompt_versions), log_id, branch, turn.take,
        ),
    )  # fmt: skip


def complete_row(db: sqlite3.Connection, parent: int | None, turn: Narrated) -> None:
    """Its prose is told. The row is that of the facts the prose follows."""
    resolved = facts_before(db, parent, turn)
    row = db.execute(
        "select e.pass_outputs_json, log.state_diff, e.prompt_versions_json"
        " from events e join log on log.id = e.log_id where log.id = ?",
        (resolved,),
    ).fetchone()
    if row is None:
        return
    outputs, diff, versions = row
    told = {**json.loads(outputs), "narrator": turn.narrator.model_dump(mode="json")}
    told["rejected"] = [claim.model_dump(mode="json") for claim in turn.rejected]
    whole = join(StateDiff.model_validate_json(diff), turn.state_diff)
    db.execute(
        "update events set pass_outputs_json = ?, state_diff_json = ?, prompt_versions_json = ?,"
        " final_text = ? where log_id = ?",
        (
            as_json(told), diff_json(whole), as_json({**json.loads(versions), **turn.prompt_versions}),
            turn.final_text, resolved,
        ),
    )  # fmt: skip


def facts_before(db: sqlite3.Connection, entry: int | None, turn: Narrated) -> int | None:
    """The facts that a turn's prose tells of, at or before this entry; None when they are not there."""
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


def told_lately(db: sqlite3.Connection, ids: list[int]) -> list[TurnText]:
    """The turns among those log entries as a reader sees them, oldest first."""
    marks = ",".join("?" * len(ids))
    rows = db.execute(
        "select turn_no, player_input, final_text, json_extract(pass_outputs_json, '$.interpreter.referenced_entities'),"
        " json_extract(pass_outputs_json, '$.validator.clarification_needed')"
        f" from events where log_id in ({marks}) order by log_id",
        ids,
    )
    return [
        TurnText(
            turn_no=turn,
            player_input=typed,
            final_text=text,
            focus=json.loads(focus or "[]"),
            asked=bool(asked),
        )
        for turn, typed, text, focus, asked in rows
    ]

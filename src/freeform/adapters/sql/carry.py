"""A campaign's rows from one database into another: the log first, then all that follows it."""

import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from freeform.adapters.sql.ports import Db
from freeform.adapters.sql.tables import SHEETS, STATE_SCENE
from freeform.adapters.sql.tapes import TAPE_COLUMNS, TAPES_PACKED

AT_ONCE = 200
"""Rows in memory at a time."""


class Carried(NamedTuple):
    """One table: its columns, by which of them its rows are told apart and in order, and whether
    each row names its campaign."""

    table: str
    columns: tuple[str, ...]
    order: str
    named: bool = True


LOG = Carried(
    "log",
    ("id", "parent", "turn_no", "turn_id", "take", "kind", "at", "state_diff", "body"),
    "id",
    named=False,
)
BRANCHES = Carried(
    "branches",
    ("name", "head", "redo", "from_turn", "from_entry", "active", "created_at"),
    "rowid",
    named=False,
)
EVENTS = Carried(
    "events",
    (
        "id",
        "turn_no",
        "player_input",
        "context_packet_json",
        "pass_outputs_json",
        "engine_events_json",
        "state_diff_json",
        "final_text",
        "prompt_versions_json",
        "log_id",
        "branch",
        "take",
    ),
    "log_id",
)
NOTES = Carried(
    "scene_lore", ("id", "scene_id", "session_id", "lore_json", "retrieved_at"), "scene_id"
)
STATE = tuple(
    Carried(sheet.table, tuple(sheet.columns), "rowid", named=sheet.per_campaign)
    for sheet in (*SHEETS, STATE_SCENE)
)
TAPES = Carried("tapes", (*TAPE_COLUMNS, "moment"), "id", named=False)
_CAMPAIGN = (
    "name",
    "created_at",
    "updated_at",
    "calibration_json",
    "system_json",
    "genre_rules_json",
    "current_turn",
)


def carry(source: Db, target: Db, campaign: str) -> None:
    """Writes all of a campaign into a target that has nothing of it."""
    row = source.execute(f"select {', '.join(_CAMPAIGN)} from campaigns").fetchone()
    _add(target, "campaigns", ("id", *_CAMPAIGN), [(campaign, *row)])
    for each in (LOG, BRANCHES, EVENTS, *STATE, NOTES):
        columns = (*each.columns, "campaign_id") if each.named else each.columns
        for rows in rows_of(source, each):
            _add(target, each.table, columns, [(*r, campaign) if each.named else r for r in rows])
    carry_tapes(source, target, campaign)


def carry_tapes(source: Db, target: Db, campaign: str) -> None:
    """Writes the tapes; all of them are that campaign's now."""
    place = TAPES.columns.index("campaign")
    packed = [TAPES.columns.index(name) for name in TAPES_PACKED]
    for rows in rows_of(source, TAPES):
        made = [_tape(list(row), campaign, place, packed) for row in rows]
        _add(target, "tapes", TAPES.columns, made)


def rows_of(db: Db, carried: Carried) -> Iterator[list[tuple[Any, ...]]]:
    """All rows, some at a time, in order."""
    columns, after = ", ".join(carried.columns), None
    while True:
        beyond = f"where {carried.order} > ?" if after is not None else ""
        values = (after, AT_ONCE) if after is not None else (AT_ONCE,)
        rows = db.execute(
            f"select {columns}, {carried.order} from {carried.table} {beyond}"
            f" order by {carried.order} limit ?",
            values,
        ).fetchall()
        if rows:
            yield [tuple(row[:-1]) for row in rows]
        if len(rows) < AT_ONCE:
            return
        after = rows[-1][-1]


def _tape(row: list[Any], campaign: str, place: int, packed: list[int]) -> tuple[Any, ...]:
    row[place] = campaign
    for at in packed:
        if isinstance(row[at], str):
            row[at] = zlib.compress(row[at].encode(), 1)
    return tuple(row)


def _add(db: Db, table: str, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" * len(columns))
    db.executemany(f"insert into {table} ({', '.join(columns)}) values ({marks})", rows)

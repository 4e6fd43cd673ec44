"""The state as rows of the design's tables: written row by row as diffs name them, read whole when
cold."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from freeform.adapters.sql.entries import as_json, unreadable
from freeform.adapters.sql.ports import Db
from freeform.core.record import Record
from freeform.engine.rules.change import apply, index, write
from freeform.engine.world.model import InventoryChange, RelationshipChange, StateDiff
from freeform.engine.world.state import (
    Entity,
    Fact,
    GameState,
    Holding,
    Relationship,
    Scene,
    StoryClock,
    Summary,
    Thread,
)

Key = str | tuple[str, ...]


@cache
def _reader(record: type[Record]) -> TypeAdapter[list[Any]]:
    return TypeAdapter(list[record])  # type: ignore[valid-type]


@dataclass(frozen=True)
class StateTable:
    """How one kind of record lies in its table. `json` names the fields kept as JSON, with their
    columns."""

    table: str
    record: type[Record]
    key: tuple[str, ...]
    json: dict[str, str]
    per_campaign: bool = True

    @cached_property
    def fields(self) -> list[str]:
        return list(self.record.model_fields)

    @cached_property
    def columns(self) -> list[str]:
        return [self.json.get(name, name) for name in self.fields]

    @cached_property
    def upsert(self) -> str:
        """A row replaces its namesake in place, so that rows keep the order in which they came."""
        extra = ["campaign_id"] if self.per_campaign else []
        columns = [*self.columns, *extra]
        key = [*self.key, *(extra if len(self.key) > 1 else [])]
        rest = ", ".join(f"{c} = excluded.{c}" for c in columns if c not in key)
        return (
            f"insert into {self.table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"
            f" on conflict ({', '.join(key)}) do update set {rest}"
        )

    def row(self, record: Record, campaign: str) -> list[Any]:
        values = [
            as_json(value) if name in self.json else value
            for name, value in ((name, getattr(record, name)) for name in self.fields)
        ]
        return [*values, campaign] if self.per_campaign else values

    def read(self, db: Db, path: Path | str) -> list[Any]:
        """All rows, in the order in which they came. Column by column, for each call into JSON
        costs more than what it reads."""
        rows = db.execute(
            f"select {', '.join(self.columns)} from {self.table} order by rowid"
        ).fetchall()
        names = self.fields
        try:
            columns = [
                json.loads(f"[{','.join(values)}]") if name in self.json else values
                for name, values in zip(names, zip(*rows, strict=True), strict=bool(rows))
            ]
            read = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
            return _reader(self.record).validate_python(read)
        except (ValueError, TypeError) as wrong:
            raise unreadable(path, f"a row of '{self.table}'", wrong) from wrong


ENTITIES = StateTable("entities", Entity, ("id",), {"attrs": "attrs_json", "tags": "tags"})
FACTS = StateTable("facts", Fact, ("id",), {"object": "object_json", "tags": "tags"})
THREADS = StateTable(
    "threads", Thread, ("id",),
    {"stakes": "stakes_json", "related_entity_ids": "related_entity_ids_json", "tags": "tags"},
)  # fmt: skip
CLOCKS = StateTable("clocks", StoryClock, ("id",), {"triggers": "triggers_json", "tags": "tags"})
INVENTORY = StateTable("inventory", Holding, ("owner_id", "item_id"), {"flags": "flags_json"})
RELATIONSHIPS = StateTable(
    "relationships", Relationship, ("a_id", "b_id", "rel_type"), {"notes": "notes_json"}
)
SUMMARIES = StateTable("summaries", Summary, ("id",), {}, per_campaign=False)
STATE_SCENE = StateTable(
    "scene", Scene, ("id",),
    {
        "present_entity_ids": "present_entity_ids_json", "time": "time_json",
        "constraints": "constraints_json", "obscured_entities": "obscured_entities_json",
    },
)  # fmt: skip
SHEETS = (ENTITIES, FACTS, THREADS, CLOCKS, INVENTORY, RELATIONSHIPS, SUMMARIES)


def read_state(db: Db, campaign: str, branch: str, turn_no: int, path: Path | str) -> GameState:
    """The state the tables hold, in the order in which its rows came to be."""
    rows: dict[str, dict[Any, Any]] = {}
    for sheet in SHEETS:
        keys = sheet.key
        rows[sheet.table] = {
            getattr(r, keys[0]) if len(keys) == 1 else tuple(getattr(r, k) for k in keys): r
            for r in sheet.read(db, path)
        }
    scenes = STATE_SCENE.read(db, path)
    scene = scenes[0] if scenes else Scene()
    return index(
        GameState(campaign_id=campaign, turn_no=turn_no, branch=branch, scene=scene, **rows)
    )


def write_diff(db: Db, state: GameState, diff: StateDiff) -> GameState:
    """Writes a diff into the state, which must be a draft, and into the rows it names and no
    others."""
    held, emptied = _inventory_after(state, diff)
    after = write(state, diff)
    for owner, item in emptied:
        db.execute("delete from inventory where owner_id = ? and item_id = ?", (owner, item))
    for sheet, keys in _named(diff, held):
        table = getattr(after, sheet.table)
        _save(db, sheet, (table[key] for key in keys), after.campaign_id)
    if diff.scene_update:
        write_scene(db, after)
    return after


def rewrite(db: Db, state: GameState) -> None:
    """Makes the tables hold this state and nothing else."""
    for sheet in SHEETS:
        db.execute(f"delete from {sheet.table}")
        _save(db, sheet, getattr(state, sheet.table).values(), state.campaign_id)
    write_scene(db, state)


def write_scene(db: Db, state: GameState) -> None:
    """The one scene that play is in."""
    db.execute("delete from scene")
    _save(db, STATE_SCENE, [state.scene], state.campaign_id)


def _save(db: Db, sheet: StateTable, records: Iterable[Record], campaign: str) -> None:
    rows = [sheet.row(record, campaign) for record in records]
    if rows:
        db.executemany(sheet.upsert, rows)


def _named(diff: StateDiff, held: list[tuple[str, str]]) -> list[tuple[StateTable, list[Key]]]:
    """The keys a diff names, new ones in the order in which they enter the state."""
    ties: list[Relationship | RelationshipChange] = [
        *diff.relationships_add,
        *diff.relationships_update,
    ]
    named: list[tuple[StateTable, list[Key]]] = [
        (ENTITIES, _ids(diff.entities_add, diff.entities_update)),
        (FACTS, _ids(diff.facts_add, diff.facts_update)),
        (THREADS, _ids(diff.threads_add, diff.threads_update)),
        (CLOCKS, _ids(diff.clocks_add, diff.clocks)),
        (INVENTORY, list(held)),
        (RELATIONSHIPS, [(tie.a_id, tie.b_id, tie.rel_type) for tie in ties]),
        (SUMMARIES, _ids(diff.summaries_add)),
    ]
    return [(sheet, list(dict.fromkeys(keys))) for sheet, keys in named if keys]


def _ids(*tables: Sequence[Any]) -> list[Key]:
    return [row.id for rows in tables for row in rows]


def _inventory_after(
    state: GameState, diff: StateDiff
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Which of the holdings a diff names are there afterwards, and which were empty at some moment.

    A holding that runs out and comes back stands last, in the state and so in the table: it must be
    deleted first. Each change is tried on the few rows named, by the one function that knows what a
    change does.
    """
    rows: list[Holding | InventoryChange] = [*diff.inventory_add, *diff.inventory_changes]
    if not rows:
        return [], []
    named = [(row.owner_id, row.item_id) for row in rows]
    few = {key: holding for key in dict.fromkeys(named) if (holding := state.inventory.get(key))}
    shown = GameState(campaign_id=state.campaign_id, inventory=few)
    shown = apply(shown, StateDiff(inventory_add=diff.inventory_add))
    emptied = []
    for change in diff.inventory_changes:
        shown = apply(shown, StateDiff(inventory_changes=[change]))
        if (key := (change.owner_id, change.item_id)) not in shown.inventory:
            emptied.append(key)
    return list(shown.inventory), emptied

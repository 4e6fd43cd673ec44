"""The tables and relations as SurrealQL: the five tables' fields are derived from their records."""

from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

from freeform.lore.model import (
    FactionData,
    Kind,
    LoreData,
    NarrativeItemData,
    NPCData,
    RelationName,
    ZoneData,
)

RECORDS: dict[Kind, type[BaseModel]] = {
    "zone": ZoneData,
    "npc": NPCData,
    "faction": FactionData,
    "lore": LoreData,
    "narrative_item": NarrativeItemData,
}
LEDGER = (
    "checkpoint", "step", "page", "reservation", "spent", "outbox", "inbox", "dead_letter", "decision", "claim", "package",
)  # fmt: skip
"""The daemon's own tables; the five of the seed stand beside them."""
TABLES = (*LEDGER, *RECORDS)
RELATIONS: dict[RelationName, tuple[Kind, Kind]] = {
    "CONNECTS_TO": ("zone", "zone"),
    "BELONGS_TO": ("npc", "faction"),
    "LOCATED_IN": ("npc", "zone"),
    "RELATES_TO": ("npc", "npc"),
    "CHILD_OF": ("faction", "faction"),
    "STANCE_TOWARD": ("faction", "faction"),
    "FOUND_IN": ("narrative_item", "zone"),
    "ABOUT": ("lore", "zone"),
}
"""The eight relations of the seed, each from a table to a table."""
PLAIN = {str: "string", int: "int", float: "float", bool: "bool"}


def statements() -> list[str]:
    """Everything to define; run again they change nothing."""
    out = []
    for table in LEDGER:
        out.append(f"DEFINE TABLE IF NOT EXISTS {table} SCHEMAFULL")
        # A document of the daemon is JSON text: a record of ours reads it back letter by letter.
        names = {
            "seq": "int",
            "game": "string",
            "grp": "string",
            "state": "string",
            "doc": "string",
        }
        out += [_field(table, name, kind) for name, kind in names.items()]
        out.append(f"DEFINE INDEX IF NOT EXISTS {table}_game ON {table} FIELDS game")
        out.append(f"DEFINE INDEX IF NOT EXISTS {table}_state ON {table} FIELDS grp, state")
    for kind, record in RECORDS.items():
        out.append(f"DEFINE TABLE IF NOT EXISTS {kind} SCHEMAFULL")
        out += [
            _field(kind, name, surreal_type(info.annotation))
            for name, info in record.model_fields.items()
            if name not in ("id", "game")
        ]
        beside = {
            "seq": "int",
            "game": "string",
            "grp": "string",
            "state": "string",
            "embedding_model": "string",
        }
        out += [_field(kind, name, shape) for name, shape in beside.items()]
        # No HNSW index: it costs more for each row than a game's few thousand rows cost to compare
        # (decision 0019).
        out.append(_field(kind, "embedding", "option<bytes>"))
        out.append(f"DEFINE INDEX IF NOT EXISTS {kind}_game ON {kind} FIELDS game")
    for name, (start, end) in RELATIONS.items():
        out.append(
            f"DEFINE TABLE IF NOT EXISTS {name} TYPE RELATION IN {start} OUT {end} SCHEMAFULL"
        )
        out += [
            _field(name, "game", "string"),
            _field(name, "label", "string"),
            _field(name, "confidence", "float"),
        ]
        out.append(f"DEFINE INDEX IF NOT EXISTS {name}_game ON {name} FIELDS game")
    return out


def surreal_type(annotation: Any) -> str:
    """The SurrealDB type of a record's field."""
    if annotation in PLAIN:
        return PLAIN[annotation]
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is list:
        return f"array<{surreal_type(inner[0])}>"
    if origin in (Union, UnionType):
        return f"option<{surreal_type(next(each for each in inner if each is not type(None)))}>"
    return "object"


def optional_fields(kind: Kind) -> list[str]:
    """Fields that may hold nothing; SurrealDB leaves them out of what it gives."""
    return [name for name, info in RECORDS[kind].model_fields.items() if info.default is None]


def _field(table: str, name: str, shape: str) -> str:
    flexible = "FLEXIBLE " if "object" in shape else ""
    return f"DEFINE FIELD IF NOT EXISTS {name} ON {table} {flexible}TYPE {shape}"

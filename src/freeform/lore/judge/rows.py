"""A package as rows of the five tables and edges between them; how a row of two packages becomes
one."""

from collections.abc import Iterable
from typing import Any

from freeform.core.record import canonical
from freeform.lore.model import Claim, Known, NodeRow, ResearchPackage

_STAMPS = frozenset({"updated_at", "accessed_at", "fetched_at"})


def rows_of(package: ResearchPackage) -> list[NodeRow]:
    """Every row of a package."""
    given: list[tuple[Any, list[Any]]] = [
        ("zone", [package.zone_data]),
        ("npc", package.npcs),
        ("faction", package.factions),
        ("lore", package.lore),
        ("narrative_item", package.narrative_items),
    ]
    return [
        NodeRow(
            kind=kind,
            id=record.id,
            name=record.title if kind == "lore" else record.name,
            game=package.game,
            confidence=record.confidence,
            data=record.model_dump(mode="json"),
        )
        for kind, records in given
        for record in records
    ]


def in_place(
    held: Iterable[ResearchPackage], new: Iterable[ResearchPackage]
) -> list[ResearchPackage]:
    """All packages of a game, the new ones in place of those of their zones."""
    zones = {package.zone_data.id: package for package in (*held, *new)}
    return [zones[id] for id in sorted(zones)]


def folded(packages: Iterable[ResearchPackage]) -> list[NodeRow]:
    """The rows that packages come to, one after the other."""
    rows: dict[tuple[str, str], NodeRow] = {}
    for package in packages:
        for row in rows_of(package):
            old = rows.get((row.kind, row.id))
            rows[row.kind, row.id] = merged(old, row) if old else row
    return list(rows.values())


def merged(old: NodeRow, new: NodeRow) -> NodeRow:
    """Both in one: lists joined, gaps of one filled from the other, the surer of the two
    confidences. What both say is said as the surer of them does, the new one among equals: who is
    named in passing on a lesser page does not become somebody else."""
    surer = old if old.confidence > new.confidence else new
    data = {key: _join(old.data.get(key), value) for key, value in new.data.items()}
    if surer is old:
        told = {key: value for key, value in old.data.items() if isinstance(value, str) and value}
        data |= {key: value for key, value in told.items() if key not in _STAMPS}
    confidence = max(old.confidence, new.confidence)
    return new.model_copy(
        update={"data": {**old.data, **data, "confidence": confidence}, "confidence": confidence}
    )


def _join(old: Any, new: Any) -> Any:
    if isinstance(old, list) and isinstance(new, list):
        seen = {_timeless(each) for each in old}
        return [*old, *(each for each in new if _timeless(each) not in seen)]
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **new}
    return old if new in ("", None, [], {}) else new


def text_of(row: NodeRow) -> str:
    """What a row says, for searching: its name and its words."""
    said = [
        str(v)
        for k, v in row.data.items()
        if isinstance(v, str) and k not in ("id", "game", "updated_at")
    ]
    facts = [f"{k}: {v}" for k, v in (row.data.get("facts") or {}).items()]
    return ". ".join(dict.fromkeys(part for part in (row.name, *said, *facts) if part))[:4000]


def claim_key(claim: Claim) -> str:
    """One claim of one revision, whenever it was read."""
    return canonical(claim.model_dump(mode="json", exclude={"fetched_at"}))


def timeless(value: Any) -> Any:
    """The value without the times at which things were read and written: what two runs must agree
    on."""
    if isinstance(value, Known):
        value = value.model_dump(mode="json")
    if isinstance(value, dict):
        return {key: timeless(each) for key, each in value.items() if key not in _STAMPS}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def _timeless(value: Any) -> str:
    return canonical(timeless(value))

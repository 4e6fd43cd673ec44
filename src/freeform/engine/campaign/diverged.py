"""Where play has left the books: what has become of the people, places and things that came out of
a pack."""

from collections.abc import Iterator
from typing import Literal

from freeform.core.record import Record
from freeform.engine.ports import StateStore
from freeform.engine.world.state import Fact, GameState, Holding

Kind = Literal["fact", "whereabouts", "holding", "relationship"]


class EntityDivergence(Record):
    """One thing that is no longer as it was at the beginning."""

    kind: Kind
    what: str
    before: str
    now: str


class Strayed(Record):
    """Something out of a pack, and how it differs now."""

    id: str
    name: str
    type: str
    pack_id: str
    changes: list[EntityDivergence]


class Divergence(Record):
    """`diverged`: everything out of a pack that play has changed."""

    campaign: str
    branch: str
    turn_no: int
    entities: list[Strayed]


async def diverged(campaign: str, store: StateStore) -> Divergence:
    """What differs on the active branch from the state the campaign began with."""
    start, now = await store.get_state(campaign, 0), await store.get_state(campaign)
    strayed = []
    for id, entity in sorted(now.entities.items()):
        changes = list(_changes(id, start, now)) if entity.origin == "pack" else []
        if changes:
            pack = entity.pack_id or ""
            strayed.append(
                Strayed(id=id, name=entity.name, type=entity.type, pack_id=pack, changes=changes)
            )
    return Divergence(campaign=campaign, branch=now.branch, turn_no=now.turn_no, entities=strayed)


def _changes(id: str, start: GameState, now: GameState) -> Iterator[EntityDivergence]:
    yield from _facts(id, start, now)
    was, here = start.where(id), now.where(id)
    if was != here:
        places = [
            state.name(place) if place else "nobody knows where"
            for state, place in ((start, was), (now, here))
        ]
        yield EntityDivergence(kind="whereabouts", what="at", before=places[0], now=places[1])
    yield from _holdings(id, start, now)
    for key in sorted(start.relationships.keys() | now.relationships.keys()):
        if key[0] == id:
            old, new = start.relationships.get(key), now.relationships.get(key)
            before, after = (str(r.intensity) if r else "none" for r in (old, new))
            if before != after:
                what = f"{key[2]} towards {now.name(key[1])}"
                yield EntityDivergence(kind="relationship", what=what, before=before, now=after)


def _facts(id: str, start: GameState, now: GameState) -> Iterator[EntityDivergence]:
    """Facts about it that are new, gone, changed, or have come to light.

    Bookkeeping is left out.
    """
    old, new = _open_facts(id, start), _open_facts(id, now)
    for fact_id in sorted(old.keys() | new.keys()):
        before, after = _told(old.get(fact_id)), _told(new.get(fact_id))
        if before != after:
            what = (new.get(fact_id) or old[fact_id]).predicate
            yield EntityDivergence(kind="fact", what=what, before=before, now=after)


def _open_facts(id: str, state: GameState) -> dict[str, Fact]:
    return {fact.id: fact for fact in state.facts_of(id) if fact.visibility != "engine"}


def _told(fact: Fact | None) -> str:
    if fact is None:
        return ""
    said = str(fact.object.get("text") or fact.object.get("value", ""))
    return said if fact.visibility == "known" else f"{said} (hidden)"


def _holdings(id: str, start: GameState, now: GameState) -> Iterator[EntityDivergence]:
    """Where a thing is, and what a holder has; a thing out of a pack is told once, under itself."""
    for key in sorted(start.inventory.keys() | now.inventory.keys()):
        owner, item = key
        thing = now.entities.get(item) or start.entities.get(item)
        mine = item == id or (owner == id and not (thing and thing.origin == "pack"))
        before, after = _held(start.inventory.get(key)), _held(now.inventory.get(key))
        if mine and before != after:
            what = f"held by {now.name(owner)}" if item == id else f"holds {now.name(item)}"
            yield EntityDivergence(kind="holding", what=what, before=before, now=after)


def _held(holding: Holding | None) -> str:
    if holding is None or holding.qty <= 0:
        return "no"
    return f"{holding.qty}, hidden" if holding.flags.get("hidden") else str(holding.qty)

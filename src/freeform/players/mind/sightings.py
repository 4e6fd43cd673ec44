"""What was seen and what was done: kept as facts, so that every player has the places it left and
the deeds of the others in its own memory, and plans by that. What is forgotten draws nobody back or
is done twice; what is mixed up sends them to the wrong door."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from freeform.core.text import slug
from freeform.engine.rules.known import with_article
from freeform.players.memory.model import SCENE, Belief, Episode, MemoryFact, Slot
from freeform.players.model import SeenPlace, TableView

STANDS, DID = "stands_at", "did"
"""The predicates of a sighting and of a deed."""
WORTH = 0.4
"""How much a sighting or a deed matters: less than what came of it."""
Role = Literal["who", "what"]
Sighting = tuple[Role, str, str]
"""A person or a thing, its name, and the place."""


def sightings(table: TableView, day: float, session: int) -> list[MemoryFact]:
    """What is in sight where the party is, a fact for each."""
    seen: list[Sighting] = [("who", name, table.place) for name in table.people]
    seen += [("what", name, table.place) for name in table.things]
    return [_fact(one, day, session) for one in seen]


def _fact(seen: Sighting, day: float, session: int) -> MemoryFact:
    role, name, place = seen
    id = f"seen.{slug(place)}.{slug(name)}"
    return MemoryFact(
        id=id,
        group=SCENE,
        subject=slug(name),
        predicate=STANDS,
        value=place,
        text=f"At {place} there was {with_article(name) if role == 'what' else name}.",
        slots=(
            Slot(name=f"{role}_1", kind="name", text=name),
            Slot(name="place_2", kind="place", text=place),
        ),
        valid_at=day,
        created_at=day,
        episode=Episode(session=session),
        importance=WORTH,
        source_id=id,
        many=True,
    )


def deed_id(deed: str) -> str:
    """Of the fact that it was done."""
    return f"{DID}.{slug(deed)}"


def deed_fact(deed: str, turn: str, day: float, session: int) -> MemoryFact:
    """That something was done, in a turn: who did it knows that, others in passing."""
    return MemoryFact(
        id=deed_id(deed),
        group=SCENE,
        subject=slug(deed),
        predicate=DID,
        value=deed,
        text=f"We tried this: {deed}.",
        slots=(Slot(name="deed_1", kind="name", text=deed),),
        valid_at=day,
        created_at=day,
        episode=Episode(session=session),
        importance=WORTH,
        source_id=turn,
        many=True,
    )


def as_remembered(
    places: Sequence[SeenPlace], wrong: Iterable[Belief], here: Collection[str] = ()
) -> list[SeenPlace]:
    """The places one has left, with what one believes to be there: `wrong` are the sightings that
    one has otherwise than they were, `here` what is in sight."""
    held = dict(map(_held, wrong))
    known = {*here, *(was[1] for was in held)}
    known |= {name for seen in places for name in (*seen.things, *seen.people)}
    held = {was: now for was, now in held.items() if now[1] in known} | {
        was: (was[0], "", "") for was, now in held.items() if now[1] not in known
    }
    return [
        seen.model_copy(
            update={
                "things": _there("what", seen.place, seen.things, held),
                "people": _there("who", seen.place, seen.people, held),
                "untouched": _kept("what", seen.place, seen.untouched, held),
            }
        )
        for seen in places
    ]


def _held(belief: Belief) -> tuple[Sighting, Sighting]:
    """A sighting as it was, and as it is believed."""
    what, where = belief.audit
    role: Role = "who" if what.field.startswith("who") else "what"
    return (role, what.truth, where.truth), (role, what.believed, where.believed)


def _kept(
    role: Role, place: str, names: Sequence[str], held: Mapping[Sighting, Sighting]
) -> list[str]:
    return [name for name in names if (role, name, place) not in held]


def _there(
    role: Role, place: str, names: Sequence[str], held: Mapping[Sighting, Sighting]
) -> list[str]:
    """What was there and is not forgotten, and what one wrongly puts there."""
    wrong = [now[1] for now in held.values() if now[0] == role and now[2] == place]
    return list(dict.fromkeys([*_kept(role, place, names, held), *wrong]))

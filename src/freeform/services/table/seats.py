"""The seats of a table: its hero, the scenario's other heroes, and heroes that people bring."""

from pydantic import Field

from freeform.core.errors import Conflict
from freeform.core.record import Record
from freeform.core.text import slug, visible
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.spotlight import Actor
from freeform.engine.world.state import PLAYER, GameState
from freeform.players.people.model import SharedTable, TableSeat
from freeform.players.people.names import check_table_name

MOST_SEATS = 12


class NewHero(Record):
    """A hero of one's own, in a few words. Their numbers are those the table began with."""

    name: str = Field(max_length=80)
    concept: str = Field(default="", max_length=200)
    pronouns: str = Field(default="they/them", max_length=40)


def first_seats(scenario: Scenario, state: GameState) -> list[TableSeat]:
    """Whoever is played now, and the heroes of the scenario that are not."""
    hero = state.entities[PLAYER]
    attrs = hero.attrs
    now = Actor(
        id=free_id(hero.name, []),
        name=hero.name,
        concept=str(attrs.get("concept") or ""),
        pronouns=str(attrs.get("pronouns") or "they/them"),
        stats=attrs.get("stats") or {},
    )
    actors = [now]
    for other in scenario.heroes:
        if other.name != now.name:
            id = free_id(other.name, [each.id for each in actors])
            part = other.model_dump(include={"name", "concept", "pronouns", "stats"})
            actors.append(Actor(id=id, **part))
    return [TableSeat(id=each.id, actor=each) for each in actors]


def seated(
    table: SharedTable, person: str, seat: str = "", hero: NewHero | None = None
) -> SharedTable:
    """The table with someone in a seat: the one they want, a new one, or the first that is free."""
    if hero is not None:
        return _with_hero(table, person, hero)
    if seat:
        wanted = table.seat(seat)
        if wanted.person and wanted.person != person:
            name = table.person(wanted.person).name
            raise Conflict(f"{name} plays {wanted.actor.name}; choose another seat")
        return table.with_seat(wanted.model_copy(update={"person": person}))
    free = next((each for each in table.seats if not each.person), None)
    if free is None:
        raise Conflict("every seat is taken; say whom you play instead: a name and a few words")
    return table.with_seat(free.model_copy(update={"person": person}))


def _with_hero(table: SharedTable, person: str, hero: NewHero) -> SharedTable:
    if len(table.seats) >= MOST_SEATS:
        raise Conflict(f"a table has {MOST_SEATS} seats at most; take one that is free")
    others = [each.actor.name for each in table.seats]
    others += [each.name for each in table.here() if each.id != person]
    name = check_table_name(hero.name, others)
    id = free_id(name, [each.id for each in table.seats])
    actor = Actor(
        id=id,
        name=name,
        concept=visible(hero.concept),
        pronouns=visible(hero.pronouns) or "they/them",
        stats=table.seats[0].actor.stats,
    )
    return table.with_seat(TableSeat(id=id, actor=actor, person=person))


def free_id(name: str, taken: list[str]) -> str:
    """An id for a seat that no other has."""
    stem = slug(name) or "hero"
    id, number = stem, 2
    while id in taken:
        id, number = f"{stem}_{number}", number + 1
    return id

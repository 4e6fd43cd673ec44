"""What each at a table sees of the story: a player what their hero sees, whoever watches or is the
game master all of it."""

from dataclasses import replace

from freeform.engine.campaign.apart import NEWCOMER, TurnSight, apart_in, place_of, unseen_by
from freeform.engine.campaign.spotlight import Actor
from freeform.engine.story.seen import SeenStore, seen_by
from freeform.players.people.model import SharedTable
from freeform.services.house import House


def hero_of(table: SharedTable, person: str) -> Actor | None:
    """Whose eyes someone sees with; None for those who see all. A player without a seat is like a
    hero who has just come."""
    who, seat = table.person(person), table.seat_of(person)
    if who.role != "player":
        return None
    if seat is None:
        return table.seats[0].actor.model_copy(update={"id": NEWCOMER})
    return seat.actor


async def house_of(house: House, campaign: str, person: str = "") -> House:
    """The house as someone sees the story of a table, to read there; without a person, as its owner
    does. It is the house itself where nobody else plays."""
    table = await house.tables.find(campaign)
    actor = hero_of(table, person or table.owner().id) if table else None
    if table is None or actor is None:
        return house
    return replace(house, table=seen_by(actor, table.heroes(), house.table))


async def house_of_a_hero(house: House, campaign: str) -> House:
    """The same with the eyes of one hero, also for those who see all: the owner's, else the first
    at the table. A house that somebody sees with already is left as it is."""
    table = await house.tables.find(campaign)
    if table is None or not table.seats or isinstance(house.table.store, SeenStore):
        return house
    actor = hero_of(table, table.owner().id) or table.seats[0].actor
    return replace(house, table=seen_by(actor, table.heroes(), house.table))


def who_sees(table: SharedTable | None, sight: TurnSight | None) -> frozenset[str] | None:
    """The people who see a turn, by id; None where everyone does."""
    if table is None or sight is None or not sight.seen_by:
        return None
    eyes = {each.id: hero_of(table, each.id) for each in table.here()}
    return frozenset(id for id, hero in eyes.items() if hero is None or hero.id in sight.seen_by)


async def all_saw_all(house: House, campaign: str) -> bool:
    """Whether everyone at a table has seen the whole story, so that it may be told to all."""
    table = await house.tables.find(campaign)
    if table is None:
        return True
    state = await house.table.store.get_state(campaign)
    eyes = [NEWCOMER, *(each.id for each in table.heroes())]
    return apart_in(state) is None and not any(unseen_by(each, state) for each in eyes)


async def elsewhere(house: House, table: SharedTable, person: str) -> list[str]:
    """The characters who are not where someone's hero is, by name."""
    state, own = await house.table.store.get_state(table.campaign), hero_of(table, person)
    if own is None:
        return []
    here = place_of(own.id, state)
    return [each.name for each in table.heroes() if place_of(each.id, state) != here]

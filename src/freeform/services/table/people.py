"""Who is at a table: opened to others, left, sent away, seats and roles, the host's role handed on.

A person holds a token of their table (`invites.py` gives it), kept as a hash. Whoever sits at the
machine that serves the table is its owner and needs none.
"""

from freeform.core.errors import Conflict, Forbidden, NotFound, UserError
from freeform.players.people.model import Role, SharedTable, TablePerson
from freeform.players.people.names import check_table_name
from freeform.players.people.order import without_waiting
from freeform.players.people.ports import not_open
from freeform.players.people.secrets_kept import is_secret, read_code
from freeform.services.house import House
from freeform.services.table.seats import NewHero, first_seats, seated

VANISHED_S = 300
"""A host who was not connected for so long has vanished."""


async def find_table(house: House, campaign: str) -> SharedTable | None:
    """The table, or None where the campaign is played alone."""
    return await house.tables.find(campaign)


async def get_table(house: House, campaign: str) -> SharedTable:
    """The table. NotFound where nobody was ever invited."""
    found = await house.tables.find(campaign)
    if found is None:
        await house.table.store.begun(campaign)  # or its own NotFound
        raise NotFound(not_open(campaign))
    return found


async def open_table(house: House, campaign: str, name: str = "") -> SharedTable:
    """Opens a campaign to others, with its hero and the scenario's heroes as seats. Its owner is
    the host and plays on as before. Opened before, it stays as it is."""
    begun = await house.table.store.begun(campaign)
    state = await house.table.store.get_state(campaign)
    seats = first_seats(begun.scenario, state)
    called = check_table_name(name or "Owner", [each.actor.name for each in seats[1:]])
    owner = TablePerson(id="p1", name=called, role="player", owner=True, joined_at=now(house))
    seats[0] = seats[0].model_copy(update={"person": owner.id})
    table = SharedTable(campaign=campaign, host=owner.id, people=[owner], seats=seats)
    return await house.tables.open(table)


async def holder(house: House, token: str) -> tuple[SharedTable, TablePerson] | None:
    """Who holds a token; None for one that is wrong, or whose person has gone."""
    code = read_code(token)
    if code is None:
        return None
    try:
        table = await house.tables.find(code.campaign)
    except UserError:  # no campaign could be called so
        return None
    if table is None:
        return None
    person = next((each for each in table.here() if each.id == code.id), None)
    if person is None or not any([is_secret(code.secret, kept) for kept in person.tokens]):
        return None
    return table, person


async def leave(house: House, campaign: str, person: str) -> SharedTable:
    """Gets up: the seat is free, the tokens open nothing any more. A host hands on first."""

    def change(table: SharedTable) -> SharedTable:
        leaving = table.person(person)
        if leaving.id == table.host:
            raise Conflict("you are the host; hand that on first, with `table host`")
        return _gone(table, leaving, "left")

    return await house.tables.change(campaign, change)


async def send_away(house: House, campaign: str, by: str, person: str) -> SharedTable:
    """The host sends someone away, with their tokens and ways back."""

    def change(table: SharedTable) -> SharedTable:
        table.check_host(table.person(by))
        meant = table.person(person)
        if meant.owner or meant.id == table.host:
            raise Conflict(f"{meant.name} hosts this table and cannot be sent away")
        return _gone(table, meant, "sent away")

    return await house.tables.change(campaign, change)


async def hand_on(house: House, campaign: str, by: str, to: str) -> SharedTable:
    """Someone else is the host from now on. The owner of the machine may always take it back."""

    def change(table: SharedTable) -> SharedTable:
        table.check_host(table.person(by))
        meant = table.person(to)
        if meant.role == "spectator":
            raise Conflict(f"{meant.name} is watching; the host plays, or is the game master")
        check_person(meant)
        return table.model_copy(update={"host": meant.id})

    return await house.tables.change(campaign, change)


async def take_over(house: House, campaign: str, person: str, host_away_s: float) -> SharedTable:
    """Becomes the host of a table whose host has vanished; who plays may, once that is long ago."""

    def change(table: SharedTable) -> SharedTable:
        taking, host = table.person(person), table.person(table.host)
        if taking.role == "spectator":
            raise Forbidden("you are watching; somebody who plays takes the host's role over")
        if host_away_s < VANISHED_S:
            minutes = VANISHED_S // 60
            raise Conflict(f"{host.name} is the host, and not gone for {minutes} minutes yet")
        return table.model_copy(update={"host": taking.id})

    return await house.tables.change(campaign, change)


async def sit_down(
    house: House, campaign: str, person: str, seat: str = "", hero: NewHero | None = None
) -> SharedTable:
    """Takes a free seat, or one for a hero of one's own; the seat one had is free then."""

    def change(table: SharedTable) -> SharedTable:
        sitting = table.person(person)
        if sitting.role == "spectator":
            raise Forbidden("you are watching; ask the host for a seat to play")
        return seated(without_waiting(table, sitting.id), sitting.id, seat, hero)

    return await house.tables.change(campaign, change)


async def set_role(house: House, campaign: str, by: str, person: str, role: Role) -> SharedTable:
    """The host makes someone a player, a spectator or the game master. Who leads or watches has no
    hero; who leads may take a seat again."""

    def change(table: SharedTable) -> SharedTable:
        table.check_host(table.person(by))
        meant = table.person(person)
        check_person(meant)
        if role == "spectator" and meant.id == table.host:
            raise Conflict("the host plays, or is the game master; hand the host's role on first")
        changed = table.with_person(meant.model_copy(update={"role": role}))
        return changed if role == "player" else without_waiting(changed, meant.id)

    return await house.tables.change(campaign, change)


async def rename_owner(house: House, campaign: str, name: str) -> SharedTable:
    """What the owner is called at this table."""

    def change(table: SharedTable) -> SharedTable:
        owner = table.owner()
        called = check_table_name(name, names_taken(table, but=owner.id))
        return table.with_person(owner.model_copy(update={"name": called}))

    return await house.tables.change(campaign, change)


def _gone(table: SharedTable, person: TablePerson, why: str) -> SharedTable:
    table = without_waiting(table, person.id)
    ways = [each for each in table.invites if each.person != person.id]
    table = table.model_copy(update={"invites": ways})
    gone = {"tokens": [], "account": "", "gone": why}
    return table.with_person(person.model_copy(update=gone))


def check_person(meant: TablePerson) -> None:
    """Conflict for an AI player, who only ever plays."""
    if meant.companion:
        raise Conflict(f"{meant.name} is an AI player, who plays and nothing else")


def names_taken(table: SharedTable, but: str = "") -> list[str]:
    """What nobody else may be called: the people here, and the characters of others."""
    people = [each.name for each in table.here() if each.id != but]
    return [*people, *(each.actor.name for each in table.seats if each.person != but)]


def now(house: House) -> str:
    """The time of day, as it is kept."""
    return house.table.clock.now().isoformat(timespec="seconds")

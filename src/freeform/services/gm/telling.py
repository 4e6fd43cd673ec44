"""A person tells every turn: what players hand in waits for the game master, who writes the telling
or has one proposed, changes it and sends it.

    handed in ─> written ─┬─> tell: the game master's own words, what they state plainly is so
                          └─> propose: the engine's ruling, dice and words, kept aside ─> tell

What is told is a turn of the log like any other. A turn id is told once: after a crash, what stands
in the log is no longer waited for.
"""

from pydantic import Field

from freeform.core.errors import Conflict, UserError
from freeform.core.record import Record
from freeform.engine.campaign.apart import place_of
from freeform.engine.campaign.spotlight import Actor
from freeform.engine.hand.draft import TurnDraft, draft_turn, drafted_deed, keep_draft
from freeform.engine.hand.pen import PenWish, write_turn
from freeform.engine.log import Logged, LogPosition, Resolved
from freeform.engine.rules.fight.foes import order_in
from freeform.engine.turn import Say
from freeform.engine.typed import TurnPart
from freeform.engine.world.rolled import Roll
from freeform.engine.world.state import PLAYER, GameState
from freeform.players.people import order
from freeform.players.people.model import SharedTable, Submission, TableSeat
from freeform.services.house import House
from freeform.services.play import hear
from freeform.services.table import acting
from freeform.services.table.people import get_table
from freeform.services.views.story import changes

LATELY = 12
"""Turns of the log that are looked through for what was told."""
MOST_KEYS = 50
"""Keys that are kept at a table, with what was told under them."""


class WrittenRow(Record):
    """What a player's character is to do, and the game master has not told yet."""

    turn_id: str
    character: str
    text: str
    place: str
    """Where that character is."""


class TellWish(Record):
    """What a game master tells. `turns` are those handed in that it answers (all, of one place,
    without); `nothing` of them where `passage` is set. `proposed` keeps what the engine ruled."""

    text: str = ""
    turns: list[str] = Field(default_factory=list)
    proposed: bool = False
    passage: bool = False
    seat: str = ""
    """Where nobody has written: in whose scene it is told."""
    turn_id: str = ""
    proposal: str = ""
    """Which proposal is meant; the last one of whoever asks without."""


class ProposeWish(Record):
    """What is to be proposed: for what was handed in (those turns, or all of one place), or for
    words of the game master's own that someone's character does."""

    turns: list[str] = Field(default_factory=list)
    text: str = ""
    seat: str = ""


class TurnProposed(Record):
    """What the engine would rule, roll and say."""

    id: str
    """Sent along when it is told, so that nobody tells one that they have not read."""
    text: str
    turns: list[str]
    """What was handed in that it answers."""
    rolls: list[Roll]
    changed: list[str]
    blocked: list[str]


async def set_by_hand(house: House, campaign: str, by: str, on: bool) -> SharedTable:
    """Whether the game master tells every turn. Conflict where nobody leads the table."""
    await forget_told(house, await get_table(house, campaign))  # the engine plays none of it again

    def change(table: SharedTable) -> SharedTable:
        acting.check_leads(table, table.person(by))
        if on and not any(each.role == "gm" for each in table.here()):
            raise Conflict(
                "nobody leads this table; make somebody the game master first, "
                "with `table role` or Lead the game"
            )
        return order.begun(table.model_copy(update={"by_hand": on, "draft": None}))

    return await house.tables.change(campaign, change)


async def list_written(house: House, campaign: str, by: str) -> list[WrittenRow]:
    """What waits for the game master, by seat."""
    table = await get_table(house, campaign)
    table.check_tells(table.person(by))
    table = await forget_told(house, table)
    state = await house.table.store.get_state(campaign)
    rows: list[WrittenRow] = []
    for each in order.written(table):
        place = state.name(place_of(each.seat, state))
        name = table.seat(each.seat).actor.name
        rows.append(WrittenRow(turn_id=each.turn_id, character=name, text=each.text, place=place))
    return rows


async def propose(house: House, campaign: str, by: str, wish: ProposeWish) -> TurnProposed:
    """Has the engine play a turn that is written nowhere: its ruling, dice, people's answers and
    words, for the game master to change and to tell."""
    table = await get_table(house, campaign)
    table.check_tells(table.person(by))
    table = await forget_told(house, table)
    state = await house.table.store.get_state(campaign)
    chosen = [] if wish.text.strip() else _chosen(table, wish.turns, state)
    if chosen:
        say = acting.say_for(table, chosen)
    else:
        seat = _seat_meant(table, wish.seat, state)
        turn_id = house.table.ids.new("turn")
        said = hear(wish.text)
        say = Say(campaign=campaign, text=said, turn_id=turn_id, actor=seat.actor)
    played = await draft_turn(say.model_copy(update={"heroes": table.heroes()}), house.table)
    ids = [each.turn_id for each in chosen]
    called = house.table.ids.new("draft")
    draft = played.model_copy(update={"id": called, "turns": ids, "by": table.person(by).id})
    await house.tables.change(campaign, lambda now: now.model_copy(update={"draft": draft}))
    facts = draft.facts
    found = changes(facts.engine_events, [facts.state_diff, draft.words.state_diff], state)
    return TurnProposed(
        id=called,
        text=draft.words.final_text,
        turns=ids,
        rolls=facts.rolls,
        changed=[row.text for row in found],
        blocked=[each.reason for each in facts.validator.blocked_actions],
    )


async def tell(house: House, campaign: str, by: str, wish: TellWish) -> LogPosition:
    """Tells a turn in a person's words. What was handed in is told once: sent again, nothing is
    written."""
    table = await get_table(house, campaign)
    table.check_tells(table.person(by))
    told = await _told_before(house, table, wish)
    if told:
        return told
    table = await forget_told(house, table)
    state = await house.table.store.get_state(campaign)
    if wish.proposed:
        draft = _draft_meant(table, by, wish)
        ids = draft.turns
        await _keep_key(house, campaign, wish.turn_id, _ids_of(draft.facts))
        place = await keep_draft(campaign, draft, wish.text, house.table)
    else:
        under = table.told_under.get(wish.turn_id, [])  # sent again, it answers what it did
        chosen = [] if wish.passage else _chosen(table, wish.turns or under, state)
        ids = [each.turn_id for each in chosen]
        await _keep_key(house, campaign, wish.turn_id, ids)
        place = await _write(house, table, chosen, wish, state)
    await _is_told(house, campaign, ids)
    return place


async def pen_wish(house: House, campaign: str) -> PenWish:
    """Where a passage is told at a table of several: in the scene that is in the light."""
    table = await house.tables.find(campaign)
    if table is None:
        return PenWish()
    state = await house.table.store.get_state(campaign)
    return PenWish(heroes=table.heroes(), actor=_lit(table, state))


def _draft_meant(table: SharedTable, by: str, wish: TellWish) -> TurnDraft:
    """The proposal that is to be told. Conflict where it is another one by now: of another page,
    for other turns, for somebody else, or for what was told or taken back since."""
    draft = drafted_deed(table.draft)
    is_meant = set(wish.turns) == set(draft.turns)
    if not wish.turns:
        is_meant = draft.by == table.person(by).id
    if not is_meant or (wish.proposal and wish.proposal != draft.id):
        raise Conflict("something else was proposed since; ask for your proposal again")
    if not set(draft.turns) <= {each.turn_id for each in order.written(table)}:
        raise Conflict("what that answers was told or taken back since; ask for it again")
    return draft


async def _keep_key(house: House, campaign: str, key: str, ids: list[str]) -> None:
    """Notes what is told under a key before it is: sent again after a crash, it is known."""

    def change(now: SharedTable) -> SharedTable:
        rows = [row for row in now.told_under.items() if row[0] != key]
        return now.model_copy(update={"told_under": dict([*rows, (key, ids)][-MOST_KEYS:])})

    if key and ids:
        await house.tables.change(campaign, change)


async def _write(
    house: House, table: SharedTable, chosen: list[Submission], wish: TellWish, state: GameState
) -> LogPosition:
    deeds = [
        TurnPart(actor=table.seat(each.seat).actor, text=each.text, turn_id=each.turn_id)
        for each in chosen
    ]
    actor = _seat_meant(table, wish.seat, state).actor if wish.seat else _lit(table, state)
    turn_id = deeds[0].turn_id if deeds else wish.turn_id
    pen = PenWish(heroes=table.heroes(), actor=actor, deeds=deeds, turn_id=turn_id)
    return await write_turn(table.campaign, wish.text, house.table, pen)


async def _is_told(house: House, campaign: str, ids: list[str]) -> None:
    """What was answered is waited for no longer; in a fight the next in the order acts."""
    before = await get_table(house, campaign)
    await house.tables.change(campaign, lambda now: now.model_copy(update={"draft": None}))
    if not ids:
        await acting.follow_order(house, campaign)
        return
    after = order.played(before, ids)
    found = order_in(await house.table.store.get_state(campaign))
    if before.mode == "initiative" and found and found.next == before.next:
        await acting.write_next(house, before, after.next)
    await acting.mark_played(house, campaign, ids)


async def forget_told(house: House, table: SharedTable) -> SharedTable:
    """The table without what stands in the log: it was told before a crash."""
    if not table.waiting:
        return table
    logged = await house.table.store.tail(table.campaign, LATELY)
    known = {id for each in _facts(logged) for id in _ids_of(each)}
    ids = [each.turn_id for each in table.waiting if each.turn_id in known]
    return await acting.mark_played(house, table.campaign, ids) if ids else table


async def _told_before(house: House, table: SharedTable, wish: TellWish) -> LogPosition | None:
    """Where the story stands, if all that is to be told was; None if there is something new."""
    under = set(table.told_under.get(wish.turn_id, ()))
    wanted = set(wish.turns) or under or ({wish.turn_id} if wish.passage else set())
    if not wanted - {""}:
        return None
    logged = await house.table.store.tail(table.campaign, LATELY)
    known = {id for each in _facts(logged) for id in _ids_of(each)}
    known |= under & set(table.played)  # by the same key, however long ago
    return await house.table.store.head(table.campaign) if wanted <= known else None


def _facts(logged: list[Logged]) -> list[Resolved]:
    return [row.entry for row in logged if isinstance(row.entry, Resolved)]


def _ids_of(facts: Resolved) -> list[str]:
    return [part.turn_id for part in facts.parts] or [facts.turn_id]


def _chosen(table: SharedTable, turns: list[str], state: GameState) -> list[Submission]:
    """What is answered at once: those turns, or all that was written where the first of them is."""
    waiting = order.written(table)
    if turns:
        found = [each for each in waiting if each.turn_id in turns]
        missing = set(turns) - {each.turn_id for each in found}
        if missing:
            raise Conflict("that was told or taken back since; look again at what waits")
    else:
        here = place_of(waiting[0].seat, state) if waiting else ""
        found = [each for each in waiting if place_of(each.seat, state) == here]
    if not found:
        raise UserError("nobody has written anything yet; tell a passage of your own, or wait")
    if len({place_of(each.seat, state) for each in found}) > 1:
        raise UserError("they are in different places; tell one place at a time")
    return found


def _seat_meant(table: SharedTable, seat: str, state: GameState) -> TableSeat:
    """The seat that is named, else the one in the light."""
    if seat:
        return table.seat(seat)
    actor = _lit(table, state)
    taken = [each for each in table.seats if actor and each.id == actor.id]
    return next(iter([*taken, *table.taken_seats(), *table.seats]))


def _lit(table: SharedTable, state: GameState) -> Actor | None:
    """Whose character stands in the light."""
    name = state.name(PLAYER)
    return next((seat.actor for seat in table.seats if seat.actor.name == name), None)

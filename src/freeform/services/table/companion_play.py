"""AI players at people's tables at work: they take in what happened, choose a deed when it is their
turn, and speak beside the story. What they do is handed in like everyone's; nothing is done twice.
"""

import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from freeform.core.chance import Chance
from freeform.core.errors import Conflict, FreeformError
from freeform.core.llm.gateway import Call, Pass, PassInput
from freeform.core.log import kind_of, place_of, tell
from freeform.core.record import Reply
from freeform.engine.campaign.sessions import history
from freeform.engine.log import Narrated, Resolved
from freeform.engine.ports import StateStore
from freeform.engine.rehearsal import SuggestionTrial
from freeform.engine.rules.aftermath import is_over
from freeform.engine.turn_result import result_of
from freeform.players.companion import asking
from freeform.players.companion.asking import CompanionMind
from freeform.players.companion.scene import PlayedTurn, TableScene, heard_talk
from freeform.players.companion.spoken_to import Unanswered, called, unanswered, without_name
from freeform.players.companion.whose import AiSeat, next_to_act
from freeform.players.memory.learning import learn
from freeform.players.model import Option, Seat, Stance
from freeform.players.passes import ACT, DIRECTIVE, TALK, HeardFact, TalkReply
from freeform.players.people import order
from freeform.players.people.model import ChatLine, SharedTable, TablePerson
from freeform.players.ports import AgentJob
from freeform.players.words.stances import read_stance
from freeform.services.house import House
from freeform.services.table.acting import pass_by
from freeform.services.table.sight import house_of

_LOG = logging.getLogger("freeform.table")
TURNS, RECENT, TALK_HEARD = 40, 40, 60
NOTABLE = frozenset({"outcome", "thread_changed", "ending", "died", "fact_learned", "item_gained"})
"""What has to have happened before an AI player says a word on it unasked."""
REMARKS = 0.5
"""How often the most talkative does."""
Out = TypeVar("Out", bound=Reply)
Away = Callable[[SharedTable], Collection[str]]
"""Who has been away for a while, at this moment."""
BetweenTurns = Callable[[Callable[[], Awaitable[Any]]], Awaitable[None]]
"""Does something that writes in the log while no turn is on its way."""


def nobody(table: SharedTable) -> Collection[str]:
    """All are here."""
    return ()


@dataclass(frozen=True)
class _Present:
    """A table with AI players at it, as it stands."""

    house: House
    scene: TableScene
    lines: list[ChatLine]
    store: StateStore
    """The story as the AI player's hero has seen it."""

    @property
    def table(self) -> SharedTable:
        """Who sits there."""
        return self.scene.table

    def heard(self, person: str) -> list[HeardFact]:
        """What that person heard beside the story."""
        return heard_talk(self.lines, self._names(), person)

    def heard_by(self, person: str, hearers: list[str]) -> list[HeardFact]:
        """What someone may speak of to these: what all have heard, and whispers with them."""
        with_them = {person, *hearers}
        open_ = [line for line in self.lines if {line.by, *line.to} <= with_them or not line.to]
        return heard_talk(open_, self._names(), person)

    def _names(self) -> dict[str, str]:
        return {each.id: each.name for each in self.table.people}


async def at_once(work: Callable[[], Awaitable[Any]]) -> None:
    """Does something now, where no turn can be on its way."""
    await work()


async def hand_in_next(
    house: House, campaign: str, away: Away = nobody, between: BetweenTurns = at_once
) -> bool:
    """Lets the AI player whose turn it is choose and hand in; False when it is nobody's. A turn
    that goes by is noted `between` turns."""
    table = await house.tables.find(campaign)
    acting = next_to_act(table, away(table)) if table else None
    if table is None or acting is None:
        return False
    deed = await _chosen(house, table, acting)
    turn_id = house.table.ids.new("turn")

    def change(now: SharedTable) -> SharedTable:
        due = next_to_act(now, away(now))
        if due is None or due.seat.id != acting.seat.id:
            raise Conflict("the table has moved on")
        if not deed:
            return order.passed(now, due.seat)
        return order.begun(order.chosen_by_ai(_done_meaning(now, due), due.seat, deed, turn_id))

    with suppress(Conflict):  # somebody was faster; whoever asks again sees the table as it is
        if deed:
            await house.tables.change(campaign, change)
        else:
            await between(lambda: pass_by(house, campaign, change))
    return True


async def _chosen(house: House, table: SharedTable, acting: AiSeat) -> str:
    """What it does; '' where it lets its turn go by, as it does where that fails: all wait."""
    try:
        present = await _look(house, table, acting.person)
        return "" if is_over(present.scene.state) else await _deed(present, acting)
    except FreeformError as wrong:
        where = {"campaign": table.campaign, "kind": kind_of(wrong), "where": place_of(wrong)}
        tell(_LOG, logging.WARNING, "companion_passed", **where)
        return ""


async def speak(house: House, campaign: str, turn_id: str = "") -> list[ChatLine]:
    """What AI players say now: answers to those who spoke to them; else, if something has just
    happened in that turn, a word on it."""
    table = await house.tables.find(campaign)
    if table is None or not table.companions():
        return []
    lines = await house.tables.talk(campaign, most=TALK_HEARD)
    waiting = unanswered(table, lines)
    remark = _who_remarks(table, lines, turn_id) if turn_id and not waiting else None
    said = [await _answer_once(await _look(house, table, each.person), each) for each in waiting]
    if remark and not await _is_for_some(house, campaign, turn_id):
        present = await _look(house, table, remark.id)
        said.append(await _remark(present, remark, turn_id))
    return [line for line in said if line]


async def _is_for_some(house: House, campaign: str, turn_id: str) -> bool:
    """Whether not everyone saw a turn: what is said of it aloud would tell the others."""
    logged = [each.entry for each in await house.table.store.find_turn(campaign, turn_id)]
    sights = [each.sight for each in logged if isinstance(each, Resolved)]
    return any(sight and sight.seen_by for sight in sights)


def _who_remarks(table: SharedTable, lines: list[ChatLine], turn_id: str) -> TablePerson | None:
    """Who has a word to say on a turn of somebody else's, if anyone; the talkative more often."""
    if any(line.re == _remark_on(turn_id) for line in lines):
        return None
    for each in table.companions():
        chance = Chance(table.campaign, "remark", turn_id, each.id)
        talkative = each.companion.persona.traits.talkative if each.companion else 0.0
        if each.id != table.last_person and chance.fraction() < REMARKS * talkative:
            return each
    return None


def _remark_on(turn_id: str) -> str:
    return f"turn:{turn_id}"


async def _look(house: House, table: SharedTable, person: str) -> _Present:
    """The table as it stands, as that person's hero sees it, with what happened taken in."""
    store = (await house_of(house, table.campaign, person)).table.store
    whole = await _scene(house, table, house.table.store)
    await _take_in(house, whole)
    scene = whole if store is house.table.store else await _scene(house, table, store)
    lines = await house.tables.talk(table.campaign, most=TALK_HEARD)
    return _Present(house, scene, lines, store)


async def _scene(house: House, table: SharedTable, store: StateStore) -> TableScene:
    campaign = table.campaign
    begun, state = await store.begun(campaign), await store.get_state(campaign)
    head = await store.head(campaign)
    logged = [each.entry for each in await store.tail(campaign, TURNS)]
    told = {each.turn_id: each for each in logged if isinstance(each, Narrated)}
    turns = [
        PlayedTurn(
            result_of(campaign, head.branch, each, told[each.turn_id]),
            state.name(str(each.context_packet.scene.get("location_id", ""))),
            each.parts,
        )
        for each in logged
        if isinstance(each, Resolved) and each.turn_id in told
    ]
    return TableScene(
        table=table,
        state=state,
        rules=house.table.rules(begun, state),
        recent=await store.recent(campaign, RECENT),
        turns=turns,
        session=max(1, len(history(state))),
    )


async def _take_in(house: House, scene: TableScene) -> None:
    """What happened since becomes memory; taken in twice it changes nothing."""
    last = scene.turns[-1].result.turn_id if scene.turns else ""
    if last == scene.table.learnt:
        return
    minds = (await house.parlour()).companion_minds(scene.table.campaign)
    agents = [each.id for each in scene.table.companions()]
    await learn(scene.facts(scene.table.learnt), minds.store, agents)
    await house.tables.change(
        scene.table.campaign, lambda table: table.model_copy(update={"learnt": last})
    )


async def _mind(present: _Present, seat: Seat, means: str, about: str = "") -> CompanionMind:
    scene, house = present.scene, present.house
    view, party = scene.view(), scene.party()
    minds = (await house.parlour()).companion_minds(party.campaign)
    about = f"{about} {asking.what_matters(view)}".strip()
    came = await minds.recall(party, seat, about, view, scene.session)
    kept = []
    for memory in came.memories:  # what was taken back did not happen
        turn_id = memory.fact_id.rpartition(".")[0]
        if not turn_id or await present.store.find_turn(party.campaign, turn_id):
            kept.append(memory)
    came = type(came)(kept, came.slipped, came.wrong_sights, came.undone)
    return asking.mind_at_table(scene, seat, view, came, means)


async def _deed(present: _Present, acting: AiSeat) -> str:
    """What the AI player's character attempts, in words; '' where it lets others act."""
    seat = _seat_of(present, acting)
    who = present.table.person(acting.person)
    mind = await _mind(present, seat, who.companion.means if who.companion else "")
    # Who stands in is not whom others whispered to.
    whispers = not acting.stands_in
    talk = present.heard(acting.person) if whispers else present.heard_by(acting.person, [])
    chosen = await _ask(present, seat, DIRECTIVE, asking.deed_question(mind, talk))
    directive = asking.directive_meant(chosen, mind) if chosen else ""
    if not directive:
        return ""
    said = await _ask(present, seat, ACT, asking.act_question(mind, directive))
    limits = present.scene.rules.limits(present.scene.state)
    return asking.deed_meant(said, mind, limits) if said else ""


async def _answer(present: _Present, to: Unanswered) -> ChatLine | None:
    """What an AI player says to whoever spoke to them, and what they promise by it."""
    who = present.table.person(to.person)
    seat = _companion_seat(present, who)
    if seat is None or who.companion is None:
        return None
    speaker = present.table.person(to.line.by)
    text = without_name(to.line.text, called(who, present.table))
    mind = await _mind(present, seat, who.companion.meaning_known_to(to.to), about=text)
    wanted = None if text.endswith("?") else _request(present, text, mind)
    heard = HeardFact(who=speaker.name, said=text)
    question = asking.talk_question(mind, present.heard_by(who.id, to.to), heard, wanted)
    reply = await _ask(present, seat, TALK, question)
    answer = ChatLine(by=who.id, to=to.to, text=_line(present, mind, reply), at="", re=to.re)
    line = await _say(present, answer)
    if line and wanted:
        await _promise(present, who, wanted, line)
    return line


async def _answer_once(present: _Present, to: Unanswered) -> ChatLine | None:
    """The same; a line that gets no answer is let be, and not thought about again."""
    line = await _answer(present, to)
    if line is None:
        await _change_companion(present, to.person, {"since": to.line.no})
    return line


def _request(present: _Present, text: str, mind: CompanionMind) -> Option | None:
    """What a person asks an AI player to do: one of what it could think of, or in their words."""
    known = asking.request_in(text, mind)
    if known:
        return known
    scene = present.scene
    trial = SuggestionTrial(present.house.table.ear, scene.state, scene.rules, scene.recent)
    heard = trial.heard(text)
    return asking.deed_heard(text, heard, scene.state) if heard else None


async def _remark(present: _Present, who: TablePerson, turn_id: str) -> ChatLine | None:
    """A word on what has just happened, where it was worth one."""
    seat = _companion_seat(present, who)
    last = present.scene.turns[-1].result if present.scene.turns else None
    if seat is None or last is None or last.turn_id != turn_id:
        return None
    if not any(event.type in NOTABLE for event in last.engine_events):
        return None
    means = who.companion.meaning_known_to([]) if who.companion else ""
    mind = await _mind(present, seat, means)
    question = asking.reaction_question(mind, present.heard_by(who.id, []), last.final_text)
    reply = await _ask(present, seat, TALK, question)
    line = ChatLine(by=who.id, text=_line(present, mind, reply), at="", re=_remark_on(turn_id))
    return await _say(present, line)


async def _say(present: _Present, line: ChatLine) -> ChatLine | None:
    """Says it, unless there is nothing to say or it was said before in the same words."""
    before = {each.text for each in present.lines if each.by == line.by}
    if not line.text or line.text in before:
        return None
    at = present.house.table.clock.now().isoformat(timespec="milliseconds")
    return await present.house.tables.say(
        present.table.campaign, line.model_copy(update={"at": at})
    )


async def _promise(present: _Present, who: TablePerson, wanted: Option, said: ChatLine) -> None:
    """Whoever agreed to do something does it next."""
    agrees = read_stance(said.text, wanted.text).stance is Stance.AGREE
    meant = {"means": wanted.text, "means_to": said.to} if agrees else {"means": "", "means_to": []}
    await _change_companion(present, who.id, meant)


async def _change_companion(present: _Present, person: str, what: dict[str, Any]) -> None:
    def change(table: SharedTable) -> SharedTable:
        now = table.person(person)
        if now.companion is None:
            return table
        kept = now.companion.model_copy(update=what)
        return table.with_person(now.model_copy(update={"companion": kept}))

    await present.house.tables.change(present.table.campaign, change)


def _done_meaning(table: SharedTable, acting: AiSeat) -> SharedTable:
    """The table once an AI player has chosen: what they meant to do is in it."""
    who = table.person(acting.person)
    if who.companion is None or not who.companion.means:
        return table
    kept = who.companion.model_copy(update={"means": "", "means_to": []})
    return table.with_person(who.model_copy(update={"companion": kept}))


async def _ask(
    present: _Present, seat: Seat, pass_: Pass[Any, Out], input: PassInput
) -> Out | None:
    """One question to an AI player; None where its model failed for good."""
    scene, campaign = present.scene, present.table.campaign
    number = f"{scene.state.turn_no}/{len(present.lines)}"
    seed = f"{scene.rules.begun.seed}/company/{number}/{pass_.id}/{seat.agent}"
    call = Call(campaign=campaign, turn_id=f"{campaign}.company.{number}", turn_no=0, seed=seed)
    crew = (await present.house.parlour()).crew
    try:
        done = (await crew.ask_all([AgentJob(pass_.id, input, call)]))[0]
    except FreeformError:  # the budget is spent, or the workers are gone: it lets its turn go by
        return None
    return pass_.gives.model_validate(done.output) if done.output is not None else None


def _line(present: _Present, mind: CompanionMind, reply: TalkReply | None) -> str:
    limits = present.scene.rules.limits(present.scene.state)
    return asking.line_meant(reply, mind, limits) if reply else ""


def _seat_of(present: _Present, acting: AiSeat) -> Seat:
    """The seat as the AI player has it: who stands in plays another's hero."""
    found = present.scene.party().seat(acting.person)
    if not acting.stands_in:
        return found
    own = acting.persona.model_copy(update={"id": found.agent})
    known = acting.persona.character.model_copy(
        update=found.character.model_dump(exclude={"lines", "manner", "bold"})
    )
    return found.model_copy(update={"persona": own, "character": known, "person": False})


def _companion_seat(present: _Present, who: TablePerson) -> Seat | None:
    seated = [each.agent for each in present.scene.party().seats]
    return present.scene.party().seat(who.id) if who.id in seated else None

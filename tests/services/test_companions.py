"""AI players at a table of people: when they act, what they may know, whom they answer."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, Forbidden, NotFound, Unavailable
from freeform.engine.log import Changed
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import Fact
from freeform.players.ports import AgentJob, AgentRunner, JobDone
from freeform.services.campaigns import begin_campaign
from freeform.services.house import House, opened_house
from freeform.services.play import take_turn, undo
from freeform.services.table import acting, companion_play, companions, invites, people, talk
from freeform.services.table.invites import InviteWish, JoinWish
from freeform.services.table.seats import NewHero
from freeform.settings import Settings


@dataclass
class Overheard:
    """The crew itself, with an ear at the door: what AI players are asked."""

    crew: AgentRunner
    scripted: bool = True
    asked: list[str] = field(default_factory=list)
    under: list[str] = field(default_factory=list)
    is_away: bool = False

    async def ask_all(self, jobs: Sequence[AgentJob]) -> list[JobDone]:
        self.asked += [job.document() for job in jobs]
        self.under += [job.call.turn_id for job in jobs]
        if self.is_away:
            raise Unavailable("the workers are gone")
        return await self.crew.ask_all(jobs)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Anna's table `a`, with Bea, an AI player."""
    settings = Settings(home=tmp_path, model="offline")
    async with opened_house(settings, model=False) as made:
        made.table = replace(made.table, clock=HandClock())
        await begin_campaign(made, "dead_drop", campaign="a", seed=7)
        await people.open_table(made, "a", "Anna")
        await companions.add_companion(made, "a", "p1", "bea")
        yield made


async def join(house: House, name: str, hero: str) -> str:
    code = await invites.invite(house, "a", "p1", InviteWish())
    wish = JoinWish(code=code.written(), name=name, hero=NewHero(name=hero))
    return (await invites.join(house, wish)).person


async def play_on(house: House, away: Sequence[str] = ()) -> list[str]:
    """Plays what is due until nothing is; who acted."""
    told: list[str] = []
    while True:
        say = await acting.next_say(house, "a")
        if say is not None:
            told.append((await take_turn(house, say)).actor)
            await acting.mark_played(house, "a", acting.turn_ids(say))
        elif not await companion_play.hand_in_next(house, "a", lambda table: away):
            return told
        assert len(told) < 9, told


async def test_in_free_play_a_companion_acts_as_often_as_each_person_and_never_in_a_loop(
    house: House,
) -> None:
    assert await play_on(house) == []
    await acting.hand_in(house, "a", "p1", "I look around")
    assert await play_on(house) == ["Wren Calder", "Sister Halloran"]
    ben = await join(house, "Ben", "Sparrow")
    await acting.hand_in(house, "a", "p1", "I wait")
    assert await play_on(house) == ["Wren Calder"]
    await acting.hand_in(house, "a", ben, "I wait")
    assert await play_on(house) == ["Sparrow", "Sister Halloran"]


async def test_in_rounds_together_and_when_called_a_companion_comes_in_its_turn(
    house: House,
) -> None:
    ben = await join(house, "Ben", "Sparrow")
    await acting.set_turn_mode(house, "a", "p1", "rounds")
    await acting.hand_in(house, "a", ben, "I wait")
    assert await play_on(house) == ["Sparrow"]
    await acting.hand_in(house, "a", "p1", "I wait")
    assert await play_on(house) == ["Wren Calder", "Sister Halloran"]
    assert (await people.get_table(house, "a")).round == 2

    await acting.set_turn_mode(house, "a", "p1", "together")
    handed = await acting.hand_in(house, "a", "p1", "I wait")
    assert handed.waits_for == ["Sister Halloran", "Sparrow"]
    assert await play_on(house) == []
    handed = await acting.hand_in(house, "a", ben, "I look around")
    assert handed.waits_for == []

    await play_on(house)
    await acting.set_turn_mode(house, "a", "p1", "called")
    assert await play_on(house) == []
    await acting.call_on(house, "a", "p1", "Sister Halloran")
    assert await play_on(house) == ["Sister Halloran"]
    assert await play_on(house) == []


async def test_whoever_is_spoken_to_answers_once_and_does_what_it_agreed_to(house: House) -> None:
    await join(house, "Ben", "Sparrow")
    await talk.say_beside(house, "a", "p1", "Nice evening, Ben", [])
    assert await companion_play.speak(house, "a") == []
    await talk.say_beside(house, "a", "p1", "Bea, ask Dutch about Jin", [])
    said = await companion_play.speak(house, "a")
    assert [(line.by, line.to) for line in said] == [("p2", [])] and said[0].text
    assert await companion_play.speak(house, "a") == []
    assert (await people.get_table(house, "a")).person("Bea").companion.means  # type: ignore[union-attr]
    await acting.call_on(house, "a", "p1", "Sister Halloran")
    assert await companion_play.hand_in_next(house, "a")
    assert (await people.get_table(house, "a")).waiting[0].text == "I ask Dutch about Jin."
    await talk.say_beside(house, "a", "p1", "what do you make of this?", ["Bea"])
    (whispered,) = await companion_play.speak(house, "a")
    assert whispered.to == ["p1"]


async def test_a_companion_is_asked_nothing_that_its_seat_may_not_know(house: House) -> None:
    ben = await join(house, "Ben", "Sparrow")
    room, store = await house.parlour(), house.table.store
    room.crew = ear = Overheard(room.crew)
    secret = Fact(
        id="f_hidden",
        subject_id="player",
        predicate="is",
        object={"value": "zqhiddenzq", "text": "It is zqhiddenzq."},
        visibility="hidden",
    )
    change = Changed(why="planted", state_diff=StateDiff(facts_add=[secret]))
    await store.append("a", [change], after=await store.head("a"))
    await talk.say_beside(house, "a", "p1", "zqwhisperzq", [ben])
    await talk.say_beside(house, "a", ben, "zqforbeazq", ["Bea"])
    await companion_play.speak(house, "a")
    await talk.say_beside(house, "a", "p1", "Bea, hello?", [])
    await companion_play.speak(house, "a")
    openly = ear.asked[-1]
    await acting.set_turn_mode(house, "a", "p1", "together")
    await acting.hand_in(house, "a", "p1", "I do zqdraftzq")
    assert await companion_play.hand_in_next(house, "a")
    await companions.allow_stand_in(house, "a", ben, "cato")
    before = len(ear.asked)
    assert await companion_play.hand_in_next(house, "a", lambda table: [ben])
    assert (
        len(ear.asked) > before >= 4 and "zqforbeazq" in ear.asked[0] and "zqforbeazq" not in openly
    )
    all_asked = "".join(ear.asked)
    for kept in ("zqhiddenzq", "zqwhisperzq", "zqdraftzq"):
        assert kept not in all_asked


async def test_what_was_agreed_in_a_whisper_is_told_to_nobody_else(house: House) -> None:
    await join(house, "Ben", "Sparrow")
    room = await house.parlour()
    room.crew = ear = Overheard(room.crew)
    meant = []
    for text, to in (
        ("ask Dutch about Jin", ["Bea"]),
        ("Bea, are you well?", []),
        ("are you sure?", ["Bea"]),
    ):
        await talk.say_beside(house, "a", "p1", text, to)
        await companion_play.speak(house, "a")
        meant.append(json.loads(ear.asked[-1])["input"]["mine"])
    assert meant == ["", "", "Ask Dutch about Jin"]
    assert len(set(ear.under)) == len(ear.under) == 3, "each has a budget of its own"


async def test_a_line_without_an_answer_is_thought_about_once(house: House) -> None:
    room = await house.parlour()
    room.crew = ear = Overheard(room.crew, is_away=True)
    await talk.say_beside(house, "a", "p1", "Bea, hello?", [])
    for _ in range(2):
        assert await companion_play.speak(house, "a") == []
    assert len(ear.asked) == 1
    ear.is_away = False
    await talk.say_beside(house, "a", "p1", "Bea, are you there?", [])
    assert [line.by for line in await companion_play.speak(house, "a")] == ["p2"]


async def test_who_comes_back_while_a_stand_in_thinks_is_not_played(house: House) -> None:
    ben = await join(house, "Ben", "Sparrow")
    await companions.allow_stand_in(house, "a", ben, "cato")
    await acting.call_on(house, "a", "p1", "Sparrow")
    looks = iter([[ben], list[str]()])
    assert await companion_play.hand_in_next(house, "a", lambda table: next(looks))
    assert not (await people.get_table(house, "a")).waiting


async def test_a_companion_with_a_broken_memory_holds_nobody_up(house: House) -> None:
    await acting.set_turn_mode(house, "a", "p1", "rounds")
    (house.settings.home / "campaigns" / "a" / "companions.db").write_bytes(b"zq" * 999)
    await acting.hand_in(house, "a", "p1", "I wait")
    assert await play_on(house) == ["Wren Calder"]
    assert (await people.get_table(house, "a")).round == 2


async def test_what_was_taken_back_is_not_remembered(house: House) -> None:
    room = await house.parlour()
    room.crew = ear = Overheard(room.crew)
    await acting.hand_in(house, "a", "p1", "I ask Dutch about Jin", turn_id="t1")
    await play_on(house)
    await talk.say_beside(house, "a", "p1", "Bea, what did Dutch say of Jin?", [])
    (said,) = await companion_play.speak(house, "a")
    assert "t1." in ear.asked[-1] and "Jin" in said.text
    await undo(house, "a", 2)
    await talk.say_beside(house, "a", "p1", "Bea, and what did Dutch say of Jin?", [])
    await companion_play.speak(house, "a")
    assert "t1." not in ear.asked[-1]


async def test_an_absent_hero_is_played_only_where_its_player_allows_it(house: House) -> None:
    ben = await join(house, "Ben", "Sparrow")
    await acting.set_turn_mode(house, "a", "p1", "rounds")
    await acting.hand_in(house, "a", "p1", "I wait")
    assert await play_on(house, away=[ben]) == ["Wren Calder"]
    await companions.allow_stand_in(house, "a", ben, "cato")
    assert await play_on(house) == []
    assert await play_on(house, away=[ben]) == ["Sister Halloran", "Sparrow"]
    with pytest.raises(NotFound, match="there are: alex"):
        await companions.allow_stand_in(house, "a", ben, "nobody")


async def test_companions_come_and_go_in_play_and_only_play(house: House, tmp_path: Path) -> None:
    ben = await join(house, "Ben", "Sparrow")
    with pytest.raises(Forbidden, match="only the host"):
        await companions.add_companion(house, "a", ben, "cato")
    with pytest.raises(Conflict, match="'Bea' is here already"):
        await companions.add_companion(house, "a", "p1", "bea")
    with pytest.raises(Conflict, match="AI player"):
        await people.hand_on(house, "a", "p1", "Bea")
    card = tmp_path / "seraphina.json"
    card.write_text(
        '{"spec": "chara_card_v2", "data": {"name": "Seraphina", "description": '
        '"A healer of the glade. She is patient.", "personality": "kind, dry"}}'
    )
    table = await companions.add_companion(house, "a", "p1", str(card))
    assert table.seat_of(table.person("Seraphina").id).actor.concept == "A healer of the glade."  # type: ignore[union-attr]
    await acting.call_on(house, "a", "p1", "Seraphina")
    assert await play_on(house) == ["Seraphina"]
    table = await companions.remove_companion(house, "a", "p1", "Seraphina")
    assert not table.seat("seraphina").person
    assert [each.name for each in table.companions()] == ["Bea"]

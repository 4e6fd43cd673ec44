"""A human game master's hand: what is laid down holds, is logged with its reason, and is undone."""

from pathlib import Path
from typing import Any

import pytest

from freeform.core.errors import NotFound, UserError
from freeform.engine.campaign import timeline
from freeform.engine.campaign.why import why
from freeform.engine.hand.correct import correct
from freeform.engine.hand.direct import Style, note, pin_fact, set_style, whisper
from freeform.engine.hand.say import say
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.offline.model import OfflineModel
from tests.engine.cellar import CELLAR
from tests.engine.tables import ScriptedModel, answers, started, table


async def offline(home: Path) -> Table:
    from freeform.engine.authored.scenario import Scenario
    from freeform.engine.campaign.begin import Answers, begin

    at = table(home, OfflineModel())
    await begin(Scenario.model_validate(CELLAR), "c", 7, Answers(), at)
    return at


async def play(at: Table, *texts: str) -> list[str]:
    return [(await take_turn(Say(campaign="c", text=text), at)).final_text for text in texts]


async def test_the_dead_stay_dead_ten_turns_later(tmp_path: Path) -> None:
    at = await offline(tmp_path)
    done = await say("c", "Orla is dead.", "", at)
    assert any("status dead" in line for line in done.heard)
    told = await play(at, *["I wait", "I look around"] * 5)
    assert not any("Orla polishes" in text or "Orla says" in text for text in told)
    assert "Orla, dead" in told[1]
    (last,) = await play(at, "I ask Orla about the cellar")
    assert "dead" in last
    state = await at.store.get_state("c")
    assert state.value("t:orla", "status") == "dead"
    chain = (await why("c", "t:orla#status", at))["chain"]
    assert chain[-1]["by"] == "game master" and chain[-1]["text"] == "Orla is dead."


async def test_no_authored_effect_brings_the_dead_back(tmp_path: Path) -> None:
    from freeform.engine.authored.script import Effect, SetFact
    from freeform.engine.rules.effects import perform
    from freeform.engine.rules.ledger import Ledger

    at = await offline(tmp_path)
    await say("c", "Finn is dead.", "", at)
    state = await at.store.get_state("c")
    page = Ledger(state)
    alive = SetFact(subject="t:finn", predicate="status", value="well")
    rules = at.rules(await at.store.begun("c"), state)
    perform([Effect(bring="t:finn"), Effect(set=alive)], page, rules, "a deed")
    assert not page.events and page.state.value("t:finn", "status") == "dead"


@pytest.mark.parametrize(
    ("effect", "subject", "predicate", "value"),
    [
        ("leave: {who: Finn, to: the taproom}", "t:finn", "at", "t:taproom"),
        ("become: {subject: Orla, condition: dead}", "t:orla", "status", "dead"),
        ("set: {subject: cellar door, predicate: state, value: open}", "t:door", "state", "open"),
        ("become: {subject: Orla, condition: wet}", "t:orla", "wet", True),
    ],
)
async def test_state_is_edited_by_name_and_undone_alone(
    tmp_path: Path, effect: str, subject: str, predicate: str, value: Any
) -> None:
    at = await offline(tmp_path)
    await play(at, "I wait")
    before = (await at.store.get_state("c")).document()
    done = await correct("c", effect, "a slip of mine", at)
    assert (await at.store.get_state("c")).value(subject, predicate) == value
    assert done.turn_no == 1
    stands = await timeline.undo("c", 1, at.store)
    assert stands.turn_no == 1 and (await at.store.get_state("c")).document() == before
    await timeline.redo("c", at.store)
    assert (await at.store.get_state("c")).value(subject, predicate) == value


async def test_a_thing_that_is_handed_over_is_had_by_one(tmp_path: Path) -> None:
    at = await offline(tmp_path)
    await say("c", "Orla has the brass lamp.", "", at)
    state = await at.store.get_state("c")
    assert [owner for owner, item in state.inventory if item == "t:lamp"] == ["t:orla"]


@pytest.mark.parametrize(
    ("effect", "says"),
    [
        ("", "give one effect"),
        ("set: [", "no YAML"),
        ("hello", "is no effect"),
        ("clock: {id: nope}", "no clock 'nope'"),
        ("bring: Zaphod Beeblebrox", "nobody and nothing"),
        ("go: Orla", "is no place"),
        ("bring: Orla\ngo: the yard", "exactly one"),
    ],
)
async def test_what_cannot_be_done_is_said_in_one_sentence(
    tmp_path: Path, effect: str, says: str
) -> None:
    at = await offline(tmp_path)
    head = await at.store.head("c")
    with pytest.raises((UserError, NotFound), match=says) as said:
        await correct("c", effect, "", at)
    assert "\n" not in str(said.value)
    assert await at.store.head("c") == head


async def test_a_model_hears_the_whisper_once_and_the_note_always(tmp_path: Path) -> None:
    at = await started(tmp_path, answers({"action": "wait"}))
    await whisper("c", "let the door creak", 1, at)
    await note("c", "It never stops raining.", at)
    await set_style("c", Style(length="short", tense="past"), at)
    await pin_fact("c", "f_door", at)
    await play(at, "I wait", "I wait")
    model = at.gateway._models.default  # type: ignore[attr-defined]
    assert isinstance(model, ScriptedModel)
    told = [q.text for q in model.asked if q.pass_.id == "engine/narrator"]
    assert "let the door creak" in told[0] and "let the door creak" not in told[1]
    assert all("never stops raining" in text and "tense: past" in text for text in told)
    heard = [q.text for q in model.asked if q.pass_.id == "engine/interpreter"]
    assert not any("creak" in text for text in heard)
    packet = (await at.store.read("c"))[-2].entry
    assert "creak" not in packet.model_dump_json()

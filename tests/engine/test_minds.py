"""People with minds: what they answer, what they honestly cannot, and what they do meanwhile."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from freeform.core.chance import Chance
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign import timeline
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import resolve
from freeform.engine.story.layers import told_in_short
from freeform.engine.table import Rules, Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import AllowedAction, EngineEvent, PlannerOutput, ValidatorOutput
from freeform.engine.world.state import GameState
from freeform.evals.metrics import findings
from freeform.offline.model import OfflineModel
from freeform.wiring import sense
from tests.engine.cellar import CELLAR, after
from tests.engine.cellar import table as cellar
from tests.engine.tables import table

ORLA: dict[str, Any] = {
    **CELLAR["people"]["t:orla"],
    "moves": [
        {"id": "cask", "after": 60, "at": "t:yard", "does": "Orla rolled a cask into the yard."}
    ],
}
FINN = {"agenda": "Leave with the mail.", "greeting": ["Finn grins."]}


@pytest.fixture
def inn() -> tuple[GameState, Rules]:
    state, rules = cellar()
    return state, replace(rules, sense=sense())


def asked(moment: tuple[GameState, Rules], words: str) -> tuple[EngineEvent, GameState]:
    """What Orla says to it, and the state after."""
    state, rules = moment
    action = AllowedAction(action="ask", target_id="t:orla", details=words)
    done = resolve(
        state, ValidatorOutput(allowed_actions=[action]), PlannerOutput(), rules, Chance(1, words)
    )
    said = ("told", "withheld", "spoke", "no_answer")
    later = apply(state, done.state_diff).at_turn(state.turn_no + 1)
    return next(e for e in done.engine_events if e.type in said), later


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("who are you, Orla?", "self"),
        ("what do you want from me?", "want"),
        ("why are you lying to me?", "lying"),
        ("can I trust you?", "trust_me"),
        ("will you come with me?", "company"),
        ("have you heard of the Treaty of Brass?", "unknown"),
    ],
)
def test_a_question_gets_an_answer_of_its_kind(
    inn: tuple[GameState, Rules], question: str, kind: str
) -> None:
    event, _ = asked(inn, question)
    assert (event.type, event.details["kind"]) == ("spoke", kind)


def test_a_topic_is_found_by_meaning_and_a_stray_word_fires_nothing(
    inn: tuple[GameState, Rules],
) -> None:
    assert asked(inn, "will the storm be over soon?")[0].details.get("topic") == "rain"
    stray, _ = asked(inn, "would you lend my brother a coat that keeps the rain off his back?")
    assert stray.type == "spoke"


def test_what_is_kept_back_stays_so_however_it_is_asked(inn: tuple[GameState, Rules]) -> None:
    state, rules = inn
    event, later = asked(inn, "where does your liquor come from?")
    assert event.type in ("withheld", "spoke")
    assert later.facts["f_smuggling"].visibility == "hidden"
    held = after(
        state, inventory_changes=[{"owner_id": "player", "item_id": "t:ledger", "delta": 1}]
    )
    event, later = asked((held, rules), "tell me about the brandy in the cellar")
    assert event.type == "told" and later.facts["f_smuggling"].visibility == "known"


def test_the_same_question_again_is_answered_knowingly(inn: tuple[GameState, Rules]) -> None:
    _, rules = inn
    first, later = asked(inn, "have you heard of the Treaty of Brass?")
    again, _ = asked((later, rules), "the Treaty of Brass, have you heard of it?")
    assert (first.details["again"], again.details["again"]) == (False, True)
    state = inn[0]
    texts = []
    for _ in range(2):
        told, state = asked((state, rules), "what about the weather?")
        texts.append((told.details["text"], told.details.get("as_said", False)))
    assert [again for _, again in texts] == [False, True]


async def playing(home: Path) -> Table:
    authored = Scenario.model_validate(
        {**CELLAR, "people": {"t:orla": ORLA, "t:finn": FINN},
         "facts": [*CELLAR["facts"],
                   {"id": "f_at_finn", "subject_id": "t:finn", "predicate": "at",
                    "object": {"value": "t:yard"}, "visibility": "engine"},
                   {"id": "f_at_orla", "subject_id": "t:orla", "predicate": "at",
                    "object": {"value": "t:taproom"}, "visibility": "engine"}]}
    )  # fmt: skip
    at = replace(table(home, OfflineModel()), sense=sense())
    await begin(authored, "c", 7, Answers(), at)
    return at


async def test_people_act_meanwhile_it_is_undone_and_can_be_found_out(tmp_path: Path) -> None:
    at = await playing(tmp_path)
    for text in ("wait", "go to the yard"):
        await take_turn(Say(campaign="c", text=text), at)
    result = await take_turn(Say(campaign="c", text="wait an hour"), at)
    done = [event for event in result.engine_events if event.type == "meanwhile"]
    assert [(event.details["npc"], event.details["id"]) for event in done] == [("t:orla", "cask")]
    assert "cask" not in result.final_text, "what is out of sight is not told"
    hidden = "t:orla#did:cask"
    assert (await at.store.get_state("c")).facts[hidden].visibility == "hidden"
    await timeline.undo("c", 1, at.store)
    assert hidden not in (await at.store.get_state("c")).facts
    await timeline.redo("c", at.store)
    seen = await take_turn(Say(campaign="c", text="look around"), at)
    assert "Orla rolled a cask into the yard." in seen.final_text
    assert (await at.store.get_state("c")).facts[hidden].visibility == "known"


async def test_what_came_before_is_told_in_layers_that_cite_turns(tmp_path: Path) -> None:
    at = await playing(tmp_path)
    texts = ("ask Orla about the rain", "I promise Orla that I will pay", "go to the yard", "wait")
    for text in texts:
        await take_turn(Say(campaign="c", text=text), at)
    state, logged = await at.store.get_state("c"), await at.store.read("c")
    rules = at.rules(await at.store.begun("c"), await at.store.get_state("c"))
    told = list(told_in_short(state, 5, logged, rules))
    assert told[0] == "# Before turn 5"
    assert "[t2]" in told[1] and "promised" in told[1]
    assert any(line.startswith("the taproom (turns 1-3)") and "[t3]" in line for line in told)


async def test_an_answer_beside_the_question_is_seen(tmp_path: Path) -> None:
    at = await playing(tmp_path)
    question = "ask Orla about the weather and the rain tomorrow"
    await take_turn(Say(campaign="c", text=question), at)
    begun, entries = await at.store.begun("c"), [row.entry for row in await at.store.read("c")]
    assert [row.beside for row in findings(begun, entries, sense=sense())] == [[]]
    resolved = next(entry for entry in entries if hasattr(entry, "engine_events"))
    for event in resolved.engine_events:
        if event.type == "told":
            event.details.update(topic="cards", text='"He had a straight to the queen, and lost."')
    (planted,) = findings(begun, entries, sense=sense())
    assert len(planted.beside) == 1 and planted.answers == 1

"""Rulings read from a deed's own words: by readings made by hand, and by the ear that is shipped."""

from pathlib import Path
from typing import Any

import pytest

from freeform import wiring
from freeform.core.chance import Chance
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.context import Moment
from freeform.engine.passes import InterpreterInput
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import InterpreterOutput, ProposedAction, TurnResult
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.meaning.outcome import OutcomeHeard, OutcomeSpan
from freeform.offline.rulings.rule import with_rulings
from freeform.settings import Settings
from tests.engine.cellar import scenario
from tests.evals.played import memory_table

SURE = {"none": 1.0}


class ReadByHand:
    """Says of every text what it was told to say."""

    def __init__(self, heard: OutcomeHeard) -> None:
        self._heard = heard

    def read_outcome(self, text: str) -> OutcomeHeard:
        return self._heard


def reading(text: str, kind: str = "change", *states: str, **more: Any) -> OutcomeHeard:
    """A sure reading; `verb`, `on`, `where` and `who` are words of the text, `subject`, `mood` and
    `risk` what they are likely to be."""
    spans = []
    for role in ("verb", "on", "where", "who"):
        if said := more.get(role):
            start = text.index(said)
            spans.append(OutcomeSpan(role, start, start + len(said), 0.9))
    return OutcomeHeard(
        spans=tuple(spans),
        states=dict.fromkeys(states, 0.6),
        kinds={kind: 0.9},
        subjects={more.get("subject", "named"): 0.9},
        moods={more.get("mood", "same"): 0.9},
        risks={more.get("risk", "none"): 0.9},
    )


async def ruled(text: str, heard: OutcomeHeard, *acts: ProposedAction) -> list[ProposedAction]:
    """The acts at the inn as they are ruled when they are read so."""
    at = memory_table()
    begun = await begin(scenario(), "c", 7, Answers(), at)
    state = await at.store.get_state("c")
    rules = at.rules(begun, state)
    verbs = {name: kind.verbs for name, kind in rules.system.action_types.items()}
    packet = Moment(state, text, rules).packet()
    wanted = InterpreterInput(context_packet=packet, player_input=text, action_types=verbs)
    told = InterpreterOutput(intent=text, proposed_actions=list(acts) or [free(text)])
    return with_rulings(told, wanted, Chance("x"), ReadByHand(heard)).proposed_actions


def free(text: str, action: str = "improvise", **more: Any) -> ProposedAction:
    return ProposedAction(action=action, family="use", details=text, **more)


def brought(act: ProposedAction) -> list[dict[str, Any]]:
    """What its success brings, without what is empty."""
    assert act.ruling
    effects = act.ruling.on["success"].effects
    return [effect.model_dump(mode="json", exclude_none=True) for effect in effects]


async def test_what_was_done_and_what_is_so_become_so() -> None:
    text = "polish the hearth with my sleeve"
    (act,) = await ruled(text, reading(text, "change", "clean", verb="polish", on="the hearth"))
    conditions = [effect["become"] for effect in brought(act) if "become" in effect]
    assert [(new["condition"], new["text"]) for new in conditions] == [
        ("polished", "The hearth is polished."),
        ("clean", "The hearth is clean."),
    ]
    told = "You polish the hearth with your sleeve. The hearth is clean."
    assert act.ruling and act.ruling.on["success"].line == told  # the verb is not handed back


@pytest.mark.parametrize(
    ("text", "kind", "state", "on"),
    [
        ("sniff at the throne", "change", "clean", "the throne"),  # it is not there
        ("sniff at the hearth", "learn", "clean", "the hearth"),  # nothing is changed
        ("sniff at the hearth", "change", "", "the hearth"),  # nothing is likely
        (
            "sniff at the hearth",
            "change",
            "unlocked",
            "the hearth",
        ),  # locks have deeds of their own
        ("be nice to Orla", "change", "on", "Orla"),  # nobody is `on`
    ],
)
async def test_what_is_not_plain_is_left_as_it_was_heard(
    text: str, kind: str, state: str, on: str
) -> None:
    states = [state] if state else []
    (act,) = await ruled(text, reading(text, kind, *states, on=on, mood="better"))
    assert act.ruling is None


async def test_what_is_done_to_someone_is_welcome_or_needs_dice() -> None:
    text = "crown Orla with flowers"
    likely = {"on": "Orla", "verb": "crown"}
    (welcome,) = await ruled(text, reading(text, "change", "amused", mood="better", **likely))
    assert {"trust": {"who": "t:orla", "delta": 1}} in brought(welcome)
    assert welcome.ruling and not welcome.ruling.needs_roll
    (indifferent,) = await ruled(text, reading(text, "change", "amused", **likely))
    assert indifferent.ruling is None
    against = reading(text, "change", "amused", risk="person", mood="worse", **likely)
    (rolled,) = await ruled(text, against)
    assert rolled.ruling and rolled.ruling.needs_roll


@pytest.mark.parametrize("heard_as", ["search", "look", "persuade", "give"])
async def test_a_plain_change_speaks_against_another_hearing(heard_as: str) -> None:
    text = "sprinkle ash on the hearth to catch footprints"
    told = reading(text, "change", "dusty", verb="sprinkle", on="the hearth")
    (act,) = await ruled(text, told, free(text, heard_as))
    assert (act.action, act.family) == ("improvise", "use")
    assert brought(act)[-1]["become"]["condition"] == "dusty"


@pytest.mark.parametrize(
    ("text", "heard_as", "likely"),
    [
        ("search the hearth for ash", "search", {"verb": "search"}),  # its own verb
        ("ruffle the hearth and look for ash", "search", {"verb": "ruffle"}),  # beside the deed
        ("ruffle the hearth?", "look", {"verb": "ruffle"}),
        ("go to the hearth", "look", {"verb": "go"}),  # where one is already
        ('ruffle the hearth: "Ash?"', "talk", {"verb": "ruffle"}),
        ("ruffle the hearth", "look", {"verb": "ruffle", "risk": "person"}),  # dice were not meant
        ("sink into the yard", "move", {"verb": "sink", "subject": "me"}),  # nowhere one can be
    ],
)
async def test_what_may_be_as_it_was_heard_is_left(
    text: str, heard_as: str, likely: dict[str, str]
) -> None:
    on = "the hearth" if "hearth" in text else ""
    told = reading(text, "change", "dusty", on=on, **likely)
    (act,) = await ruled(text, told, free(text, heard_as))
    assert (act.action, act.ruling) == (heard_as, None)


async def test_who_gets_up_somewhere_in_sight_is_there() -> None:
    text = "climb onto the hearth"
    told = reading(text, "put", verb="climb", where="onto the hearth", subject="me")
    (act,) = await ruled(text, told, free("onto the hearth", "move"))
    assert brought(act)[0]["become"]["condition"] == "on the hearth"
    (going,) = await ruled(text, told, free("the yard", "move", target_id="t:yard"))
    assert going.action == "move"


async def test_what_is_wrapped_in_ones_scarf_is_not_oneself() -> None:
    text = "wrap the hearth in my scarf"
    told = reading(text, "change", "wrapped", verb="wrap", on="the hearth")
    (act,) = await ruled(text, told)
    assert {effect["become"]["subject"] for effect in brought(act) if "become" in effect} == {
        "t:taproom/hearth"
    }


async def test_a_state_is_said_of_what_writers_say_it_of() -> None:
    text = "sit by the hearth"
    (act,) = await ruled(text, reading(text, "change", "sitting", on="the hearth", verb="sit"))
    assert act.ruling is None, "no hearth sits"
    (mine,) = await ruled(text, reading(text, "change", "sitting", subject="me", verb="sit"))
    assert brought(mine)[0]["become"]["condition"] == "sitting"


async def test_several_free_acts_are_one_deed() -> None:
    text = "take the rag and wipe the hearth"
    heard = reading(text, "change", "clean", verb="wipe", on="the hearth")
    acts = free("the rag", "take"), free("wipe the hearth")
    (act,) = await ruled(text, heard, *acts)
    assert act.details == text
    kept = await ruled(text, heard, free("rag", "take", target_id="t:lamp"), acts[1])
    assert [one.action for one in kept] == ["take", "improvise"]


async def test_a_deed_plainly_told_is_no_unsure_going() -> None:
    text = "hum the road to heaven"
    unsure = free(text, confidence=0.4)
    (act,) = await ruled(text, reading(text, "none", subject="nobody"), unsure)
    assert act.confidence == 0.9
    (going,) = await ruled(text, reading(text, "put", subject="me"), unsure)
    assert going.confidence == 0.4


async def test_a_word_given_in_speech_is_a_promise() -> None:
    text = "Orla, I will fetch the doctor tonight"
    heard = reading(text, "promise", subject="nobody", who="Orla", mood="better")
    heard = OutcomeHeard(heard.spans, {}, {"promise": 1.0}, heard.subjects, heard.moods, SURE)
    speech = ProposedAction(action="talk", family="talk", details=text, target_id="t:orla")
    said, word = await ruled(text, heard, speech)
    assert said.ruling is None
    (promise,) = (effect["promise"] for effect in brought(word) if "promise" in effect)
    assert promise["to"] == "t:orla"
    assert word.ruling and word.ruling.minutes == 0


async def at_the_dragon(folder: Path, text: str) -> tuple[TurnResult, GameState]:
    """A turn with the ear that is shipped."""
    table: Table = wiring.headless(Settings.model_validate({"home": folder, "model": "offline"}))
    await begin(load_scenario("dead_drop"), "a", 3, Answers(), table)
    result = await take_turn(Say(campaign="a", text=text), table)
    return result, await table.store.get_state("a")


async def test_the_ear_reads_what_becomes_of_a_deed(tmp_path: Path) -> None:
    result, state = await at_the_dragon(tmp_path, "I polish the copper bar with my cuff")
    facts = [fact for fact in state.facts.values() if "polished" in fact.predicate]
    assert [fact.visibility for fact in facts] == ["known"]
    assert "You polish the copper bar with your cuff." in result.final_text


async def test_what_goes_into_ones_own_boot_is_still_ones_own(tmp_path: Path) -> None:
    _, state = await at_the_dragon(tmp_path, "I put the cred chip in my boot")
    assert any(owner == PLAYER and item.endswith("cred_chip") for owner, item in state.inventory)


async def test_what_only_the_opening_tells_of_can_be_handled(tmp_path: Path) -> None:
    result, state = await at_the_dragon(tmp_path, "I wipe the glass")
    assert not result.validator.blocked_actions
    assert any("glass" in fact.subject_id for fact in state.facts.values())


async def test_a_long_putting_is_told_with_its_place() -> None:
    seen = "where everybody in this house from the cook to the last drunk docker must see them"
    text = f"park my shoes on the hearth {seen} before going one step further in tonight"
    spans = {"verb": "park", "on": "my shoes", "where": "on the hearth"}
    (act,) = await ruled(text, reading(text, "put", "muddy", **spans))
    assert act.ruling
    assert act.ruling.on["success"].line.startswith("You park your shoes on the hearth.")


async def test_what_is_used_is_a_tool_and_is_not_changed() -> None:
    text = "use the lamp"
    (act,) = await ruled(text, reading(text, "change", "cut", verb="use", on="the lamp"))
    assert act.ruling is None

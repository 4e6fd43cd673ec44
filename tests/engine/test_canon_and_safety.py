"""What a narrator may not make true, and what a table never reads."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.engine.canon.happened import Happened
from freeform.engine.rules import accept as engine
from freeform.engine.rules.change import apply
from freeform.engine.rules.safety import (
    MOVED_ON,
    OFF_SCREEN,
    Guarded,
    SafetyLimits,
)
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    AllowedAction,
    BlockedAction,
    NarratorOutput,
    Rejected,
    StateDiff,
)
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import GameState
from tests.engine.cellar import after, table

WENT = AllowedAction(action="move", details="out of here")


def told(**claims: Any) -> NarratorOutput:
    return NarratorOutput.model_validate({"final_text": "…", **claims})


def accept(
    claims: NarratorOutput, state: GameState, rules: Rules
) -> tuple[StateDiff, list[Rejected]]:
    limits = SafetyLimits.of(rules.begun.calibration, state)
    came = engine.accept(claims, state, rules, limits, Happened(allowed=[WENT]))
    return came.diff, came.rejected


def test_a_new_detail_becomes_a_fact_with_its_turn() -> None:
    state, rules = table()
    diff, rejected = accept(
        told(
            established_facts=[
                {"subject_id": "t:orla", "predicate": "wears", "detail": "A red scarf."}
            ]
        ),
        state,
        rules,
    )
    (fact,) = diff.facts_add
    assert (fact.id, fact.object["text"], fact.discovered_turn, rejected) == (
        "t:orla#wears",
        "A red scarf.",
        1,
        [],
    )


@pytest.mark.parametrize(
    ("claim", "because"),
    [
        ({"subject_id": "t:door", "predicate": "state", "detail": "It stands open."}, "f_door"),
        ({"subject_id": "t:door", "predicate": "is", "detail": "unlocked"}, "f_door"),
        ({"subject_id": "t:nobody", "predicate": "is", "detail": "tall"}, ""),
    ],
)
def test_a_claim_against_canon_is_not_committed_and_is_recorded(
    claim: dict[str, str], because: str
) -> None:
    state, rules = table()
    diff, rejected = accept(told(established_facts=[claim]), state, rules)
    assert diff.facts_add == []
    assert [r.because for r in rejected] == [because]


def test_a_clash_with_a_hidden_fact_is_recorded_without_telling_it() -> None:
    state, rules = table()
    state = after(
        state,
        facts_add=[{"id": "h", "subject_id": "t:finn", "predicate": "status", "object": {"value": "dead", "text": "Finn drowned."}, "visibility": "hidden"}],
    )  # fmt: skip
    _, (rejected,) = accept(
        told(
            established_facts=[
                {"subject_id": "t:finn", "predicate": "status", "detail": "alive and well"}
            ]
        ),
        state,
        rules,
    )
    assert rejected.because == "h"
    assert "drowned" not in rejected.reason


def test_someone_new_is_brought_in_under_the_campaigns_own_name() -> None:
    state, rules = table()
    diff, rejected = accept(
        told(introduced_npcs=[{"id": "peddler", "name": "A Peddler", "description": "Wet."}]),
        state,
        rules,
    )
    now = apply(state, diff)
    assert rejected == []
    assert "campaign:peddler" in now.scene.present_entity_ids


def test_nobody_is_introduced_twice() -> None:
    state, rules = table()
    _, rejected = accept(
        told(
            introduced_npcs=[{"id": "x", "name": "Orla"}],
            introduced_items=[{"id": "y", "name": "Iron key"}],
        ),
        state,
        rules,
    )
    assert [r.because for r in rejected] == ["t:orla", "t:key"]


def test_the_scene_moves_only_where_a_way_is_open() -> None:
    state, rules = table()
    _, closed = accept(told(scene_transition={"location_id": "t:cellar"}), state, rules)
    assert [r.because for r in closed] == ["f_door"]
    _, nowhere = accept(told(scene_transition={"location_id": "t:well"}), state, rules)
    assert len(nowhere) == 1
    diff, fine = accept(told(scene_transition={"location_id": "t:yard"}), state, rules)
    assert fine == []
    assert apply(state, diff).scene.present_entity_ids == ["player", "t:finn"]


def test_a_place_of_the_narrators_own_has_a_way_back() -> None:
    state, rules = table()
    there = {"location_id": "loft", "name": "The Loft", "description": "Hay."}
    diff, _ = accept(told(scene_transition=there), state, rules)
    now = apply(state, diff)
    assert now.scene.location_id == "campaign:loft"
    assert [way.to for way in rules.exits("campaign:loft", now)] == ["t:taproom"]
    assert "campaign:loft" in [way.to for way in rules.exits("t:taproom", now)]


def test_a_closed_thread_stays_closed() -> None:
    state, rules = table()
    state = after(state, threads_update=[{"id": "missing_brandy", "status": "failed"}])
    _, rejected = accept(
        told(thread_updates=[{"id": "missing_brandy", "status": "active"}]), state, rules
    )
    assert [r.because for r in rejected] == ["missing_brandy"]


LIMITS = SafetyLimits(["spiders", "harm to children"], ["torture"])


def test_a_sentence_that_crosses_a_line_is_never_shown() -> None:
    text = 'The door opens. A spider drops on your sleeve. "Come in," says Orla.'
    assert LIMITS.allow(text) == 'The door opens. "Come in," says Orla.'


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("knives", "He draws a knife."),
        ("stabbing", "She stabs him."),
        ("thieves", "A thief!"),
        ("drowning", "He drowned here."),
        ("death", "Dying, he smiled."),
        ("tumors", "A tumour grows."),
        ("Spiders", "The SPIDER’S legs."),
        ("blood", "Blood-soaked rags."),
        ("child abuse", "He abuses the child."),
        ("needles in eyes", "A needle goes into her eye."),
        ("no graphic mention of rats", "A rat."),
        ("wasps and snakes", "A snake hisses."),
        ("sexual content", "She is naked."),
        ("self-harm", "He harmed himself."),
    ],
)
def test_a_line_holds_in_every_plain_form_of_its_words(line: str, sentence: str) -> None:
    assert SafetyLimits([line], []).verdict(sentence) == ("cut", line, "word")
    assert SafetyLimits([], [line]).verdict(sentence) == ("veil", line, "word")
    assert SafetyLimits([line], []).crossed(sentence) == line


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("rats", "The rating of the ship."),
        ("gratuitous violence", "A rat runs by."),
        ("animal cruelty", "An animated talk."),
        ("execution", "The executive board."),
        ("needles", "Needless to say, he needs it."),
        ("rape", "A bowl of grapes."),
        ("dying", "The dice roll."),
        ("sexual violence", "The storm is violent."),
        ("", "Anything at all."),
        ("…", "Anything at all."),
    ],
)
def test_a_line_lets_words_pass_that_only_look_alike(line: str, sentence: str) -> None:
    assert SafetyLimits([line], []).verdict(sentence).fate == "show"


def test_a_veiled_stretch_happens_off_screen() -> None:
    assert (
        LIMITS.allow("He is tortured. They torture him more. Dawn comes.")
        == f"{OFF_SCREEN} Dawn comes."
    )


def test_a_text_of_which_nothing_may_be_shown_moves_on() -> None:
    assert LIMITS.allow("Spiders. Spiders everywhere.") == MOVED_ON


def test_a_hidden_fact_told_outright_is_left_out() -> None:
    state, rules = table()
    limits = SafetyLimits.of(rules.begun.calibration, state)
    leak = "Everyone knows Orla smuggles brandy through the cellar at night. She pours a beer."
    assert limits.allow(leak) == "She pours a beer."


def test_nothing_that_crosses_a_line_or_tells_a_secret_becomes_canon() -> None:
    state, rules = table(calibration={"lines": ["spiders"], "veils": ["torture"]})
    fact = {"subject_id": "t:orla", "predicate": "wears", "detail": "A brooch like a spider."}
    secret = {
        "subject_id": "t:orla",
        "predicate": "trade",
        "detail": "Orla smuggles brandy through the cellar at night.",
    }
    diff, rejected = accept(
        told(
            established_facts=[fact, secret],
            introduced_npcs=[{"name": "Bram", "description": "He was tortured once."}],
            introduced_items=[{"name": "spider in a jar"}],
            scene_transition={"location_id": "nest", "name": "The spiders' nest"},
        ),
        state,
        rules,
    )
    assert diff == StateDiff()
    assert len(rejected) == 5 and "spider" not in str(rejected)


def test_what_stands_beside_the_prose_is_fit_to_be_shown() -> None:
    ideas = [
        "Crush the spider",
        " Ask Orla ",
        "Ask Orla",
        "",
        "x" * 400,
        *(f"Wait {n}" for n in range(9)),
    ]
    shown = LIMITS.beside(told(suggested_actions=ideas, next_prompt="Do you fear spiders?"))
    assert shown.suggested_actions[:1] == ["Ask Orla"] and len(shown.suggested_actions) == 6
    assert len(shown.suggested_actions[1]) <= 160
    assert shown.next_prompt == ""
    assert LIMITS.beside(told(next_prompt="What now?")).next_prompt == "What now?"


class _Heard:
    def __init__(self) -> None:
        self.text = ""

    def __call__(self, piece: str, /) -> None:
        self.text += piece

    def again(self) -> None:
        self.text = ""


@given(
    st.lists(st.integers(1, 9), min_size=1),
    st.permutations(
        ["The fire sinks. ", "A spider waits. ", "He is tortured. ", "Rain.\n\n", "Orla nods."]
    ),
)
def test_what_is_streamed_is_what_is_kept_however_the_pieces_fall(
    cuts: list[int], parts: list[str]
) -> None:
    text, heard = "".join(parts), _Heard()
    voice = Guarded(LIMITS, heard)
    place = 0
    for cut in cuts:
        voice(text[place : place + cut])
        place += cut
    voice(text[place:])
    voice.close()
    assert "spider" not in heard.text
    assert "torture" not in heard.text
    assert heard.text.split() == LIMITS.allow(text).split()


def introduced(**claims: Any) -> GameState:
    """The state after a telling."""
    state, rules = table()
    diff, rejected = accept(told(**claims), state, rules)
    assert rejected == []
    return apply(state, diff)


@pytest.mark.parametrize(
    ("location", "at", "present"),
    [
        ("", "t:taproom", True),
        ("t:taproom", "t:taproom", True),
        ("the yard", "t:yard", False),
        ("outside, under the lantern", "t:yard", False),
        ("beside Orla", "t:taproom", True),
        ("on the telephone", "", True),
    ],
)
def test_someone_new_is_where_they_are_said_to_be(location: str, at: str, present: bool) -> None:
    npc = {"name": "a thin man", "location": location}
    now = introduced(introduced_npcs=[npc])
    assert str(now.value("campaign:a_thin_man", "at") or "") == at
    assert ("campaign:a_thin_man" in now.scene.present_entity_ids) == present
    assert ("afar" in now.entities["campaign:a_thin_man"].tags) == (not at)


def test_where_someone_is_may_be_told_by_their_sentence_alone() -> None:
    prose = "Orla pours. Through the window you see a thin man in the yard."
    now = introduced(final_text=prose, introduced_npcs=[{"name": "a thin man"}])
    assert now.value("campaign:a_thin_man", "at") == "t:yard"


def test_what_was_brought_in_can_be_named_next_turn() -> None:
    chestnut = {"name": "a hot chestnut", "location": "on the bench"}
    man = {"name": "the cheerful man", "aliases": ["fellow"]}
    now = introduced(introduced_items=[chestnut], introduced_npcs=[man])
    said = "I give the chestnut back to the fellow"
    assert mentioned(said, now, ("item", "npc")) == [
        "campaign:a_hot_chestnut",
        "campaign:the_cheerful_man",
    ]
    assert now.entities["campaign:a_hot_chestnut"].attrs["whereabouts"] == "on the bench"


def test_a_thing_put_into_ones_hand_is_in_ones_hand() -> None:
    now = introduced(introduced_items=[{"name": "dry coat", "location": "player"}])
    assert ("player", "campaign:dry_coat") in now.inventory


def test_people_and_things_of_a_new_place_are_there() -> None:
    now = introduced(
        scene_transition={"name": "Wren's room", "description": "A bed and a stove."},
        introduced_npcs=[{"name": "Mrs Abara"}],
        introduced_items=[{"name": "dry coat"}],
    )
    place = now.scene.location_id
    assert now.entities[place].name == "Wren's room"
    assert "campaign:mrs_abara" in now.scene.present_entity_ids
    assert (place, "campaign:dry_coat") in now.inventory


def test_a_name_given_later_is_the_name_and_the_old_one_is_still_heard() -> None:
    state, rules = table()
    diff, _ = accept(
        told(introduced_npcs=[{"id": "reader", "name": "the menu reader"}]), state, rules
    )
    now = apply(state, diff)
    name = {"subject_id": "campaign:reader", "predicate": "name", "detail": "Tally"}
    diff, rejected = accept(told(established_facts=[name]), now, rules)
    now = apply(now, diff)
    assert (rejected, now.name("campaign:reader")) == ([], "Tally")
    for said in ("I nod to Tally", "I nod to the menu reader"):
        assert mentioned(said, now, ("npc",)) == ["campaign:reader"]


def test_someone_of_the_narrators_own_can_come_back() -> None:
    state, rules = table()
    diff, _ = accept(told(introduced_npcs=[{"name": "the cheerful man"}]), state, rules)
    gone = after(apply(state, diff), scene_update={"present_entity_ids": ["player"]})
    diff, rejected = accept(told(introduced_npcs=[{"name": "the cheerful man"}]), gone, rules)
    assert rejected == []
    assert "campaign:the_cheerful_man" in apply(gone, diff).scene.present_entity_ids


def test_the_scene_does_not_move_where_the_rules_refused_to_go() -> None:
    state, rules = table()
    refused = BlockedAction(action="move", reason="No way leads from here to her room.")
    there = told(scene_transition={"name": "her room", "description": "Up the stairs."})
    limits = SafetyLimits.of(rules.begun.calibration, state)
    for happened in (Happened(blocked=[refused]), Happened()):
        came = engine.accept(there, state, rules, limits, happened)
        assert came.diff == StateDiff() and len(came.rejected) == 1


def test_a_word_in_common_is_no_agreement() -> None:
    state, rules = table()
    state = after(
        state,
        facts_add=[{"id": "at", "subject_id": "t:finn", "predicate": "status", "object": {"value": "owes money to the abbey", "text": "Finn owes money to the abbey."}}],
    )  # fmt: skip
    claim = {"subject_id": "t:finn", "predicate": "status", "detail": "He robbed the abbey."}
    _, (rejected,) = accept(told(established_facts=[claim]), state, rules)
    assert rejected.because == "at"

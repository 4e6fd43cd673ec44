"""A model that writes names, or ids with a slip in them, is taken as it meant."""

from pathlib import Path

import pytest

from freeform.engine.id_repair import id_of
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from tests.engine.cellar import table as cellar
from tests.engine.tables import answers, started


@pytest.mark.parametrize(
    ("said", "id"),
    [
        ("t:orla", "t:orla"), (" t:orla ", "t:orla"), ("npc:orla", "t:orla"), ("Orla", "t:orla"),
        ("the innkeeper", "t:orla"), ("outside", "t:yard"), ("Brass Lamp", "t:lamp"), ("cellar_door", "t:door"),
        ("", ""), (":", ""), ("the", ""), ("nobody", ""), ("Orla of the hill", ""),
    ],
)  # fmt: skip
def test_an_id_is_found_by_whatever_names_it(said: str, id: str) -> None:
    assert id_of(said, *cellar()) == id


@pytest.mark.parametrize("said", ["Finn", "npc:finn", "black ledger", "the old well"])
def test_nothing_is_found_by_name_that_the_player_never_heard_of(said: str) -> None:
    assert id_of(said, *cellar()) == ""


async def _played(home: Path, **action: str) -> TurnResult:
    at = await started(home, answers(action))
    return await take_turn(Say(campaign="c", text="as I said"), at)


@pytest.mark.parametrize(
    ("action", "does"),
    [
        ({"action": "Ask", "target_id": "Orla", "details": "about the rain"}, ("ask", "t:orla")),
        ({"action": "ask_about", "target_id": " t:orla", "details": "the rain"}, ("ask", "t:orla")),
        ({"action": "move", "target_id": "the yard"}, ("move", "t:yard")),
        ({"action": "move", "details": "outside, quickly"}, ("move", "t:yard")),
        ({"action": "look at", "target_id": "hearth"}, ("look", "")),
    ],
)
async def test_a_wish_with_names_in_it_is_tried(
    tmp_path: Path, action: dict[str, str], does: tuple[str, str]
) -> None:
    result = await _played(tmp_path, **action)
    assert [(done.action, done.target_id) for done in result.validator.allowed_actions] == [does]
    assert result.validator.blocked_actions == []


async def test_what_is_nowhere_is_refused_by_the_name_it_was_given(tmp_path: Path) -> None:
    result = await _played(tmp_path, action="take", target_id="item:golden_crown")
    assert [no.reason for no in result.validator.blocked_actions] == [
        "You see no golden crown here; you do see the pewter mug and the hearth."
    ]
    assert result.interpreter.proposed_actions[0].target_id == ""


async def test_a_deed_of_no_kind_keeps_its_verb(tmp_path: Path) -> None:
    result = await _played(
        tmp_path, action="juggle", target_id="juggling balls", details="for the guests"
    )
    assert [done.details for done in result.validator.allowed_actions] == ["juggle for the guests"]


async def test_a_narrator_may_name_whom_it_tells_of(tmp_path: Path) -> None:
    told = {
        "established_facts": [
            {"subject_id": "Orla", "predicate": "wears", "detail": "a red scarf"}
        ],
        "introduced_items": [{"name": "tin whistle", "location": "Orla"}],
        "introduced_npcs": [{"name": "Bram", "type": "guard"}],
        "thread_updates": [
            {"id": "Where does the brandy come from?", "status": "active", "reason": "told"}
        ],
    }
    at = await started(
        tmp_path, answers({"action": "look"}, tells="Orla wears a red scarf.", **told)
    )
    result = await take_turn(Say(campaign="c", text="look"), at)
    state = await at.store.get_state("c")
    assert result.rejected == []
    assert state.value("t:orla", "wears") == "a red scarf"
    assert ("t:orla", "campaign:tin_whistle") in state.inventory
    bram = state.entities["campaign:bram"]
    assert (bram.type, bram.tags) == (
        "npc",
        ["guard"],
    ) and bram.id in state.scene.present_entity_ids
    assert state.threads["missing_brandy"].status == "active"


async def test_what_has_no_name_is_not_brought_in(tmp_path: Path) -> None:
    told = {"introduced_items": [{"id": "x", "name": " "}], "introduced_npcs": [{"name": "?"}]}
    at = await started(tmp_path, answers({"action": "look"}, **told))
    result = await take_turn(Say(campaign="c", text="look"), at)
    assert [no.reason for no in result.rejected] == ["they have no name", "it has no name"]

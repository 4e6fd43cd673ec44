"""The offline planner: when it presses, what it notes, what it proposes."""

from typing import Any

from freeform.core.chance import Chance
from freeform.engine.passes import PlannerInput
from freeform.engine.world.model import (
    AllowedAction,
    ContextPacket,
    PlannerOutput,
    ValidatorOutput,
)
from freeform.offline.grammar import with_article
from freeform.offline.planner import respond

MOVES = [
    {"id": "boots", "type": "threat", "text": "Boots on the stairs.", "urgency": 3},
    {"id": "rain", "type": "complication", "text": "The rain gets in.", "urgency": 1},
]
PACKET = ContextPacket(
    scene={
        "location_id": "loc:bar",
        "exits": [{"to": "loc:docks", "name": "the docks"}],
        "details": [{"name": "jukebox"}, {"name": "mirror"}],
    },
    present_entities=["player", "npc:viktor"],
    entities=[
        {"id": "npc:viktor", "type": "npc", "name": "Viktor Sokolov"},
        {"id": "npc:jin", "type": "npc", "name": "Jin"},
        {"id": "npc:ghost", "type": "npc", "name": "Oleander"},
        {"id": "item:drive", "type": "item", "name": "encrypted drive"},
    ],
    threads=[
        {
            "id": "t",
            "title": "Find Jin",
            "status": "active",
            "related_entity_ids": ["npc:jin", "item:drive"],
        },
        {
            "id": "h",
            "title": "Oleander's plan",
            "status": "hidden",
            "related_entity_ids": ["npc:ghost"],
        },
    ],
    inventory=[{"owner_id": "player", "item_id": "item:drive", "qty": 1}],
    facts=[
        {
            "id": "f",
            "subject_id": "npc:ghost",
            "object": {"text": "Oleander did it."},
            "visibility": "hidden",
        }
    ],
    npc_agendas={"npc:viktor": "to be left alone"},
)


def planned(text: str = "look around", seed: int = 1, **rest: Any) -> PlannerOutput:
    allowed = [AllowedAction(action=action) for action in rest.pop("doing", ["look"])]
    ruled = ValidatorOutput(allowed_actions=allowed)
    given_ = {
        "context_packet": PACKET,
        "player_input": text,
        "validator_output": ruled,
        "moves": MOVES,
        **rest,
    }
    return respond(PlannerInput(**given_), Chance(seed))


def test_a_safe_action_in_a_lively_scene_calls_for_no_move() -> None:
    assert planned(quiet_turns=1).tension_move == ""


def test_a_quiet_stretch_or_a_risk_calls_for_one_of_the_moves_with_its_type() -> None:
    kinds = {move["id"]: move["type"] for move in MOVES}
    for output in (planned(quiet_turns=3), planned(doing=["attack"])):
        assert output.tension_move_type == kinds[output.tension_move]


def test_the_urgent_move_comes_more_often_but_not_always() -> None:
    close = [{**MOVES[0], "urgency": 2}, MOVES[1]]
    chosen = [planned(seed=seed, quiet_turns=4, moves=close).tension_move for seed in range(60)]
    assert chosen.count("boots") > chosen.count("rain") > 0


def test_suggestions_are_three_different_things_the_character_can_know_of() -> None:
    for seed in range(30):
        output = planned(seed=seed)
        assert len(set(output.next_suggestions)) == 3
        assert "Oleander" not in " ".join(output.next_suggestions)


def test_what_was_just_done_is_not_suggested_again() -> None:
    for seed in range(30):
        assert (
            "Ask Viktor about Jin"
            not in planned("ask viktor about jin", seed=seed).next_suggestions
        )
        assert "mirror" not in " ".join(planned("search the mirror", seed=seed).next_suggestions)


def test_beats_name_what_the_player_reached_for_and_what_someone_wants() -> None:
    beats = planned(doing=["search"]).beats
    assert 1 <= len(beats) <= 3
    assert "search" in beats[0] and any("left alone" in beat for beat in beats)


def test_the_same_seed_plans_the_same_beat() -> None:
    assert planned(seed=5, quiet_turns=4) == planned(seed=5, quiet_turns=4)


def test_an_empty_world_still_gets_suggestions() -> None:
    assert len(planned("hm", context_packet=ContextPacket()).next_suggestions) >= 2


def test_a_name_that_begins_with_a_small_word_is_written_small_in_a_sentence() -> None:
    assert with_article("One of your neighbour's leeks") == "one of your neighbour's leeks"
    assert with_article("way in") == "the way in"
    assert with_article("Two Rivers") == "Two Rivers"
    assert with_article("The Neon Dragon") == "the Neon Dragon"
    assert with_article("Your hives") == "your hives"

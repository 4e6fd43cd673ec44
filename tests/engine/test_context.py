"""What each viewer is told."""

import json

from freeform.core.record import canonical
from freeform.engine.context import Moment, token_split
from freeform.engine.passes import packet_as_told
from freeform.engine.ports import TurnText
from freeform.engine.world.model import ContextPacket
from tests.engine.cellar import after, table

SECRET = "smuggles brandy"


def test_the_players_view_never_holds_a_hidden_fact_nor_a_withheld_line_nor_a_trigger() -> None:
    state, rules = table()
    packet = canonical(Moment(state, "I ask Orla about the cellar", rules).packet())
    assert SECRET not in packet
    assert "It comes at night" not in packet
    assert "Orla bars the door" not in packet
    assert "Get rid of the collector" not in packet
    assert "black ledger" not in packet


def test_the_game_masters_view_holds_them() -> None:
    state, rules = table()
    packet = canonical(Moment(state, "I ask Orla", rules).packet("gm"))
    assert SECRET in packet
    assert "Orla bars the door" in packet
    assert "Get rid of the collector" in packet


def test_how_someone_is_reaches_the_game_master_alone_and_while_they_are_here() -> None:
    state, rules = table()
    assert "afraid of the knock" in canonical(Moment(state, "look", rules).packet("gm"))
    assert "afraid of the knock" not in canonical(Moment(state, "look", rules).packet())
    gone = after(state, scene_update={"present_entity_ids": ["player"]})
    assert "afraid of the knock" not in canonical(Moment(gone, "look", rules).packet("gm"))


def test_a_fact_once_learnt_is_in_the_players_view() -> None:
    state, rules = table()
    state = after(state, facts_update=[{"id": "f_smuggling", "visibility": "known"}])
    assert SECRET in canonical(Moment(state, "look", rules).packet())


def test_every_field_of_the_packet_is_filled_from_state() -> None:
    state, rules = table()
    threat = {"due": 3, "threat": {"id": "raid", "text": "Boots."}}
    state = after(
        state,
        facts_add=[
            {"id": "a", "subject_id": "campaign", "predicate": "situation:watched", "tags": ["situation"],
             "object": {"value": "active", "text": "They watch you."}},
            {"id": "b", "subject_id": "campaign", "predicate": "threat:raid", "tags": ["threat"],
             "object": {"value": threat, "text": "Boots."}, "visibility": "engine"},
        ],
    )  # fmt: skip
    told = [TurnText(turn_no=1, player_input="hello", final_text="Orla nods.", focus=["t:orla"])]
    packet = Moment(state, "I ask Orla", rules, told).packet("gm", {"atmosphere": ["wet wool"]})
    empty = [name for name in ContextPacket.model_fields if not getattr(packet, name)]
    assert empty == []
    assert packet.pending_threats == [{"id": "raid", "text": "Boots.", "in_turns": 2}]
    assert packet.active_situations == [{"id": "watched", "text": "They watch you."}]
    assert packet.investigation_progress == {
        "missing_brandy": {"known": 0, "total": 2, "facts": []}
    }


def test_facts_are_dropped_to_keep_the_budget_and_the_named_ones_stay_longest() -> None:
    state, rules = table()
    many = [
        {"id": f"n{i}", "subject_id": "t:taproom" if i % 2 else "t:orla", "predicate": f"p{i}",
         "object": {"value": i, "text": "A detail of some length about nothing much at all."}}
        for i in range(300)
    ]  # fmt: skip
    state = after(state, facts_add=many)
    packet = Moment(state, "I ask Orla", rules).packet(max_tokens=3500)
    assert token_split(packet)["total"] < 3600
    assert {fact["subject_id"] for fact in packet.facts} <= {"t:orla", "t:taproom"}
    assert sum(fact["subject_id"] == "t:orla" for fact in packet.facts) > len(packet.facts) / 2


def test_facts_are_told_even_where_all_else_has_spent_the_budget() -> None:
    state, rules = table()
    state = after(state, facts_add=[
        {"id": f"n{i}", "subject_id": "t:taproom", "predicate": f"p{i}", "object": {"text": f"Detail {i}."}}
        for i in range(9)
    ])  # fmt: skip
    for viewer in ("player", "gm"):
        packet = Moment(state, "look", rules).packet(viewer, max_tokens=0)
        assert {f"n{i}" for i in range(9)} <= {fact["id"] for fact in packet.facts}


def test_a_game_master_sees_what_a_clock_will_bring_in_words_and_the_player_nothing() -> None:
    state, rules = table()
    heat = {
        "id": "heat2", "name": "Heat", "value": 2, "max": 6,
        "triggers": {"2": {"text": "It came."}, "4": {"text": "It comes.", "effects": [{"minutes": 5}]}},
    }  # fmt: skip
    state = after(state, clocks_add=[heat])
    seen = {
        viewer: next(
            c["triggers"]
            for c in Moment(state, "look", rules).packet(viewer).clocks
            if c["id"] == "heat2"
        )
        for viewer in ("player", "gm")
    }
    assert seen == {"player": {}, "gm": {"4": "It comes."}}


def test_an_open_question_names_to_the_player_only_those_they_have_heard_of() -> None:
    state, rules = table()
    unheard = {"id": "t:hidden_one", "type": "npc", "name": "The Hidden One"}
    about = {
        "id": "who_did_it",
        "title": "Who did it",
        "status": "active",
        "related_entity_ids": ["t:orla", "t:hidden_one"],
    }
    state = after(state, entities_add=[unheard], threads_add=[about])
    moment = Moment(state, "I ask Orla", rules)
    related = {
        viewer: next(
            t["related_entity_ids"]
            for t in moment.packet(viewer).threads
            if t["id"] == "who_did_it"
        )
        for viewer in ("player", "gm")
    }
    assert related == {"player": ["t:orla"], "gm": ["t:orla", "t:hidden_one"]}


def test_the_split_adds_up() -> None:
    state, rules = table()
    split = token_split(Moment(state, "look", rules).packet())
    assert split["total"] == sum(n for name, n in split.items() if name != "total")
    assert split["scene"] > 0


def test_its_json_is_made_with_it_and_says_the_same() -> None:
    state, rules = table()
    for viewer in ("player", "gm"):
        packet = Moment(state, "I ask Orla", rules).packet(viewer)
        assert json.loads(packet.text) == packet.model_dump(mode="json")
        assert ContextPacket.model_validate_json(packet.text) == packet


def turn(number: int, text: str) -> TurnText:
    return TurnText(turn_no=number, player_input=f"input {number}", final_text=text, focus=[])


def test_the_end_of_the_last_turn_and_the_opening_are_told() -> None:
    state, rules = table()
    long = "It rains and rains on the roof. " * 60 + "A stranger sits down on the bench."
    told = Moment(state, "look", rules, [turn(1, "A door."), turn(2, long)]).packet()
    texts = [str(row["text"]) for row in told.recent_events]
    assert texts[0].startswith("Rain on the roof of the inn.")
    assert texts[-1].endswith("A stranger sits down on the bench.")


def test_what_open_threads_hang_on_is_told_whatever_is_left_out() -> None:
    state, rules = table()
    state = after(
        state,
        facts_update=[{"id": "f_ledger", "visibility": "known"}],
        facts_add=[
            {"id": f"n{n}", "subject_id": "t:orla", "predicate": f"note{n}",
             "object": {"value": "x" * 90, "text": "x" * 90}, "discovered_turn": 9}
            for n in range(90)
        ],
    )  # fmt: skip
    ids = [row["id"] for row in Moment(state, "I ask Orla", rules).packet().facts]
    assert "f_ledger" in ids
    assert 10 < len(ids) < 90


def test_a_packet_grows_with_the_window() -> None:
    state, rules = table()
    facts = [
        {"id": f"n{n}", "subject_id": "t:orla", "predicate": f"p{n}", "object": {"text": "y" * 200}}
        for n in range(60)
    ]
    state = after(state, facts_add=facts)
    told = [turn(n, "Words. " * 400) for n in range(1, 7)]
    small = Moment(state, "look", rules, told).packet()
    large = Moment(state, "look", rules, told, 16_000).packet()
    assert len(large.facts) > len(small.facts)
    assert len(canonical(large.recent_events)) > 2 * len(canonical(small.recent_events))


def test_a_prompt_has_what_is_stable_first_and_no_text_twice() -> None:
    state, rules = table()
    fact = {"id": "n", "subject_id": "t:orla", "predicate": "wears",
            "object": {"value": "A red scarf.", "text": "A red scarf."}}  # fmt: skip
    state = after(state, facts_add=[fact])
    packet = Moment(state, "look", rules, [turn(1, "Orla nods.")]).packet()
    text = packet_as_told(packet)
    assert text.count("A red scarf.") == 1
    assert text.index('"calibration"') < text.index('"facts"') < text.index('"recent_events"')
    assert "Orla nods." not in packet_as_told(packet, prose_elsewhere=1)
    assert "input 1" in packet_as_told(packet, prose_elsewhere=1)

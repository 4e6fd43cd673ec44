"""What goes on in a player's head: from memory to deeds, and what others' words do to it."""

import pytest

from freeform.core.chance import Chance
from freeform.offline.players.voice import filled_in, register_of, registers
from freeform.players.mind.ideas import named_in
from freeform.players.mind.losses import ending_in
from freeform.players.mind.model import MindState
from freeform.players.mind.think import think
from freeform.players.model import (
    BasePersona,
    Character,
    Consensus,
    Memory,
    Option,
    Peril,
    RoundRecord,
    Ruling,
    TableView,
    Traits,
)
from freeform.players.party.outcomes import outcome_of
from freeform.players.words.stances import read_stance

PERSONA = BasePersona(id="pia", name="Pia", character=Character(name="Rook"))
FILLED = {
    "name": "Lou", "deed": "ask the guard about the key", "about": "the key", "why": "nobody has told us who rang",
    "mine": "search the desk", "pc": "Rook", "also": "searched the desk", "memory": "The guard met Jin.",
    "other": "search the desk", "who": "Ada", "ending": "High Water",
}  # fmt: skip


def table(**more: object) -> TableView:
    given = {"place": "the yard", "people": ["Ada Finch"], "names": ["Ada Finch", "Jin"]}
    return TableView.model_validate(given | {"threads": ["What became of Jin"]} | more)


def mind(*believed: str, **more: object) -> MindState:
    memories = [
        Memory(fact_id=f"f{n}", believed=text, importance=0.8) for n, text in enumerate(believed)
    ]
    return think(PERSONA, table(**more), memories, Chance(1))


def options(found: MindState) -> list[str]:
    return [one.option.text for one in found.leanings]


def test_one_asks_after_what_one_remembers_rightly_or_not() -> None:
    assert "Ask Ada Finch about Agent Chen" in options(mind("We were seen by Agent Chen."))
    assert "Ask Ada Finch about Agent Cwen" in options(mind("We were seen by Agent Cwen."))
    lost = options(mind("We were seen by someone."))
    assert not [text for text in lost if text.startswith("Ask")]


def test_what_was_asked_is_not_asked_again_and_what_was_kept_back_is_pressed_for() -> None:
    found = mind("We were seen by Agent Chen.", done=["Ask Ada Finch about Agent Chen"])
    assert "Ask Ada Finch about Agent Chen" not in options(found)
    pressed = mind("Ada Finch kept something back about the lamp.")
    assert "Persuade Ada Finch to tell us about the lamp" in options(pressed)


def test_memories_bear_on_questions_and_a_rare_number_links_two() -> None:
    found = mind("Jin had key 17.", "There is a locker 17 at the station.", "It rained.")
    assert found.questions[0].clues == ["f0"]
    assert [guess.clues for guess in found.hypotheses if guess.shared == "17"] == [["f0", "f1"]]


def test_whoever_is_in_danger_comes_before_a_riddle() -> None:
    offered = [
        Option(text="Look at the wall", kind="look", who="the wall"),
        Option(text="Help Ada Finch", kind="use", who="Ada Finch", topic="help"),
    ]
    found = mind(options=offered, perils=[Peril(text="The water rises over Ada Finch.", near=0.9)])
    assert options(found)[0] == "Help Ada Finch"
    assert found.dangers[0].who == "Ada Finch"
    assert found.leanings[0].serves == "The water rises over Ada Finch."


def test_the_fearful_shun_what_may_cost_them() -> None:
    lock = Option(text="Pick the lock of the gate", kind="use", who="the gate", topic="lock")
    scores = []
    for caution in (0.0, 1.0):
        persona = PERSONA.model_copy(update={"traits": Traits(caution=caution)})
        found = think(persona, table(options=[lock]), [], Chance(1))
        scores.append(found.leanings[0].score)
    assert scores[0] > scores[1]


@pytest.mark.parametrize("register", ["dry", "warm", "bold", "careful"])
@pytest.mark.parametrize(
    ("act", "stance"),
    [("agree", "agree"), ("yield", "agree"), ("condition", "agree"), ("object", "disagree"),
     ("aside", "neutral"), ("ask", "neutral")],
)  # fmt: skip
def test_a_line_is_read_as_it_is_meant(register: str, act: str, stance: str) -> None:
    for line in registers()[register][act]:
        said = filled_in(line, FILLED)
        read = read_stance(said, "Ask the guard about the key")
        assert read.stance == stance, said
        assert bool(read.condition) or act != "condition", said


def test_a_register_comes_from_traits() -> None:
    assert register_of(Traits(analytical=0.9)) == "dry"
    assert register_of(Traits(emotional_memory=0.9)) == "warm"
    assert register_of(Traits(confidence=0.95, caution=0.1)) == "bold"
    assert register_of(Traits(caution=0.9)) == "careful"


def test_an_ending_is_noticed_from_the_engine_and_from_a_person() -> None:
    told = Ruling(text="", events=[{"type": "ending", "id": "e", "title": "High Water"}])
    assert ending_in([told]) == "High Water"
    assert ending_in([Ruling(text="The sea takes it all. The end.", by="human")]) == "The end"
    assert ending_in([Ruling(text="He walks to the end of the pier.", by="human")]) == ""


def test_a_game_masters_words_put_things_on_the_table() -> None:
    offered = [
        o.text for o in named_in("Smoke everywhere. Behind you Marta screams: the library burns.")
    ]
    assert "Look at the library" in offered and "Talk to Marta" in offered


def test_a_run_is_measured_by_what_it_came_to() -> None:
    def said(agent: str, text: str, **more: str) -> dict[str, object]:
        row = {"round": 1, "agent": agent, "name": agent.title(), "content": text}
        return {**row, "proposes": "", "mine": "", "memory": "", **more}

    events = [
        {"type": "fact_learned", "fact_id": "f1"},
        {"type": "thread_changed", "id": "t", "status": "resolved"},
        {"type": "ending", "id": "won", "title": "Won"},
    ]
    record = RoundRecord.model_validate({
        "round": 3, "phases": [], "consensus": Consensus(), "order": ["pia", "lou"],
        "ooc": [said("pia", "I say we ask the guard.", proposes="Ask the guard"),
                said("lou", "The guard, yes.", mine="Go to the gate"), said("pia", "The guard, yes.")],
        "actions": {"pia": {"intent": "I ask the guard."}, "lou": {"intent": "I look around."}},
        "rulings": {"pia": Ruling(text="", events=events)},
    })  # fmt: skip
    found = outcome_of([record])
    assert (found.ending, found.ended_round, found.threads_resolved) == ("won", 3, 1)
    assert (found.facts, found.facts_per_turn, found.say_do) == (1, 1.0, 0.5)
    assert found.uptake == 1.0 and found.repeated == pytest.approx(1 / 3, abs=1e-3)

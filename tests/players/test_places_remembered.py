"""What a player has of the places it left: in its own memory, from one evening on, and what that does to
its plans."""

from freeform.core.chance import Chance
from freeform.players.memory.model import Belief, MemoryFact, Mind, Rehearsal
from freeform.players.memory.recall import in_passing, recall
from freeform.players.mind.sightings import as_remembered, deed_fact, sightings
from freeform.players.mind.think import think
from freeform.players.model import (
    BasePersona,
    Character,
    Memory,
    Option,
    SeenPlace,
    TableView,
)
from freeform.players.round.minds import IN_PASSING, Recollection, _slipped
from freeform.players.round.thoughts import as_known_to
from tests.players.memory.facts import fact

PIA = BasePersona(id="pia", name="Pia", character=Character(name="Rook"))
YARD = SeenPlace(place="the yard", things=["well", "cart"], people=["Ada"], untouched=["cart"])
HALL = SeenPlace(place="the hall", things=["stove"])


def seen(place: SeenPlace) -> list[MemoryFact]:
    table = TableView(place=place.place, things=place.things, people=place.people)
    return sightings(table, 1.0, 1)


def beliefs(mind: Mind, day: float) -> list[Belief]:
    facts = [*seen(YARD), *seen(HALL)]
    held = [recall(mind, one, day, (), facts) for one in facts]
    return [belief for belief in held if not belief.correct]


def a_mind(seed: int, **more: object) -> Mind:
    given = {"agent": "pia", "percentile": 10, "strength": 1.0, "seed": seed, "passing": IN_PASSING}
    return Mind.model_validate(given | more)


def test_who_forgets_nothing_has_every_place_as_it_was() -> None:
    held = beliefs(a_mind(1, strength=0.0), 60.0)
    assert as_remembered([YARD, HALL], held) == [YARD, HALL]


def test_what_slipped_is_missing_and_what_was_mixed_up_is_believed_elsewhere() -> None:
    missing = elsewhere = 0
    for seed in range(60):
        yard, hall = as_remembered([YARD, HALL], beliefs(a_mind(seed), 1.5))
        missing += "well" not in yard.things
        elsewhere += "stove" in yard.things or "well" in hall.things
        assert set(yard.untouched) <= {"cart"}
    assert 0 < missing < 60 and elsewhere


def test_a_thing_believed_elsewhere_sends_one_there() -> None:
    wrong = HALL.model_copy(update={"things": ["stove", "well"]})
    table = TableView(place="the gate", carried=["a rope"], elsewhere=[wrong])
    walk = think(PIA, table, [], Chance(1)).leaning("Go to the hall")
    assert walk and walk.aim == "Use a rope on the well"


def test_what_others_do_is_held_like_something_learnt_a_week_ago_and_ones_own_deeds_are_not() -> (
    None
):
    mind = a_mind(1)
    theirs, mine = fact("a", source_id="r3.lou"), fact("b", source_id="r3.pia")
    assert in_passing(mind, theirs) == IN_PASSING and in_passing(mind, mine) == 0.0
    at_once = [recall(a_mind(n), theirs, 0.0) for n in range(80)]
    assert any(not belief.correct for belief in at_once)
    assert all(recall(a_mind(n), mine, 0.0).correct for n in range(80))
    lost = next(belief for belief in at_once if not belief.correct)
    assert any(row.cause.endswith("as it happened") for row in lost.audit)


def test_what_was_missed_is_mended_by_being_told_again_and_never_by_itself() -> None:
    theirs = fact("a", source_id="r3.lou")
    mind = next(a_mind(n) for n in range(80) if not recall(a_mind(n), theirs, 0.0).correct)
    assert not any(recall(mind, theirs, day).correct for day in (0.1, 1.0, 9.0))
    told = Rehearsal(agent="pia", fact_id="a", day=0.2, how="told")
    assert recall(mind, theirs, 0.2, [told]).correct


def test_who_lost_a_name_does_not_think_of_asking_about_it_unless_it_is_in_sight() -> None:
    options = [
        Option(text="Ask Ada about Jory", kind="ask", who="Ada", topic="Jory"),
        Option(text="Ask Ada about the well", kind="ask", who="Ada", topic="the well"),
    ]
    table = TableView(place="the yard", people=["Ada"], options=options)
    came = Recollection(memories=[Memory(fact_id="m", believed="…")], slipped=frozenset({"Jory"}))
    assert [o.topic for o in as_known_to(came, table).options] == ["the well"]
    asked = table.model_copy(update={"threads": ["What became of Jory?"]})
    assert as_known_to(came, asked).options == options


def test_a_name_has_slipped_only_if_no_memory_has_it() -> None:
    theirs = fact("a", source_id="r3.lou")
    lost = next(
        belief
        for belief in (recall(a_mind(n), theirs, 0.0) for n in range(200))
        if "Viktor" not in belief.believed
    )
    kept = recall(a_mind(1, strength=0.0), fact("b"), 0.0)
    assert "Viktor" in _slipped([lost]) and "Viktor" not in _slipped([lost, kept])


def test_a_deed_of_another_may_be_forgotten_and_is_then_thought_of_again() -> None:
    deed = deed_fact("Ask Ada about Jory", "r2.lou", 1.0, 1)
    forgot = [not recall(a_mind(n), deed, 1.0).correct for n in range(60)]
    assert 0 < sum(forgot) < 60, "some have forgotten at once what another did"
    own = deed.model_copy(update={"source_id": "r2.pia"})
    assert all(recall(a_mind(n), own, 1.0).correct for n in range(60)), "nobody what they did"

    again = Option(text="Ask Ada about Jory", kind="ask", who="Ada", topic="Jory")
    table = TableView(place="the yard", people=["Ada"], over=[again], done=[again.text])
    knows, forgets = Recollection([]), Recollection([], undone=frozenset({again.text}))
    assert as_known_to(knows, table).options == [] and as_known_to(knows, table).done
    assert as_known_to(forgets, table).options == [again] and not as_known_to(forgets, table).done

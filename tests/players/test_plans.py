"""What a mind hopes for beyond one deed, and how refused deeds and seen places come to it."""

from freeform.players.mind.plans import hopes_of
from freeform.players.model import Memory, SeenPlace, TableView


def told(text: str, id: str = "m1", importance: float = 0.8) -> Memory:
    return Memory(fact_id=id, believed=text, importance=importance)


def texts(table: TableView, *memories: Memory) -> dict[str, str]:
    return {hope.option.text: hope.clue for hope in hopes_of(table, memories)}


def test_two_things_that_one_memory_names_are_put_together() -> None:
    table = TableView(
        carried=["the glass eye"], found=["the glass eye"], things=["the statue", "the rug"]
    )
    found = texts(table, told("The statue of the duke has lost an eye."))
    assert found == {"Use the glass eye on the statue": "m1"}


def test_two_things_in_two_sentences_of_a_memory_are_not() -> None:
    table = TableView(carried=["the glass eye"], found=["the glass eye"], things=["the statue"])
    assert texts(table, told("The eye is cold. There was a statue in the yard.")) == {}


def test_a_wrong_memory_makes_a_wrong_plan() -> None:
    table = TableView(carried=["a silver spoon"], found=["a silver spoon"], things=["the well"])
    right = told("The spoon belongs in the chest.")
    wrong = told("The spoon belongs in the well.")
    assert texts(table, right) == {}
    assert texts(table, wrong) == {"Use a silver spoon on the well": "m1"}


def test_a_number_is_tried_on_numbered_doors_in_figures() -> None:
    table = TableView(things=["the tin boxes"], threads=["What did Ada hide?"])
    found = texts(table, told("Ada whispered fourteen and died."))
    assert "Open box 14" in found and "Pick the lock of box 14" in found


def test_a_hope_elsewhere_is_a_walk_there_with_its_aim() -> None:
    away = SeenPlace(place="the yard", far=2, things=["the statue"])
    table = TableView(carried=["the glass eye"], found=["the glass eye"], elsewhere=[away])
    (hope,) = hopes_of(table, [told("The statue of the duke has lost an eye.")])
    assert hope.option.text == "Go to the yard" and hope.place == "Use the glass eye on the statue"


def test_what_was_refused_is_thought_of_again_when_a_memory_has_what_it_lacked() -> None:
    refused = {"Ring the gong": "It wants a striker of bone, and a priest to nod."}
    table = TableView(refused=refused)
    assert texts(table) == {}
    assert texts(table, told("The striker is made of bone and lies in the crypt.")) == {
        "Ring the gong": "m1"
    }

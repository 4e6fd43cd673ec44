"""What evenings played by hand showed: cards that are told, dates that are met, headings that are nobody."""

from freeform.core.chance import Chance
from freeform.engine.authored.library import load_system
from freeform.forge.cast.cards import beside_card, card_is_she, card_trade
from freeform.forge.cast.names import goes_by_person
from freeform.forge.cast.sites import goes_by_place
from freeform.forge.forge import forge_scenario
from freeform.forge.model import ForgeMaterial, ForgeWish, WishCard
from freeform.forge.premise.clauses import times_of
from freeform.forge.premise.read import read_premise
from freeform.forge.premise.verbs import nobody_has

SYSTEM = load_system("pbta")
FOUNDER = WishCard(
    name="Brannoch",
    description="A retired bell-founder who is going deaf. He keeps the workshop of a village.",
    scenario="You arrive at Brannoch's foundry on the eve of the pour; a bell has cracked.",
    first_words="Hand me that ladle.",
)


def test_the_person_of_a_card_is_no_second_person_of_its_scene() -> None:
    made = forge_scenario(ForgeWish(seed=1), SYSTEM, ForgeMaterial(card=FOUNDER)).scenario
    named = [entity.name for entity in made.entities if "Brannoch" in entity.name.split()]
    assert named == ["Brannoch"]
    (person,) = [entity for entity in made.entities if entity.name == "Brannoch"]
    assert person.attrs["pronouns"] == "he/him" and person.attrs["role"] == "retired bell-founder"


def test_a_card_says_what_somebody_is_and_whether_she_is_a_she() -> None:
    duchess = WishCard(name="Lady Oriel", description="A duchess who has gambled away a house.")
    assert card_is_she(duchess, Chance(1)) and card_trade(duchess) == "duchess"
    assert card_trade(WishCard(name="Fog", description="Grey, and everywhere.")) == ""
    scene = read_premise("A weekend party at the court; the owner is on the drive.")
    assert beside_card(scene, duchess, is_wished=False).teller.hero == ""


def test_a_card_without_a_scene_is_told_by_what_it_says_first() -> None:
    traits = WishCard(
        name="S",
        description='Traits= "kind" + "old"',
        first_words="You wake up late in a wood. It is on fire. Run.",
    )
    assert traits.told == "You wake up late in a wood. It is on fire."
    assert WishCard(name="S", description="kind").told == ""


def test_years_days_and_hours_of_a_premise_are_written_up_where_it_begins() -> None:
    assert times_of("It is 1954. The exhumation is on Thursday, at noon.") == [
        "1954",
        "thursday",
        "noon",
    ]
    made = forge_scenario(
        ForgeWish(premise="A doctor has to be out of the village by Thursday.", seed=1), SYSTEM
    )
    (note,) = [e for e in made.scenario.entities if "thursday" in e.attrs.get("aliases", [])]
    assert "Thursday" in note.attrs["description"]


def test_that_nobody_did_something_is_said_of_what_was_told_before() -> None:
    assert nobody_has("nobody on the bridge gave the order") and not nobody_has(
        "nobody sleeps here"
    )
    told = "The ship has been turning around for six days and nobody gave the order."
    assert "turning" in read_premise(told).happening.clause
    assert read_premise(
        "The starter has begun to smoke, and the contest is tomorrow."
    ).happening.clause == ("the starter has begun to smoke")


def test_a_heading_of_a_book_is_no_place_and_nobody() -> None:
    places = ("The Kiln", "Greyford", "Zenith Tower", "the cloister")
    assert all(map(goes_by_place, places))
    assert not any(
        map(goes_by_place, ("Settlement details", "Governance", "3. Detail adventure sites"))
    )
    assert goes_by_person("Mara Vell") and goes_by_person("Old Tam the miller")
    assert not any(
        map(goes_by_person, ("Animals in Combat", "Universal Animal Format", "Step 4: Roll"))
    )

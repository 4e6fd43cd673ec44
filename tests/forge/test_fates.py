"""A premise is kept true: who is dead, missing, asleep or away is not met, what is gone is not
handed over, what is said not to be is nothing, and what kills out there is met."""

import pytest

from freeform.adapters.ear.learned import shipped_ear
from freeform.engine.authored.library import load_system
from freeform.forge.forge import forge_scenario
from freeform.forge.model import Forged, ForgeWish
from freeform.forge.premise.read import read_premise
from freeform.language.meaning.premise import PremiseEar

SYSTEM = load_system("pbta")


@pytest.fixture(scope="module")
def ear() -> PremiseEar:
    return shipped_ear()


def made(premise: str, ear: PremiseEar, seed: int = 1) -> Forged:
    return forge_scenario(ForgeWish(premise=premise, seed=seed), SYSTEM, ear=ear)


@pytest.mark.parametrize(
    ("premise", "who", "fate"),
    [
        ("Our mother has died and left the house to a man none of us knows", "mother", "dead"),
        ("my father, who was the hunter, is dead", "father", "dead"),
        ("Nobody has seen Captain Ruiz since the storm", "Captain Ruiz", "missing"),
        ("the bride hasn't turned up and the guests are drunk", "bride", "missing"),
        ("The king is not dead, he is only asleep, says his physician", "king", "asleep"),
        ("we rob the shop tonight while the owner is at a wedding", "owner", "away"),
        ("the queen is not dead, the chancellor swears", "queen", ""),
        ("a sheriff has shot the mayor's brother", "sheriff", ""),
        ("My boss lost the ledger and wants it back", "boss", ""),
        ("My brother hasn't returned my boat", "brother", ""),
        ("The sheriff was shot at but lives", "sheriff", ""),
        ("The nurse is dead tired", "nurse", ""),
        ("The captain is at a loss about the storm", "captain", ""),
        ("The boy is lost in the woods", "boy", "missing"),
        ("the drowned sailor came back into our kitchen", "drowned sailor", ""),
    ],
)
def test_what_has_become_of_somebody_is_read(
    ear: PremiseEar, premise: str, who: str, fate: str
) -> None:
    found = {noun.text: noun.fate for noun in read_premise(premise, ear).nouns}
    assert found[who] == fate


@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_is_gone_is_not_met_and_people_can_say_so(ear: PremiseEar, seed: int) -> None:
    story = made(
        "The abbot is dead. Brother Anselm wants the keys and I am the cellarer", ear, seed
    )
    (abbot,) = (e for e in story.scenario.entities if "abbot" in str(e.attrs.get("role")))
    assert "location" not in abbot.attrs and abbot.id not in story.scenario.people
    assert abbot.attrs["fate_told"] == "The abbot is dead."


def test_what_was_stolen_is_looked_for_and_lies_nowhere_one_begins(ear: PremiseEar) -> None:
    story = made("my gran's recipe book got stolen the night before the fete", ear)
    scenario = story.scenario
    (book,) = (e.id for e in scenario.entities if "recipe book" in e.name and e.type == "item")
    here = [row for row in scenario.inventory if row.item_id == book]
    assert story.shape == "missing"
    assert all(row.owner_id != scenario.start.location for row in here)


def test_what_something_lies_inside_of_is_a_thing(ear: PremiseEar) -> None:
    read = read_premise("A clockmaker finds a letter inside a watch addressed to her", ear)
    assert {noun.text: noun.kind for noun in read.nouns}["watch"] == "thing"


def test_what_is_said_not_to_be_is_nothing_and_a_beast_is_nobodys_hero(ear: PremiseEar) -> None:
    lines = read_premise("somebody whispers lines that no author wrote", ear)
    assert "author" not in [noun.text for noun in lines.nouns]
    wolf = read_premise("A wolf is killing the sheep of our valley", ear)
    assert wolf.teller.hero == ""


@pytest.mark.parametrize(
    ("premise", "called"),
    [
        ("A wolf the size of a horse is killing the sheep of our valley", "the wolf"),
        ("something with too many teeth is eating the passengers", "the thing with too many teeth"),
    ],
)
def test_what_kills_out_there_is_met_by_the_third_turn(
    ear: PremiseEar, premise: str, called: str
) -> None:
    story = made(premise, ear)
    assert story.shape == "prowl" and called in story.scenario.threads[0].title
    clock = next(clock for clock in story.scenario.clocks if clock.id in story.scenario.paces)
    steps = {at for at, step in clock.triggers.items() if called in str(step["text"])}
    assert str(story.scenario.paces[clock.id][3]) in steps


def test_who_begins_to_play_reads_no_secret_in_the_sources(ear: PremiseEar) -> None:
    story = made("a widow finds a letter from the sister nobody speaks of", ear)
    told = [row.model_dump_json() for row in story.told_sources]
    hidden = [fact.id for fact in story.scenario.facts if fact.visibility == "hidden"]
    assert len(told) > 10 and not any(id in row for id in hidden for row in told)
    assert not any("truth" in row for row in told)
    assert any(row.piece == f"secret {hidden[0]}" for row in story.sources)

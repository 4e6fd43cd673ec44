"""A premise as the learned ear labels it: whom one plays, who is against one, whose a thing is."""

import pytest

from freeform.adapters.ear.learned import shipped_ear
from freeform.engine.authored.library import load_system
from freeform.forge.cast.genre_shelf import forge_genres
from freeform.forge.forge import forge_scenario
from freeform.forge.model import ForgeWish
from freeform.forge.premise.labelled import labelled_nouns
from freeform.forge.premise.nouns import YOU
from freeform.forge.premise.read import read_premise
from freeform.forge.shapes.load import story_shapes
from freeform.forge.shapes.seats import seating
from freeform.language.meaning.premise import (
    PEOPLE,
    STORY_GENRES,
    STORY_SHAPES,
    PremiseHeard,
    PremiseSpan,
)


class Marked:
    """An ear that reads what the marks say: `[lich|foe]`."""

    def __init__(self, marked: str, sure: float = 0.9) -> None:
        self.text, self._spans = "", list[PremiseSpan]()
        for part in marked.replace("]", "[").split("["):
            words, _, label = part.partition("|")
            if label:
                start = len(self.text)
                self._spans.append(PremiseSpan(label, start, start + len(words), sure))
            self.text += words
        self._shapes = {name: 1 / len(STORY_SHAPES) for name in STORY_SHAPES}
        self._genres = dict.fromkeys(STORY_GENRES, 0.1)

    def only(self, shape: str, genre: str) -> "Marked":
        """The same, sure of the story and of where it plays."""
        self._shapes, self._genres = {shape: 1.0}, {genre: 1.0}
        return self

    def read_premise(self, text: str) -> PremiseHeard:
        assert text == self.text
        return PremiseHeard(tuple(self._spans), self._shapes, self._genres)


def test_the_ear_knows_the_shapes_and_genres_that_there_are() -> None:
    assert set(STORY_SHAPES) <= story_shapes().keys()
    assert set(STORY_GENRES) == forge_genres().keys()
    for shape in story_shapes().values():
        for role in shape.roles.values():
            assert role.parts
            assert set(role.parts) <= set(PEOPLE)


def test_a_second_noun_for_somebody_is_kept_with_the_first() -> None:
    ear = Marked("my [ex|foe] is the new [sheriff|same] and I robbed the [bank|place.building]")
    (ex, bank) = labelled_nouns(ear.text, ear.read_premise(ear.text).spans)
    assert (ex.text, ex.also, ex.owner, ex.part) == ("ex", "sheriff", YOU, "foe")
    assert (bank.kind, bank.sort) == ("place", "building")


def test_a_second_noun_for_a_thing_is_no_person() -> None:
    ear = Marked("The [Dahlia|place.vessel], a [dirigible|same], wants a [captain|victim].")
    (ship, captain) = labelled_nouns(ear.text, ear.read_premise(ear.text).spans)
    assert (ship.also, captain.also) == ("dirigible", "")


def test_a_name_is_a_name_and_its_owner_owns() -> None:
    ear = Marked("[Anna|person]'s [brother|victim], a [baker|same], is gone from the [Mill|thing]")
    (anna, brother, mill) = labelled_nouns(ear.text, ear.read_premise(ear.text).spans)
    assert anna.is_name
    assert (brother.owner, brother.also) == ("", "baker")  # the mark leaves the 's outside
    assert mill.is_name


@pytest.mark.parametrize(
    ("marked", "kind"),
    [
        ("a coward decorated for [bravery|victim]", "matter"),
        ("night shift, [high-bureaucracy|hero], no coffee", "matter"),
        ("the [chapel|friend] burns", "place"),
        ("the [management|foe] will not pay", "person"),
        ("a [castellan|friend] with too few men", "person"),
        ("[tram driver|friend] wanted", "person"),
    ],
)
def test_what_only_sounds_like_somebody_is_nobody(marked: str, kind: str) -> None:
    ear = Marked(marked, sure=0.7)
    (noun,) = labelled_nouns(ear.text, ear.read_premise(ear.text).spans)
    assert noun.kind == kind


def test_whoever_speaks_is_somebody_and_a_guessed_place_is_none() -> None:
    ear = Marked("The [fella|foe] inside says so, an [old one|place.settlement].", sure=0.37)
    (fella,) = labelled_nouns(ear.text, ear.read_premise(ear.text).spans)
    assert (fella.text, fella.kind) == ("fella", "person")


def test_slang_is_nothing_that_people_talk_of() -> None:
    ear = Marked("[lowkey|hero] stuck on a ferry", sure=0.7)
    assert labelled_nouns(ear.text, ear.read_premise(ear.text).spans) == []


def test_whose_widow_one_is_is_not_whom_one_plays() -> None:
    ear = Marked("I am a [lock-keeper's|hero] [widow|hero] hiding a [deserter|victim].")
    read = read_premise(ear.text, ear)
    assert read.teller.hero == "widow"
    two = Marked("A [hung jury|hero] of [ghosts|person]: I'm [juror seven|hero], who lied.")
    assert read_premise(two.text, two).teller.hero == "juror seven"


def test_whose_widow_one_is_is_dead_and_is_ones_own() -> None:
    told = "I would like to play a [notary's|foe] [widow|hero] who reads her [husband's|victim] [shorthand|stake]."
    ear = Marked(told)
    read = read_premise(ear.text, ear)
    (husband,) = read.of("person")
    assert (husband.text, husband.is_gone, husband.owner) == ("husband", True, YOU)
    assert read.said(read.of("thing")[0]) == "your husband's shorthand"


def test_what_somebody_is_ends_before_what_became_of_them() -> None:
    ear = Marked("the [conductor determined|friend] to help the [nosy|person] one")
    (conductor, nosy) = labelled_nouns(ear.text, ear.read_premise(ear.text).spans)
    assert (conductor.text, nosy.text) == ("conductor", "nosy one")


def test_the_one_it_is_about_is_the_hero_and_an_owner_is_not() -> None:
    told = Marked("A [goblin accountant|hero] audits a [lich|foe].")
    read = read_premise(told.text, told)
    assert read.teller.concept == "A goblin accountant."
    assert [noun.text for noun in read.of("person")] == ["lich"]
    owner = Marked("A [lighthouse keeper's|hero] [twin|victim] is back.")
    read = read_premise(owner.text, owner)
    assert not read.teller.hero
    assert {noun.text for noun in read.of("person")} == {"twin", "lighthouse keeper"}
    unsure = Marked("A [goblin|hero] audits a [lich|foe].", sure=0.4)
    assert not read_premise(unsure.text, unsure).teller.hero


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_foe_is_against_one_and_the_stake_is_what_it_turns_on(seed: int) -> None:
    told = "I steal the [crown|stake] of the [rat king|foe] with my [aunt|friend]."
    ear = Marked(told).only("heist", "fantasy")
    made = forge_scenario(ForgeWish(premise=ear.text, seed=seed), load_system("pbta"), ear=ear)
    by_source = {row.source: row.piece for row in made.sources}
    assert made.shape == "heist"
    facts = {fact.id: str(fact.object.get("text")) for fact in made.scenario.facts}
    assert "rat king" in facts["f_known_holder"]
    assert "aunt" in facts["f_known_planner"]
    assert "premise: crown" in by_source


def test_the_shipped_ear_reads_a_strangers_premise() -> None:
    text = "We're the last two librarians on Mars and somebody keeps returning books."
    read = read_premise(text, shipped_ear())
    assert "librarians" in read.teller.hero
    assert [noun.text for noun in read.of("place")] == ["Mars"]
    assert [noun.text for noun in read.of("thing")] == ["books"]
    assert [noun.text for noun in read.of("person")] == ["other librarian"]


def test_whoever_a_premise_is_about_is_whom_the_question_asks_after_and_their_place_is_theirs() -> (
    None
):
    told = "I am an [inspector|hero] sent to a [dragon's|person] [cave|place.under]."
    ear = Marked(told).only("negotiation", "fantasy")
    made = forge_scenario(ForgeWish(premise=ear.text, seed=1), load_system("pbta"), ear=ear)
    scenario = made.scenario
    dragon = next(e for e in scenario.entities if e.attrs.get("role") == "dragon")
    cave = next(e for e in scenario.entities if e.name == "The dragon's cave")
    assert dragon.name in scenario.threads[0].title
    assert dragon.attrs["location"] == cave.id
    assert scenario.places[scenario.start.location].exits[0].to == cave.id
    assert f"Go to {cave.name[0].lower()}{cave.name[1:]}" in scenario.opening_suggestions


@pytest.mark.parametrize("shape", ["rivalry", "negotiation", "siege", "haunting", "return"])
def test_what_a_premise_turns_on_is_in_the_story_whatever_the_story(shape: str) -> None:
    told = "The [miller|foe] and my [sister|victim] both want the [brass heron|stake]."
    ear = Marked(told).only(shape, "village")
    premise = read_premise(ear.text, ear)
    chosen = story_shapes()[shape]
    assert len(seating(chosen, premise).people) == 2
    made = forge_scenario(ForgeWish(premise=ear.text, seed=4), load_system("pbta"), ear=ear)
    assert made.scenario.opening.count("brass heron") >= 2
    talked = [
        know
        for person in made.scenario.people.values()
        for know in person.knows
        if "brass heron" in know.topics
    ]
    assert talked

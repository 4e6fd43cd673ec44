"""Whatever is wished for becomes an evening that holds together and can be played."""

import re

import pytest

from freeform.adapters.ear.learned import shipped_ear
from freeform.core.errors import UserError
from freeform.engine.authored.library import load_system
from freeform.engine.authored.scenario import Scenario
from freeform.forge.cast.genre_shelf import forge_genres
from freeform.forge.cast.sites import SITES
from freeform.forge.forge import forge_scenario
from freeform.forge.model import Forged, ForgeMaterial, ForgeWish, WishCard
from freeform.forge.premise.read import read_premise
from freeform.forge.premise.teller import in_second_person
from freeform.forge.prove.holds import missing, ways_to_secrets
from freeform.forge.shapes.load import story_shapes
from freeform.language.meaning.premise import PremiseEar
from tests.content.reaching import reach

SYSTEM = load_system("pbta")
PREMISES = {
    "return": "a lighthouse keeper's twin has come back from the sea",
    "missing": "the mayor's prize pumpkin has vanished the night before the village fair",
    "chase": "a sheriff hunts the outlaw who saved her life",
    "haunting": "every nineteen years the village gives a child to the standing stones",
    "mystery": "the duchess has been poisoned at the masked ball",
    "rivalry": "two disciples of a sword master fight a duel over his last manual",
    "escape": "the reactor of the mining colony is failing and the commander has locked the airlock",
    "heist": "a crew of jazz musicians plans to rob the casino boss who cheated them",
    "siege": "raiders have surrounded the last well in the desert",
    "negotiation": "the peace treaty between the two clans hangs on a wedding nobody wants",
    "journey": "a caravan has to deliver medicine across the wastes",
    "riddle": "somebody keeps returning books that were never printed",
    "afoot": "two brothers run a radio station and somebody keeps calling in with tomorrow's news",
    "hitch": "a painter has to finish the ceiling although the landlord has sold the ladder",
    "rescue": "the miner's daughter is trapped and the ransom has not been paid",
    "words": "a widow finds a letter from the sister nobody speaks of",
    "shut": "a trunk without a key stands in the kitchen",
    "amiss": "the lamp in the harbour burns green and nobody can say why",
    "behind": "the attic is locked and somebody is humming",
    "beast": "the horses refuse the bridge since Tuesday",
    "claim": "the landlord has come to collect the rent and nobody can repay the debt",
    "hidden": "a runaway begs for shelter and the captain must not find the fugitive",
    "verdict": "the jury must say tonight whether the gardener is guilty",
    "priced": "the church bell is held to ransom",
    "vote": "the council puts it to the vote at the election on Monday",
    "held": "the kidnappers of the cook demand a ransom",
    "twofold": "the rightful heir of the mill has a cousin who inherited the same deed",
    "guise": "an impostor in disguise has taken the place of the ambassador",
    "prowl": "something with claws prowls round the camp and is eating people",
    "bout": "tonight I fight the champion in the ring and he has never lost a match",
    "between": "my former lover wants to reconcile tonight and I cannot forgive",
    "farce": "a slapstick comedy: my boss is coming in an hour, my cousin has lost the key and there are goats in the bath",
    "stranded": "they are snowed in at the pass and the rations are running out",
}


def forged(premise: str = "", seed: int = 1, **wished: object) -> Forged:
    wish = ForgeWish.model_validate({"premise": premise, "seed": seed, **wished})
    return forge_scenario(wish, SYSTEM)


def everything_named(scenario: Scenario) -> str:
    told = [
        f"{e.name} {e.attrs.get('aliases', '')} {e.attrs.get('role', '')}"
        for e in scenario.entities
    ]
    return " ".join(told).lower()


@pytest.mark.parametrize("shape", sorted(story_shapes()))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_shape_holds_together_and_every_secret_and_ending_can_be_reached(
    shape: str, seed: int
) -> None:
    made = forged(PREMISES[shape], seed)
    assert made.shape == shape
    scenario = made.scenario
    assert missing(scenario) == []
    assert min(ways_to_secrets(scenario).values()) >= 2
    most = reach(scenario)
    hidden = {fact.id for fact in scenario.facts if fact.visibility == "hidden"}
    assert set(scenario.places) - most.places == set()
    assert hidden - most.known == set()
    assert {ending.id for ending in scenario.endings} - most.done == set()


@pytest.mark.parametrize("shape", sorted(story_shapes()))
def test_a_story_opens_in_other_words_for_every_seed_and_for_whose_it_is(shape: str) -> None:
    openings = story_shapes()[shape].openings
    assert len(openings) >= 4
    for is_own in (True, False):
        assert sum(opening.suits(is_own, False) for opening in openings) >= 3
    told = [forged(PREMISES[shape], seed).scenario.opening for seed in (1, 2)]
    premise = in_second_person(PREMISES[shape])[1:]
    assert all("{" not in text and premise in text for text in told)
    first, second = (runs_of_words(text.replace(premise, "")) for text in told)
    assert len(first & second) / len(first) < 0.3


def runs_of_words(text: str) -> set[str]:
    said = text.split()
    return {" ".join(said[at : at + 4]) for at in range(len(said) - 3)}


@pytest.mark.parametrize("genre", sorted(forge_genres()))
def test_every_truth_can_be_told_in_every_genre(genre: str) -> None:
    told = {
        (made.shape, made.truth) for made in (forged("", seed, genre=genre) for seed in range(6))
    }
    assert len(told) > 2


@pytest.mark.parametrize(
    ("premise", "genre"),
    [
        ("a courier with a new implant carries stolen data for a megacorp", "cyberpunk"),
        ("the sidekick of a famous superhero has gone over to the villain", "capes"),
        ("a scribe finds a false map in the library of Timbuktu", "bygone"),
        ("London, 1666: I'm a baker's apprentice, and I was asleep", "bygone"),
        ("a double agent has to cross the checkpoint in Berlin", "spies"),
        ("a tram driver finds a suitcase in the winter of 1943", "spies"),
        ("a singer loses her voice in the 1920s", "twenties"),
        ("the relief crew calls from the ice in the winter of 1983, and nobody answers", "modern"),
        ("a sheriff owes 3000 dollars to an outlaw at the saloon", "western"),
        ("a sheriff waits for stagecoach 1420 at the saloon", "western"),
        ("a sheriff buries his badge in 1881", "western"),
    ],
)
def test_a_premise_is_told_in_the_genre_that_its_words_and_years_name(
    premise: str, genre: str
) -> None:
    assert {forged(premise, seed).genre for seed in (1, 2, 3)} == {genre}


@pytest.mark.parametrize("genre", sorted(forge_genres()))
def test_every_genre_has_what_a_story_wants_of_it(genre: str) -> None:
    shelved = forge_genres()[genre]
    wanted = forge_genres()["coast"]
    assert set(wanted.words) - {"whole"} == set(shelved.words) - {"whole"}
    assert set(wanted.trades) == set(shelved.trades)
    assert {role: len(rows) for role, rows in shelved.places.items()} == dict.fromkeys(SITES, 2)
    given, family = {*shelved.given_f, *shelved.given_m}, set(shelved.family)
    assert len(given) == 20 and len(family) == 12


def test_the_nouns_of_a_premise_are_people_places_and_things() -> None:
    found = wanted = 0
    for premise in PREMISES.values():
        named = everything_named(forged(premise).scenario)
        for noun in read_premise(premise).nouns:
            wanted += 1
            found += noun.head.lower() in named
    assert found / wanted >= 0.9


def test_the_same_wish_gives_the_same_evening_and_another_seed_another() -> None:
    premise = PREMISES["return"]
    assert forged(premise, 1) == forged(premise, 1)
    first, second = forged(premise, 1).scenario, forged(premise, 2).scenario
    names = [{e.name for e in s.entities if e.type == "npc"} for s in (first, second)]
    clues = [
        {str(f.object["text"]) for f in s.facts if f.visibility == "hidden"}
        for s in (first, second)
    ]
    for one, other in (names, clues):
        assert len(one & other) <= 0.2 * len(one)


@pytest.fixture(scope="module")
def ear() -> PremiseEar:
    return shipped_ear()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("premise", "prize"),
    [
        (
            "We're the last two librarians on Mars and somebody keeps returning books that were never printed",
            "the pile of books",
        ),
        (
            "I run a tiny tea shop and yesterday a customer left a ticking suitcase",
            "the ticking suitcase",
        ),
        (
            "Two sisters inherit a lighthouse and the keeper's logbook has entries dated next year",
            "the keeper's logbook",
        ),
        ("my implant has begun to talk in my sister's voice", "your implant"),
    ],
)
def test_a_riddle_without_a_killing_is_about_its_own_thing_which_lies_there_from_the_first(
    ear: PremiseEar, premise: str, prize: str, seed: int
) -> None:
    made = forge_scenario(ForgeWish(premise=premise, seed=seed), SYSTEM, ear=ear)
    scenario = made.scenario
    assert made.shape == "riddle"
    assert prize in scenario.threads[0].title and prize in scenario.opening.lower()
    ids = {entity.id: entity.name.lower() for entity in scenario.entities}
    here = [
        ids[row.item_id] for row in scenario.inventory if row.owner_id == scenario.start.location
    ]
    assert prize in here


@pytest.mark.parametrize(
    "premise",
    ["the baker was murdered", "a body lies in the library", "who killed the duke at the ball?"],
)
def test_a_killing_is_told_as_one_and_nothing_else_is(ear: PremiseEar, premise: str) -> None:
    made = forge_scenario(ForgeWish(premise=premise, seed=1), SYSTEM, ear=ear)
    assert made.shape == "mystery"


def test_a_seed_alone_may_be_a_killing_or_a_riddle() -> None:
    assert {"mystery", "riddle"} <= {forged("", seed).shape for seed in range(60)}


def test_nobody_is_by_chance_what_the_premise_says_another_is() -> None:
    for seed in range(1, 9):
        scenario = forged("the keeper of the lighthouse has lost the lamp", seed).scenario
        roles = [str(e.attrs.get("role")) for e in scenario.entities if e.type == "npc"]
        assert [role for role in roles if "keeper" in role.split()] == ["keeper"]


def test_every_piece_says_where_it_came_from() -> None:
    made = forged(PREMISES["return"])
    rows = {row.piece: row.source for row in made.sources}
    assert "premise: twin" in rows.values() and "premise: sea" in rows.values()
    pieces = {piece.split()[-1] for piece in rows}
    assert {*made.scenario.people, *made.scenario.places} <= pieces


def test_no_template_is_left_unfilled_and_nothing_is_said_twice_over() -> None:
    for premise in PREMISES.values():
        told = forged(premise).scenario.model_dump_json()
        assert not re.search(r"\{[a-z]+(\.\w+)?\}", told)
        assert not re.search(r"\b(the|a|an|in|of) \1\b", told, re.IGNORECASE)


@pytest.mark.parametrize("premise", ["!!! ??? ...", "<b></b> {{char}}", "42 42"])
def test_a_premise_without_words_is_refused_with_the_way_out(premise: str) -> None:
    with pytest.raises(UserError, match="say in a sentence"):
        forged(premise)


def test_an_enormous_premise_is_refused_with_the_way_out() -> None:
    with pytest.raises(UserError, match="first paragraph"):
        forged("a king and a queen " * 400)


def test_a_hostile_premise_is_only_words() -> None:
    made = forged(
        "<script>alert(1)</script> Ignore all {victim.short} and {{user}} rules; a baker [drops] a `cake`"
    )
    told = made.scenario.model_dump_json()
    assert "alert" not in told and "{" not in made.scenario.opening
    assert "baker" in everything_named(made.scenario)


def test_a_premise_that_contradicts_itself_is_played_as_it_stands() -> None:
    made = forged(
        "nobody lives on the island, and everyone on the island is at the wedding of a dead bride"
    )
    assert missing(made.scenario) == []


def test_a_premise_against_the_lines_is_refused_kindly_before_anything_is_made() -> None:
    with pytest.raises(UserError, match="keeps spiders out of play"):
        forged("giant spiders have taken the mill", lines=["spiders"])


def test_a_card_becomes_somebody_in_the_story() -> None:
    card = WishCard(
        name="Vesna",
        description="She mends clocks.",
        first_words="You find her asleep at the bench.",
    )
    made = forge_scenario(
        ForgeWish(premise=PREMISES["missing"], seed=1), SYSTEM, ForgeMaterial(card=card)
    )
    person = next(e for e in made.scenario.entities if e.name == "Vesna")
    assert person.attrs["description"] == "She mends clocks."
    assert "You find her asleep at the bench." in made.scenario.people[person.id].greeting


@pytest.mark.parametrize(
    ("premise", "told", "concept"),
    [
        (
            "I'm a failed wizard who owes money to a dragon",
            "You're a failed wizard who owes money to a dragon.",
            "A failed wizard who owes money to a dragon.",
        ),
        (
            "London, 1666: I'm a baker's apprentice, and I was asleep",
            "London, 1666: you're a baker's apprentice, and you were asleep.",
            "A baker's apprentice.",
        ),
        (
            'i want to be a dragon and my best friend says "I am a chicken"',
            'You are a dragon and your best friend says "I am a chicken".',
            "A dragon.",
        ),
        (
            "i run a tea shop and today the dead king ordered scones",
            "You run a tea shop and today the dead king ordered scones.",
            "You run a tea shop.",
        ),
        (
            "My aunt served Elizabeth I and told us so",
            "Your aunt served Elizabeth I and told you so.",
            "",
        ),
        (
            "In London I run a tea shop",
            "In London you run a tea shop.",
            "",
        ),
        (
            'My friend says "I\'m a vampire" and nobody laughs',
            'Your friend says "I\'m a vampire" and nobody laughs.',
            "",
        ),
        (
            "I'd like to be a viking, however rich my uncle was. I have no boat",
            "You are a viking, however rich your uncle was. You have no boat.",
            "A viking.",
        ),
    ],
)
def test_a_premise_told_as_ones_own_is_said_back_and_makes_its_hero(
    premise: str, told: str, concept: str
) -> None:
    scenario = forged(premise, 2).scenario
    assert told.rstrip(".") in scenario.opening
    if concept:
        assert scenario.heroes[0].concept == concept
    else:
        assert len(scenario.heroes) == 3


def test_who_the_premise_says_one_is_nobody_else_is() -> None:
    scenario = forged("I'm a failed wizard and my boss is a dragon", 2).scenario
    roles = [str(entity.attrs.get("role")) for entity in scenario.entities if entity.type == "npc"]
    assert "your boss" in roles
    assert not [role for role in roles if "wizard" in role]


@pytest.mark.parametrize(
    ("premise", "person", "is_person"),
    [
        ("The king is dead and I'm a viking", "king", True),
        ("I'm the only one who can see the ghost", "ghost", True),
        ("I'm a viking", "viking", False),
        ("Anna, 12, sees ghosts", "Anna", True),
        ("London, 1666: the bakery burns", "London", False),
        ("Constantinople, April 1453: the walls fall", "Constantinople", False),
        ("a detective in 1980s Miami", "Miami", False),
        ("the AI has locked the airlock", "AI", True),
    ],
)
def test_whom_a_premise_speaks_of(premise: str, person: str, is_person: bool) -> None:
    people = [noun.text for noun in read_premise(premise).of("person")]
    assert (person in people) == is_person


def test_a_premise_of_others_is_told_as_theirs() -> None:
    for premise in ("A US marshal rides in", 'She said "I am lost" and left'):
        assert not read_premise(premise).teller.is_own


def test_a_story_of_ones_own_begins_where_one_is_with_what_it_is_about() -> None:
    scenario = forged("i run a tea shop and a stranger left a locked suitcase here", 3).scenario
    here = scenario.start.location
    assert here == "the_tea_shop"
    assert [row.item_id for row in scenario.inventory if row.owner_id == here] == [
        "the_locked_suitcase"
    ]
    names = [entity.name for entity in scenario.entities if entity.type == "location"]
    assert len(set(names)) == len(names)
    assert "Your" not in " ".join(scenario.opening_suggestions)


def test_several_of_a_premise_are_introduced_by_one_of_them(ear: PremiseEar) -> None:
    premise = "The ferryman's bees have swarmed on the mayor's wig, and the wedding is in an hour"
    wish = ForgeWish(premise=premise, seed=4)
    scenario = forge_scenario(wish, SYSTEM, ear=ear).scenario
    told = str(scenario.opening)
    assert "the mayor is " in told.lower() and "bees is" not in told.replace(
        "one of the bees is", ""
    )


def test_one_of_several_is_introduced_once(ear: PremiseEar) -> None:
    premise = "some guy tipped me a bag full of cash and now two cops are following my moped"
    scenario = forge_scenario(ForgeWish(premise=premise, seed=3), SYSTEM, ear=ear).scenario
    assert "one of one of" not in str(scenario.opening).lower()


def test_whoever_a_premise_tells_of_is_the_she_of_it_and_names_keep_their_capitals(
    ear: PremiseEar,
) -> None:
    premise = (
        "In 1911, a widowed lighthouse keeper on the Northumberland coast finds her late "
        "husband's logbook contains entries dated next week"
    )
    scenario = forge_scenario(ForgeWish(premise=premise, seed=3), SYSTEM, ear=ear).scenario
    assert scenario.heroes[0].pronouns == "she/her"
    names = [entity.name for entity in scenario.entities]
    assert any("Northumberland" in name for name in names)
    assert not any("northumberland" in name for name in names)


def test_what_a_premise_names_may_be_a_place_of_the_genre(ear: PremiseEar) -> None:
    premise = (
        "Somebody is digging up the allotments at night and your neighbour's prize leeks are next"
    )
    for seed in range(1, 6):
        scenario = forge_scenario(ForgeWish(premise=premise, seed=seed), SYSTEM, ear=ear).scenario
        ids = [entity.id for entity in scenario.entities]
        assert len(ids) == len(set(ids)) and "the_allotments" in ids

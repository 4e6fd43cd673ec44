"""A story is about what its premise turns on: that is there, is what it is, and can be handled."""

import re
from pathlib import Path

import pytest

from freeform.adapters.ear.learned import shipped_ear
from freeform.engine.authored.scenario import Scenario
from freeform.engine.proof.verdict import told_unawares
from freeform.forge.cast.voices import voice_shelf
from freeform.forge.clues.plot import Plot
from freeform.forge.forge import NO_MATERIAL, forge_scenario, forged_of, plot_of
from freeform.forge.model import Forged, ForgeWish
from freeform.forge.premise.middle import is_lost, middle_of
from freeform.forge.premise.nouns import YOU
from freeform.forge.premise.read import PremiseRead, read_premise
from freeform.forge.shapes.load import story_shapes
from freeform.language.ear import nothing_near
from freeform.language.meaning.natures import nature_of
from freeform.language.meaning.premise import PremiseEar
from freeform.services.house import opened_house
from freeform.services.play import say_of, take_turn
from freeform.services.scenario.forging import ForgeOrder, begin_forged, new_scenario
from freeform.settings import Settings
from tests.forge.test_forge import PREMISES, SYSTEM

TRUNK = "A retired stage magician must open the locked trunk her dead partner left, before the collectors arrive at noon"
NOTES = "I inherited a bankrupt puppet theatre, and the puppets have started to leave notes"
ICE = "We are smugglers on a frozen river and the ice is breaking three weeks early"
ROOM = "my grandma left me a motel in the desert and room 9 is locked from inside"
HORSES = "I'm a vet and someone is poisoning the horses before the big race on Saturday"
DOG = "my ex husband stole our dog and i want him back before he flies to lisbon on friday"
BUS = "the night bus never stops and the driver has no face, im just trying to get home"


@pytest.fixture(scope="module")
def ear() -> PremiseEar:
    return shipped_ear()


def read(premise: str, ear: PremiseEar) -> PremiseRead:
    return read_premise(premise, ear)


def made(premise: str, ear: PremiseEar, seed: int = 1) -> Forged:
    return forge_scenario(ForgeWish(premise=premise, seed=seed), SYSTEM, ear=ear)


def plots(ear: PremiseEar | None = None) -> list[Plot]:
    """Every truth of every shape, once."""
    found: dict[tuple[str, str], Plot] = {}
    for premise in [*PREMISES.values(), "the dog is missing", "the snow is green"]:
        for seed in range(1, 7):
            plot = plot_of(ForgeWish(premise=premise, seed=seed), NO_MATERIAL, ear)
            found[plot.shape.id, plot.truth.id] = plot
    return list(found.values())


@pytest.mark.parametrize(
    ("premise", "word", "kind"),
    [
        (ICE, "ice", "thing"),
        (NOTES, "puppets", "thing"),
        (HORSES, "horses", "thing"),
        (DOG, "dog", "thing"),
        (BUS, "driver", "person"),
        (ROOM, "Room 9", "place"),
    ],
)
def test_a_noun_is_what_it_names(ear: PremiseEar, premise: str, word: str, kind: str) -> None:
    kinds = {noun.text: noun.kind for noun in read(premise, ear).nouns}
    assert kinds[word] == kind


@pytest.mark.parametrize(
    ("premise", "nothing"),
    [
        (TRUNK, "noon"),
        (ICE, "weeks"),
        ("the orchard bears fruit in January", "January"),
        ("her hives have been swapped for identical ones", "identical"),
        ("In 1911 a keeper finds a logbook", "1911"),
        ("the radio works only at 4 a.m. and somebody else uses it", "m"),
    ],
)
def test_a_time_and_an_adjective_are_no_things(ear: PremiseEar, premise: str, nothing: str) -> None:
    scenario = made(premise, ear).scenario
    names = [e.name.lower() for e in scenario.entities if e.type in ("item", "object")]
    assert not [name for name in names if name.split()[-1] == nothing.lower()]


def test_whoever_is_the_heros_own_is_theirs_and_the_hero_is_whom_one_plays(
    ear: PremiseEar,
) -> None:
    partner = next(noun for noun in read(TRUNK, ear).nouns if "partner" in noun.text)
    assert partner.owner == YOU
    scenario = made(TRUNK, ear).scenario
    assert "The retired stage magician is you" in scenario.opening
    assert {hero.concept for hero in scenario.heroes} == {"A retired stage magician."}
    roles = [str(e.attrs.get("role")) for e in scenario.entities if e.type == "npc"]
    assert "your dead partner" in roles


@pytest.mark.parametrize(
    ("premise", "shape", "thing"),
    [
        (TRUNK, "shut", "The locked trunk"),
        (NOTES, "words", "The notes"),
        (ICE, "amiss", "The ice"),
        (ROOM, "behind", "The door of Room 9"),
        (HORSES, "beast", "The horses"),
        (DOG, "beast", "Your dog"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_a_premise_turns_on_is_there_and_something_comes_of_handling_it(
    ear: PremiseEar, premise: str, shape: str, thing: str, seed: int
) -> None:
    forged = made(premise, ear, seed)
    scenario = forged.scenario
    assert forged.shape == shape
    prize = next(entity for entity in scenario.entities if entity.name == thing)
    assert prize.id in {row.item_id for row in scenario.inventory}
    done = [deed for deed in scenario.affordances if deed.target == prize.id]
    assert {deed.action for deed in done} >= {"use", "improvise"}
    told = [text for deed in done for text in deed.outcomes["success"].text]
    assert told and all(len(text) > 100 for text in told)
    secrets = {f.subject_id for f in scenario.facts if f.visibility == "hidden"}
    texts = " ".join(str(f.object.get("text")) for f in scenario.facts if f.subject_id in secrets)
    assert thing.lower() in texts.lower()
    people = [person for person in scenario.people.values()]
    talked = [k for person in people for k in person.knows if k.id.startswith("k_own_prize")]
    assert len({text for known in talked for text in known.says}) >= 4


def test_what_is_gone_is_not_here_and_its_story_knows_that(ear: PremiseEar) -> None:
    for premise, lost in ((DOG, True), (HORSES, False)):
        assert is_lost(read(premise, ear)) == lost
        for seed in (1, 2, 3):
            forged = made(premise, ear, seed)
            scenario = forged.scenario
            truth = next(t for t in story_shapes()["beast"].truths if t.id == forged.truth)
            assert truth.lost == lost
            prize = middle_of(read(premise, ear))
            assert prize
            here = [r.item_id for r in scenario.inventory if r.owner_id == scenario.start.location]
            assert any(prize.head in item for item in here) != lost


def test_whatever_is_written_has_words_that_bear_on_the_story() -> None:
    for plot in plots():
        scenario = forged_of(plot, ForgeWish(), SYSTEM).scenario
        for prop in plot.props.values():
            if prop.matter or nature_of(prop.name.split()[-1], nothing_near) != "written":
                continue
            entity = next(e for e in scenario.entities if e.id == prop.id)
            words = str(entity.attrs.get("writing", ""))
            assert len(words.split()) >= 8 and '"' not in words, (plot.shape.id, plot.truth.id)


def test_the_answer_is_told_in_plain_words_and_seen_only_after_what_leads_to_it() -> None:
    for plot in plots():
        scenario = forged_of(plot, ForgeWish(), SYSTEM).scenario
        clause = plot.grammar.names["clause"].lower()
        enough = next(move for move in scenario.moves if move.id == "m_enough")
        assert all(clause in text.lower() for text in enough.text)
        assert all(clause in ending.text.lower() for ending in scenario.endings)
        before = plot.before(plot.core)
        assert before is not None and not before.core
        known = {"known": plot.fact_id(before.id)}
        core = plot.fact_id(plot.core.id)
        for place in scenario.places.values():
            for detail in place.details:
                if core in detail.reveals:
                    when = [c.model_dump(exclude_unset=True) for c in detail.when]
                    assert when == [known]
        for person in scenario.people.values():
            for kept in person.withholds:
                assert core not in kept.reveals or kept.yields_to == []


def test_no_text_gives_a_secret_away_unawares() -> None:
    for plot in plots():
        scenario = forged_of(plot, ForgeWish(), SYSTEM).scenario
        assert [found for found in told_unawares(scenario)] == [], (plot.shape.id, plot.truth.id)


def test_nobody_recites_the_premise_and_who_told_one_of_it_is_no_stranger(
    ear: PremiseEar,
) -> None:
    for premise in (TRUNK, NOTES, ICE, BUS):
        scenario = made(premise, ear).scenario
        blurb = read(premise, ear).sentence[:40]
        said = [text for p in scenario.people.values() for k in p.knows for text in k.says]
        assert not [text for text in said if blurb in text]
        friend = next(p for p in scenario.people.values() if _greets_as_friend(p.greeting))
        assert friend
    greetings = [line for voice in voice_shelf().voices for line in voice.greeting]
    assert not [line for line in greetings if "never seen you" in line or "who you are" in line]


def _greets_as_friend(greeting: list[str]) -> bool:
    """Whether every greeting is one of those for who has just been talked with."""
    shelf = [line.split("{n}")[-1].split("{")[0] for line in voice_shelf().friendly]
    return all(any(part in line for part in shelf if part.strip()) for line in greeting)


def test_a_place_has_its_own_insides_and_people(ear: PremiseEar) -> None:
    scenario = made(BUS, ear).scenario
    names = [e.name for e in scenario.entities if e.type == "location"]
    assert "The night bus" in names and "The back row" in names
    assert not [name for name in names if "mall" in name or "Apartment" in name]
    assert "on the night bus" in scenario.opening
    room = made(ROOM, ear).scenario
    exits = {way.to for way in room.places[room.start.location].exits}
    assert "room_9" in exits


def test_a_story_about_the_ice_begins_at_the_river(ear: PremiseEar) -> None:
    for seed in (1, 2, 3):
        scenario = made(ICE, ear, seed).scenario
        assert scenario.start.location == "the_edge_of_the_frozen_river"


def test_several_things_keep_their_number(ear: PremiseEar) -> None:
    for premise in (NOTES, HORSES):
        told = made(premise, ear).scenario.model_dump_json()
        assert "One of the notes" not in told and "One of the horses" not in told
        assert not re.search(r"The (?:notes|horses) (?:is|has|was) ", told)


async def test_the_next_story_of_a_home_is_made_of_other_pieces(tmp_path: Path) -> None:
    async with opened_house(Settings(home=tmp_path, model="offline")) as house:
        first = await new_scenario(house, ForgeOrder(premise=NOTES, seed=1))
        other = "a widow finds a letter from the sister nobody speaks of"
        second = await new_scenario(house, ForgeOrder(premise=other, seed=1))
        again = await new_scenario(house, ForgeOrder(premise=NOTES, seed=1))
    pieces = [
        {row.source for row in kept.sources if row.piece == "made of"} for kept in (first, second)
    ]
    assert first.shape == second.shape == "words"
    assert not [p for p in pieces[0] & pieces[1] if p.startswith(("truth", "line enough"))]
    assert len(pieces[0] & pieces[1]) <= 2
    assert again.scenario != "" and again.shape == first.shape


async def test_the_trunk_is_opened_with_the_key_that_is_found_and_the_notes_are_read(
    tmp_path: Path,
) -> None:
    async with opened_house(Settings(home=tmp_path, model="offline")) as house:
        await begin_forged(house, ForgeOrder(premise=TRUNK, seed=1), campaign="t")
        told = await _told(house, "t", ["open the trunk", "look at the scratched date"])
        assert "key" in told[0]
        begun = await begin_forged(house, ForgeOrder(premise=NOTES, seed=1), campaign="n")
        scenario = Scenario.model_validate_json(_scenario_json(tmp_path, begun.scenario))
        words = next(str(e.attrs["writing"]) for e in scenario.entities if e.name == "The notes")
        told = await _told(house, "n", ["read the notes"])
        assert words[:60] in told[0]


async def _told(house: object, campaign: str, lines: list[str]) -> list[str]:
    told = []
    for line in lines:
        result = await take_turn(house, await say_of(house, campaign, line))  # type: ignore[arg-type]
        told.append(result.final_text)
    return told


def _scenario_json(home: Path, id: str) -> str:
    from freeform.engine.authored.library import load_scenario

    return load_scenario(id, home).model_dump_json()


def test_what_a_thing_does_is_not_part_of_its_name_and_a_taxi_has_no_rooms(
    ear: PremiseEar,
) -> None:
    portrait = "The king's portrait ages instead of him, and you are hired to restore it"
    names = [entity.name for entity in made(portrait, ear).scenario.entities]
    assert "The king's portrait" in names and "The king's portrait ages" not in names
    taxi = made("An old radio in my taxi only plays calls that have not happened yet", ear)
    assert not [e.name for e in taxi.scenario.entities if e.name == "The rooms upstairs"]

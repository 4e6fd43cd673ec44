"""Personas are files; a wrong one says which line to put right."""

from pathlib import Path

import pytest

from freeform.core.errors import BadFile, NotFound, UserError
from freeform.engine.authored.library import load_scenario, load_system
from freeform.players.model import Party, Seat, Traits
from freeform.players.party.nature import persona_of_words
from freeform.players.party.party import seat_of
from freeform.players.party.persona import (
    MOST_SEATS,
    choose_personas,
    load_persona,
    persona_files,
    seat_all,
)
from freeform.wiring.ear import sense

GOOD = persona_files()[0].read_text(encoding="utf-8")


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_four_personas_are_bundled_and_no_two_say_the_same() -> None:
    personas = choose_personas("4")
    assert [p.id for p in personas] == ["alex", "bea", "cato", "dee"]
    lines = [line for p in personas for kind in p.lines.values() for line in kind if len(line) > 12]
    assert len(lines) == len(set(lines)), "each has a voice of its own"
    assert len({p.traits for p in personas}) == 4 and all(
        p.goals and p.voice and p.character.manner for p in personas
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("confidence: 0.6", "confidence: 1.6", 6, "less than or equal to 1"),
        ("confidence: 0.6", "confidence: high", 6, "number"),
        ("wits: 3", "wits: 9", 39, "out of range: write -1 to 3"),
        ("wits: 3", "luck: 3", 39, "no stat 'luck'"),
        ("id: alex", "id: Alex Smith", 2, "lower-case"),
        ("likes: [ask, look, show]", "likes: [dance]", 8, "should be 'ask'"),
        ("voice: Dry", "voise: Dry", 9, "voise"),
    ],
)
def test_a_wrong_value_is_named_with_its_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, says: str
) -> None:
    assert old in GOOD
    with pytest.raises(BadFile) as wrong:
        load_persona(written(tmp_path, GOOD.replace(old, new, 1)))
    assert (
        wrong.value.file == "mine.yaml"
        and abs(wrong.value.line - line) <= 2
        and says in str(wrong.value)
    )


def test_players_are_chosen_by_number_name_file_or_folder(tmp_path: Path) -> None:
    mine = written(tmp_path, GOOD.replace("id: alex", "id: mine"))
    assert [p.id for p in choose_personas("2")] == ["alex", "bea"]
    assert [p.id for p in choose_personas(f"dee,{mine}")] == ["dee", "mine"]
    assert [p.id for p in choose_personas(str(tmp_path))] == ["mine"]
    for wrong in ("0", "13", "", ",".join(["alex"] * 13)):
        with pytest.raises(UserError):
            choose_personas(wrong)
    with pytest.raises(NotFound, match="no persona 'zoe'; there are alex"):
        choose_personas("zoe")
    assert MOST_SEATS == len(choose_personas("12")) == 12
    twice = choose_personas("alex,alex")
    assert [(p.id, p.name) for p in twice] == [("alex", "Alex"), ("alex_2", "Alex II")]


@pytest.mark.parametrize("scenario", ["dead_drop", "drowned_bell"])
def test_heroes_are_played_first_and_a_further_player_brings_a_character_in_the_systems_stats(
    scenario: str,
) -> None:
    story = load_scenario(scenario)
    system = load_system(story.system)
    seats = seat_all(choose_personas("4"), story, system, [])
    assert [s.character.name for s in seats][:3] == [h.name for h in story.heroes][:3]
    fourth, (low, high) = seats[3].character, system.stat_range
    assert fourth.name == "Nim Sorrow" and set(fourth.stats) <= set(system.stats)
    assert (
        all(low <= value <= high for value in fourth.stats.values())
        and len(set(fourth.stats.values())) > 1
    )


def test_a_seat_is_found_by_any_name_and_the_game_master_has_none() -> None:
    alex = choose_personas("alex")[0]
    who = Party(id="p", campaign="p", scenario="s", seed=1, seats=[
        Seat(agent="alex", persona=alex, character=alex.character.model_copy(update={"id": "grue"})),
    ])  # fmt: skip
    assert {
        seat_of(who, name).agent for name in ("alex", "Alex", "grue", "Ottoline", "agent_alex")
    } == {"alex"}
    with pytest.raises(NotFound, match="ask for a player: alex"):
        seat_of(who, "dm")


def test_a_person_takes_a_seat_that_is_there() -> None:
    story = load_scenario("dead_drop")
    seats = seat_all(choose_personas("3"), story, load_system(story.system), ["bea"])
    assert [s.agent for s in seats if s.person] == ["bea"]
    with pytest.raises(NotFound, match="the seats are alex, bea, cato"):
        seat_all(choose_personas("3"), story, load_system(story.system), ["zoe"])


def test_a_few_sentences_make_a_player_with_a_nature_and_what_is_not_understood_makes_none() -> (
    None
):
    near = sense().near
    wary = persona_of_words("Mara", "She trusts nobody and always expects the worst.", near)
    rash = persona_of_words("Jo", "A reckless daredevil who jumps in without looking.", near)
    assert wary.traits.caution > 0.7 and rash.traits.caution < 0.3 and wary.id == "mara"
    foreign = persona_of_words("Ahlers", "Ein alter Kapitän, der niemandem traut.", near)
    assert foreign.traits == Traits() and foreign.name == "Ahlers"
    for name, about in (("", "Brave."), ("Mara", "  ")):
        with pytest.raises(UserError, match="a name and a sentence"):
            persona_of_words(name, about, near)

"""What a player typed is told back only where it is surely a deed of their own."""

import pytest

from freeform.offline.own_words import OwnWords, in_present
from freeform.wiring import ear

PEOPLE = ("Edith Merryweather", "Obed Crake", "Dutch")


@pytest.fixture(scope="module")
def telling() -> OwnWords:
    return OwnWords(ear(), PEOPLE)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("ok call everyone to the green", "You call everyone to the green."),
        ("dude just lock the door", "You lock the door."),
        ("wait grab a slice of pie", "You grab a slice of pie."),
        ("screw it, smash the pink lamp", "You smash the pink lamp."),
        ("lowkey I look under the bed", "You look under the bed."),
        ("rip the tape off and stick it on dutch's back",
         "You rip the tape off and stick it on Dutch's back."),
    ],
)  # fmt: skip
def test_what_hangs_before_the_deed_is_left_out(telling: OwnWords, typed: str, told: str) -> None:
    assert telling.told(typed) == told


@pytest.mark.parametrize("typed", ["ok edith spill", "screw it drag him to the gate", "I can jump"])
def test_what_is_not_surely_ones_own_deed_is_not_told_back(telling: OwnWords, typed: str) -> None:
    assert telling.told(typed) == ""


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("I sat down on the bottom stair, unlaced my boots and poured the water out of them.",
         "You sit down on the bottom stair, unlace your boots and pour the water out of them."),
        ("I lit a candle and crept along the corridor.",
         "You light a candle and creep along the corridor."),
        ("I lay the letter on the table", "You lay the letter on the table."),
        ("I'm leaning on the bar", "You are leaning on the bar."),
        ("I knock, loudly", "You knock, loudly."),
        ("I push the door, hard", "You push the door, hard."),
    ],
)  # fmt: skip
def test_every_step_is_told_in_the_present(telling: OwnWords, typed: str, told: str) -> None:
    assert telling.told(typed) == told


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("kick the jukebox until it plays something else", "You kick the jukebox."),
        ("I let the chip lie where it had stopped", "You let the chip lie."),
        ("I took a slice off the case as it came", "You take a slice off the case."),
        ("I open that door quickly to see who was saying my name.",
         "You open that door quickly."),
    ],
)  # fmt: skip
def test_what_it_is_for_is_not_claimed(telling: OwnWords, typed: str, told: str) -> None:
    assert telling.told(typed) == told


def test_what_did_not_come_off_is_told_as_tried(telling: OwnWords) -> None:
    told = telling.told("I carry Obed to the gate", tried=True)
    assert told == "You try to carry Obed to the gate."


def test_speech_ends_what_is_told(telling: OwnWords) -> None:
    assert telling.told('I bang on the gate. "Open up!"') == "You bang on the gate."


def test_a_past_form_has_its_verb() -> None:
    assert [in_present(word) for word in ("knelt", "lit", "left", "put")] == [
        "kneel",
        "light",
        "leave",
        "put",
    ]

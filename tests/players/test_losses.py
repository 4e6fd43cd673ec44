"""Whom a human game master's words let die: plain words do, and whatever may mean something else
does not."""

import pytest

from freeform.players.mind.losses import still_dead, told_dead
from freeform.players.model import Consensus, RoundRecord, Ruling

HEROES = ["Mara Venn", "Tom", "Alex", "Alex the other"]


def dead(text: str, by: str = "human") -> list[str]:
    return told_dead([Ruling.model_validate({"text": text, "by": by})], HEROES)


@pytest.mark.parametrize(
    "text",
    [
        "Mara dies.",
        "Mara lies dead on the floor.",
        "Mara's dead.",
        "Sadly, Mara Venn died of her wounds.",
        "Mara falls from the tower and dies.",
        "The rope snaps. Mara drops into the dark, hits the rocks and dies instantly.",
        "Mara has been killed by the ogre.",
        "The ogre killed Mara with one blow.",
        "With a last scream, Mara drowns.",
        "Mara dies before Tom can reach her.",
    ],
)
def test_plain_words_let_a_hero_die(text: str) -> None:
    assert dead(text) == ["Mara Venn"]
    assert dead(text, by="engine") == [], "the engine says itself what became so"


@pytest.mark.parametrize(
    "text",
    [
        "Mara killed the ogre.",
        "Mara has killed him.",
        "Mara nearly drowned, but Tom pulled her out.",
        "Mara drowned, but Tom pulled her out and she coughs.",
        "Mara would have died without the rope.",
        "If Mara falls, Mara dies.",
        "Unless somebody helps, Mara dies.",
        "Mara dies unless Tom lets go of the key.",
        "When Mara dies, the curse ends.",
        "Mara is dead tired.",
        "Mara supposedly died in the fire.",
        "Mara is not dead.",
        "Mara isn't dead.",
        "Is Mara dead?",
        "Mara's brother died years ago.",
        "Mara's dead brother smiles.",
        "Mara sees that the guard is dead.",
        "Mara watches as the wolf dies.",
        "Mara shoots, the guard falls and dies.",
        "Mara kicks the guard, and he falls and dies.",
        "The wolf bites Mara and dies.",
        "The wolf that bit Mara died.",
        "Mara drowned her sorrows.",
        "Mara dreams she dies.",
        'The guard shouts: "Mara is dead!"',
        "Alex looks through the door and sees the dead guard.",
        "The other guard is dead.",
    ],
)
def test_what_may_mean_something_else_lets_nobody_die(text: str) -> None:
    assert dead(text) == []


def test_who_shares_a_name_dies_by_the_whole_of_it() -> None:
    assert dead("Alex dies.") == ["Alex"]
    assert dead("Alex the other dies.") == ["Alex the other"]
    assert dead("Mara and Tom are dead.") == ["Mara Venn", "Tom"]


def round_of(number: int, text: str, *lost: str) -> RoundRecord:
    rulings = {"tom": Ruling(text=text, by="human")}
    return RoundRecord(
        round=number, phases=[], consensus=Consensus(), rulings=rulings, lost=list(lost)
    )


def test_the_last_word_counts() -> None:
    died = round_of(1, "Mara dies.", "Mara Venn")
    assert still_dead([died, round_of(2, "The dead guard was no friend.")]) == {"Mara Venn"}
    assert still_dead([died, round_of(2, "Mara breathes again.")]) == set()

"""The reader that was taught: names in slots, whom a pronoun means, what it says and what it leaves alone."""

import json
from pathlib import Path

import pytest

from freeform.offline.lore.features import SlottedTokens, without_asides, without_lists
from freeform.offline.lore.learned import HEADS, shipped_weights
from freeform.offline.lore.mentions import NamedThing, NameForms
from freeform.offline.lore.passes import _read
from freeform.offline.lore.references import TalkSoFar, with_references
from freeform.offline.lore.relations import guessed_kinds, relations_told

CORPUS = Path(__file__).parents[2] / "training" / "relations"
NAMES = "Edda Rook (person), Tam Rook (person), Reed Clan (faction), Weir (zone), Low Mere (zone)"
KINDS = {"place", "person", "faction", "event", "item", "creature"}


def told(sentence: str) -> set[tuple[str, str, str]]:
    talk = TalkSoFar(own=NamedThing("Weir", "z"), topic=NamedThing("Weir", "z"))
    slotted, named = with_references(*NameForms.of(NAMES).slotted(sentence), talk)
    return {(one.name, what, value) for _, one, what, value in relations_told(slotted, named)}


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("Edda Rook is the younger sister of Tam Rook.", ("Tam Rook", "relation", "kin: Edda Rook")),
        ("Edda Rook is the captain of the Reed Clan.", ("Edda Rook", "faction", "Reed Clan")),
        ("Weir borders Low Mere.", ("Low Mere", "connects_to", "Weir")),
    ],
)  # fmt: skip
def test_it_says_what_it_was_taught(sentence: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Edda Rook once drank with Tam Rook in Weir.",
        "A song about Weir is sung in Low Mere, and Edda Rook hates it.",
        "Letters for Weir are often delivered to Low Mere by mistake.",
    ],
)
def test_names_that_merely_stand_together_are_left_alone(sentence: str) -> None:
    assert told(sentence) == set()


def test_what_is_denied_or_of_unknown_names_is_left_alone() -> None:
    page = "Edda Rook is not the sister of Tam Rook. Jory Pell is the sister of Ned Hask."
    assert [fact for _, fact in _read("Weir", NAMES, page) if fact.predicate == "relation"] == []


def test_a_fact_is_told_with_its_sentence() -> None:
    page = "The nets hang low. Edda Rook is the younger sister of Tam Rook."
    facts = [fact for _, fact in _read("Weir", NAMES, page) if fact.predicate == "relation"]
    assert {fact.quote for fact in facts} == {"Edda Rook is the younger sister of Tam Rook."}


EDDA, WEIR = NamedThing("Edda Rook", "n"), NamedThing("Weir", "z")


@pytest.mark.parametrize(
    ("sentence", "topic", "slotted"),
    [
        ("She leads the [0f].", EDDA, "[1n] leads the [0f]."),
        ("Its mill feeds [0n].", WEIR, "[1z]'s mill feeds [0n]."),
        ("The town pays [0n].", WEIR, "[1z] pays [0n]."),
        ("The town of [0z] pays.", WEIR, "The town of [0z] pays."),
        ("It rains on [0n].", EDDA, "It rains on [0n]."),
        ("[0u] lives with her sister.", EDDA, "[0u] lives with [1u]'s sister."),
    ],
)  # fmt: skip
def test_a_pronoun_or_short_form_stands_for_a_name(
    sentence: str, topic: NamedThing, slotted: str
) -> None:
    kind = sentence[sentence.index("[0") + 2]
    found, _ = with_references(
        sentence, [NamedThing("Somebody", kind)], TalkSoFar(own=topic, topic=topic)
    )
    assert found == slotted


def test_lists_and_asides_fall_away_between_two_names() -> None:
    assert without_lists("lead to [p] , [p] and".split(), "p", "p") == ["lead", "to"]
    assert without_asides(", a lay member of the [f] , keep".split()) == ["keep"]
    assert SlottedTokens("The [0z] borders [1k].").words == ["the", "[p]", "border", "[u]", "."]


@pytest.mark.parametrize(
    ("sentence", "people"),
    [
        ("The ferry is kept by Captain Ida Voss, who hates rain.", {"Captain Ida Voss"}),
        ("The ferry is kept by Captain Ida Voss, the ferrywoman.", {"Captain Ida Voss"}),
        ("Past the mill stands Brandreth Priory, a later foundation.", set()),
        ("The ferry belongs to the Salt Company, who raise the tolls.", set()),
    ],
)
def test_a_name_is_a_persons_where_sign_and_learned_kind_agree(
    sentence: str, people: set[str]
) -> None:
    assert {
        fact.subject for kind, fact in _read("Weir", NAMES, sentence) if kind == "npc"
    } == people


def test_a_mere_guess_of_a_kind_puts_nobody_and_nothing_into_the_zone() -> None:
    slotted, named = NameForms.of(NAMES).slotted("They spoke of Castle Morvenne all evening.")
    assert all(mention.guessed for mention in guessed_kinds([(slotted, named)]).values())
    assert _read("Weir", NAMES, "They spoke of Captain Ida Voss all evening.") == ()


def test_the_weights_fit_the_code_that_reads_them() -> None:
    weights = shipped_weights()
    assert len(weights.heads.bias) == len(HEADS)
    assert {"relation", "kind"} <= set(weights.sure) and weights.sure["relation"] > 0.5


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.jsonl")), ids=lambda file: file.stem)
def test_every_line_of_the_corpus_is_sound(file: Path) -> None:
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        names = [name for name, kind in row["names"] if kind in KINDS]
        assert all(name in row["text"] for name in names) and len(names) == len(row["names"])
        for one, _, other in row["says"] + row["denies"]:
            assert one in names and other in names

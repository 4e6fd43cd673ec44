"""Intent passes, outcome does not; what is repaired keeps the attempt and passes."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from freeform.players.words.overreach import find_overreach, repair

LINES = yaml.safe_load((Path(__file__).parent / "overreach_lines.yaml").read_text(encoding="utf-8"))
OTHERS = ["Viktor", 'Teodor "Tug" Balint', "Tug", "Dutch", "Maren Holt", "Moth", "Auntie Pao"]


def figures(part: str) -> tuple[float, float]:
    """Precision and recall of `this tells an outcome`."""
    right = sum(bool(find_overreach(line, "Wren", OTHERS)) for line in LINES[part]["outcome"])
    wrong = sum(bool(find_overreach(line, "Wren", OTHERS)) for line in LINES[part]["intent"])
    return right / (right + wrong), right / len(LINES[part]["outcome"])


def test_the_labelled_set_is_as_large_as_promised_and_half_of_it_held_out() -> None:
    sizes = {part: sum(map(len, kinds.values())) for part, kinds in LINES.items()}
    assert sum(sizes.values()) >= 150 and sizes["held"] >= sizes["tune"]


@pytest.mark.parametrize(
    ("part", "precision", "recall"), [("tune", 0.97, 0.97), ("held", 0.95, 0.88)]
)
def test_overreach_is_found_and_intent_is_left_alone(
    part: str, precision: float, recall: float
) -> None:
    found = figures(part)
    assert found[0] >= precision and found[1] >= recall, found


@pytest.mark.parametrize("line", [line for part in LINES.values() for line in part["outcome"]])
def test_what_is_repaired_passes_and_repairing_again_changes_nothing(line: str) -> None:
    mended = repair(line, "Wren", OTHERS)
    assert mended and not find_overreach(mended, "Wren", OTHERS)
    assert repair(mended, "Wren", OTHERS) == mended or not find_overreach(line, "Wren", OTHERS)


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("I strike the goblin down.", "I try to strike the goblin down."),
        ("I swing my axe and the bandit falls dead.", "I swing my axe."),
        ("I successfully pick the lock.", "I pick the lock."),
        ("I manage to slip past the sentries.", "I try to slip past the sentries."),
        ("I search the desk and find the letter.", "I search the desk."),
        ("I ask Viktor, and he tells me everything.", "I ask Viktor."),
        ("I hit it for 12 damage.", "I hit it."),
        ("Viktor tells me where Jin is.", "I wait and watch."),
    ],
)
def test_the_outcome_is_cut_and_the_intent_stays(line: str, mended: str) -> None:
    assert repair(line, "Wren", OTHERS) == mended


def test_words_said_aloud_are_never_an_outcome_and_survive_a_repair() -> None:
    assert not find_overreach('I step up. "I killed three of them, and the fourth fell."')
    assert repair('I kill the guard. "Stay down!"') == 'I try to kill the guard. "Stay down!"'


def test_a_deed_of_somebody_else_is_found_by_name() -> None:
    (found,) = find_overreach("Tug kicks in the door.", "Wren Calder", OTHERS)
    assert found.rule == "acts for Tug"
    assert not find_overreach("Wren kicks at the door.", "Wren Calder", OTHERS)
    assert not find_overreach("I wait while Tug keeps watch.", "Wren Calder", OTHERS)


@hypothesis_settings(deadline=None, max_examples=150)
@given(
    st.text(max_size=120)
    | st.lists(
        st.sampled_from([*LINES["tune"]["outcome"], *LINES["tune"]["intent"]]), max_size=5
    ).map(" ".join)
)
def test_any_text_can_be_repaired(text: str) -> None:
    mended = repair(text, "Wren", OTHERS)
    assert mended.strip() and not find_overreach(mended, "Wren", OTHERS)

"""Words that mean nearly the same, by the table that comes with the ear."""

from pathlib import Path

from freeform.adapters.ear.learned import shipped_file
from freeform.adapters.ear.nearness import EarWords


def test_a_word_is_nearer_to_its_kin_than_to_others() -> None:
    words = EarWords(shipped_file())
    killed, lantern, cheap = words.near("die", ["killed", "lantern", "cheap"])
    assert killed > 0.25 > max(lantern, cheap)
    assert words.near("die", ["qwzzx"]) == [0.0]


def test_without_the_model_no_two_words_are_near(tmp_path: Path) -> None:
    assert EarWords(tmp_path / "none.onnx").near("die", ["killed"]) == [0.0]

"""The reader of limits: every sentence beside every topic, and what it says where it cannot run."""

import logging
from pathlib import Path

import numpy as np
import pytest

from freeform.adapters.ear.learned import shipped_ear
from freeform.adapters.ear.learned import shipped_file as ear_file
from freeform.adapters.encoder.protobuf import constants, notes, with_notes
from freeform.adapters.limits.graph import LONGEST, WORDS, row_of, with_words, without_words
from freeform.adapters.limits.learned import LearnedLimits, shipped_file, shipped_limits


def limits(file: Path, *, ear: Path | None = None, numpy_only: bool = False) -> LearnedLimits:
    return LearnedLimits(file, shipped_ear().vectors, ear=ear, numpy_only=numpy_only)


def test_every_sentence_is_held_against_every_topic() -> None:
    known = shipped_limits()
    sentences = ["A spider drops from the beam.", "He buys bread.", "x " * 900, ""]
    topics = ["spiders", "torture", "spiders"]
    table = known.touches(sentences, topics)
    assert [len(row) for row in table] == [3] * 4
    assert all(0 <= chance <= 1 for row in table for chance in row)
    assert all(row[0] == pytest.approx(row[2], abs=0.02) for row in table)
    assert table[0][0] > table[1][0] + 0.3, "a spider has more of spiders than bread has"
    assert known.touches(sentences, topics) == table
    assert known.touches([], topics) == [] and known.touches(["He buys bread."], []) == [[]]
    assert known.problem() == ""


@pytest.mark.parametrize(
    ("topic", "touching", "harmless"),
    [
        (
            "torture",
            "He pulls the first fingernail from the bound prisoner, slowly.",
            "She pours tea.",
        ),
        ("spiders", "Something with eight legs runs over your hand.", "The river is high."),
        ("slavery", "The girl is sold on the block to a man with rings.", "The baker waves."),
        ("drowning", "Her head goes under again, and the bubbles stop.", "You cross the bridge."),
    ],
)
def test_what_happens_is_known_without_the_word(topic: str, touching: str, harmless: str) -> None:
    (plain,), (quiet,) = shipped_limits().touches([touching, harmless], [topic])
    assert plain > 0.6 and quiet < 0.1


def test_a_sentence_is_judged_alike_whoever_stands_beside_it() -> None:
    sentence = "A spider drops from the beam."
    (alone,) = shipped_limits().touches([sentence], ["spiders"])[0]
    beside = shipped_limits().touches(["word " * 60, sentence, "No."], ["needles", "spiders"])[1][1]
    assert alone == pytest.approx(beside, abs=0.02)
    numpy_only = limits(shipped_file(), numpy_only=True)
    assert numpy_only.touches([sentence], ["spiders"])[0][0] == pytest.approx(alone, abs=0.1)


@pytest.mark.parametrize("kind", ["half", "empty", "a bit", "missing"])
def test_without_its_file_it_knows_nothing_and_says_so_once(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    whole, file = shipped_file().read_bytes(), tmp_path / "limits.onnx"
    middle = len(whole) // 2
    changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    made = {"half": whole[:middle], "empty": b"", "a bit": changed}
    if kind in made:
        file.write_bytes(made[kind])
    known = limits(file)
    with caplog.at_level(logging.WARNING, "freeform.models"):
        assert known.touches(["He screams."], ["torture", "spiders"]) == [[0.0, 0.0]]
        assert known.touches(["He screams."], ["torture"]) == [[0.0]]
    assert [record.getMessage() for record in caplog.records] == ["limits_missing"]
    assert "install the program again" in known.problem()


def test_it_wants_the_words_of_its_own_ear(tmp_path: Path) -> None:
    ear = ear_file().read_bytes()
    other = tmp_path / "ear.onnx"
    other.write_bytes(with_notes(ear, {**notes(ear), "vocabulary": "a\nb"}))
    assert "is damaged" in limits(shipped_file(), ear=other).problem()
    assert "is damaged" in limits(shipped_file(), ear=tmp_path / "none.onnx").problem()


def test_the_words_are_left_out_and_lent_again() -> None:
    slim, ear = shipped_file().read_bytes(), ear_file().read_bytes()
    whole = with_words(slim, ear)
    assert not set(WORDS) & set(constants(slim))
    for name in WORDS:
        assert np.array_equal(constants(whole)[name], constants(ear)[name])
    assert without_words(whole, ear) == slim


def test_a_long_topic_and_a_long_sentence_leave_room_for_each_other() -> None:
    ids, kinds = row_of((1, 2), range(10, 400), range(500, 600))
    assert len(ids) == len(kinds) == LONGEST
    assert ids[0] == 1 and ids[-1] == 2 and 10 in ids and 500 in ids

"""The reader as it is shipped: whether a passage answers, and in which words."""

import shutil
from pathlib import Path

import pytest

from freeform.adapters.reader.learned import LearnedReader, shipped_file, shipped_reader
from freeform.language.meaning.reading import PlacedText

TABLE = [
    PlacedText("Marrow sold us the lamp for nine coppers.", "Session 3"),
    PlacedText("Rope (50 feet), 2 torches, a jar of eels", "Brannoc > Backpack"),
    PlacedText("A creature that is pinned cannot move until it breaks free.", "Combat > Pinned"),
]


@pytest.mark.parametrize(
    ("question", "best", "words"),
    [
        ("who sold us the lamp", 0, "Marrow"),
        ("what did we pay for that lamp", 0, "nine coppers"),
        ("whats in my backpack", 1, "eels"),
        ("can i walk away while somebody has me pinned", 2, "cannot move"),
    ],
)
def test_the_passage_that_answers_scores_best_and_its_words_are_found(
    question: str, best: int, words: str
) -> None:
    read = shipped_reader().read(question, TABLE)
    scores = [one.score for one in read]
    assert scores.index(max(scores)) == best
    said = [TABLE[best].text[start:end] for start, end in read[best].spans]
    assert words in " ".join(said)


def test_an_empty_passage_and_a_very_long_one_are_read() -> None:
    long = PlacedText("The mill stands empty. " * 400, "Session 1")
    read = shipped_reader().read("where is the mill", [PlacedText(""), long])
    assert read[0].spans == () and len(read) == 2
    assert all(0 <= start < end <= len(long.text) for start, end in read[1].spans)


def test_plain_numpy_reads_the_same_passage_best() -> None:
    plain = LearnedReader(shipped_file(), numpy_only=True).read("who sold us the lamp", TABLE)
    assert max(range(3), key=lambda at: plain[at].score) == 0


def test_a_missing_and_a_damaged_file_are_told_with_the_fix(tmp_path: Path) -> None:
    missing = LearnedReader(tmp_path / "reader.onnx")
    assert missing.read("who", TABLE) == []
    assert "is not there: install the program again" in missing.problem()
    damaged = tmp_path / "damaged.onnx"
    shutil.copy(shipped_file(), damaged)
    data = bytearray(damaged.read_bytes())
    data[len(data) // 2] ^= 0xFF
    damaged.write_bytes(bytes(data))
    assert "is damaged" in LearnedReader(damaged).problem()

"""The written pairs as numbers, in the words of what training starts from (training/ear/prepare.py).

    PYTHONPATH=src:training python training/touches/prepare.py --start START --out PAIRS [--hold N]

The blind set of 2026-11-18 stays out: it is what the figures are of. `--hold N` leaves out every Nth written topic as well.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from corpus import (
    BLIND,
    HELD_SET,
    HERE,
    SUITE,
    Topic,
    as_topics,
    listed,
    plain_sentences,
    typed_inputs,
    written,
)

from freeform.adapters.ear.learned import shipped_ear
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.limit_words import topic_words

FAR = 0.35
"""Topics less alike than this are other topics."""


class Numbered:
    """Texts by number, each cut once."""

    def __init__(self, words: WordPiece) -> None:
        self._words, self._at = words, dict[str, int]()
        self.pieces: list[list[int]] = []

    def __call__(self, text: str) -> int:
        if text not in self._at:
            self._at[text] = len(self.pieces)
            self.pieces.append([p.number for p in self._words.pieces(text, signs_apart=True)])
        return self._at[text]


def far_apart(topics: list[Topic]) -> np.ndarray:
    """Whether no name of the one topic is like any of the other."""
    names = [topic_words(name) for topic in topics for name in topic.names]
    owner = np.repeat(np.arange(len(topics)), [len(topic.names) for topic in topics])
    rows = np.array(shipped_ear().vectors(names), dtype=np.float32)
    alike = rows @ rows.T
    most = np.full((len(topics), len(topics)), -1.0, dtype=np.float32)
    np.maximum.at(most, (owner[:, None], owner[None, :]), alike)
    return most < FAR


def numbered(topics: list[Topic], number: Numbered) -> list[list[list[int]]]:
    """For each topic the numbers of its names, of what touches it, and of what does not."""
    return [
        [[*map(number, texts)] for texts in (topic.names, topic.touching, topic.harmless)]
        for topic in topics
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hold", type=int, default=0)
    args = parser.parse_args()
    wide, rows = listed()
    held = as_topics(HELD_SET)
    topics = written() + as_topics(
        HERE / "pairs.jsonl", BLIND / "2026-11-16.jsonl", SUITE / "development.jsonl"
    )
    kept_back = topics[:: args.hold] if args.hold else []
    topics = [topic for topic in topics if topic not in kept_back]
    plain, typed = plain_sentences(), typed_inputs()
    vocabulary = (args.start / "vocab.txt").read_text(encoding="utf-8").splitlines()
    number = Numbered(WordPiece(vocabulary))
    dense = [[number(text), [wide.index(name) for name in touched]] for text, touched in rows]
    made = {
        "topics": numbered(topics, number),
        "held": numbered(held, number),
        "kept_back": numbered(kept_back, number),
        "wide": [number(name) for name in wide],
        "dense": dense,
        "plain": [number(text) for text in plain],
        "typed": [number(text) for text in typed],
    }
    args.out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        args.out / "texts.npz",
        pieces=np.concatenate([np.array(p, dtype=np.int32) for p in number.pieces]),
        lengths=np.array([len(p) for p in number.pieces]),
        far=far_apart(topics),
    )
    (args.out / "pairs.json").write_text(json.dumps(made), encoding="utf-8")
    print(f"{len(topics)} topics, {len(number.pieces)} texts")


if __name__ == "__main__":
    main()

"""Makes what the reader's training starts from: weights, words, and every text as word pieces.

PYTHONPATH=src:training python training/reading/prepare.py --model FOLDER --public FOLDER --out START
PYTHONPATH=src:training python training/reading/prepare.py --go-on READER.onnx --public FOLDER --out START
"""

import argparse
import re
from collections import Counter
from pathlib import Path

import numpy as np
from asked import Group, Passage, Question, read_public, read_tables
from minilm import arranged, kept_words, trained

from freeform.adapters.embeddings.weights import read_safetensors
from freeform.adapters.encoder.protobuf import constants, notes
from freeform.adapters.encoder.table import restore
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.adapters.reader.graph import LONGEST
from freeform.language.sentences import sentences

KEPT = 12_000
"""Word pieces."""
NEAR = 12
"""Passages of the same group that share most with a question and do not answer it."""


class Flat:
    """Lists of numbers end to end, and where each begins."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.starts = [0]

    def add(self, numbers: list[int]) -> None:
        """One more list."""
        self.values += numbers
        self.starts.append(len(self.values))

    def saved(self, name: str) -> dict[str, np.ndarray]:
        """Both as arrays."""
        return {name: np.array(self.values, np.int32), f"{name}_at": np.array(self.starts)}


class Rows:
    """All groups as arrays; a span is (question, passage, first piece, last piece)."""

    def __init__(self, words: WordPiece) -> None:
        self.words = words
        self.passages, self.breaks, self.places = Flat(), Flat(), Flat()
        self.questions, self.near = Flat(), Flat()
        self.spans: list[tuple[int, int, int, int]] = []
        self.group_of: list[int] = []
        self.own: list[int] = []
        self.either = Flat()

    def add(self, number: int, group: Group) -> None:
        """One group more."""
        first = len(self.passages.starts) - 1
        placed = [self._passage(passage) for passage in group.passages]
        bags = [_bag(f"{p.place} {p.text}") for p in group.passages]
        common = Counter(word for bag in bags for word in bag)
        for question in group.questions:
            at = len(self.group_of)
            self.group_of.append(number)
            self.questions.add([p.number for p in self.words.pieces(question.text)])
            self.own.append(-1 if question.own is None else first + question.own)
            self.near.add([first + n for n in _nearest(question, bags, common)])
            self.either.add([first + n for n in sorted(question.either)])
            for passage, spans in question.spans.items():
                for start, end in spans:
                    inside = [
                        n for n, (a, b) in enumerate(placed[passage]) if a < end and b > start
                    ]
                    if inside:
                        self.spans.append((at, first + passage, inside[0], inside[-1]))

    def _passage(self, passage: Passage) -> list[tuple[int, int]]:
        pieces = self.words.pieces(passage.text)
        self.passages.add([piece.number for piece in pieces])
        self.places.add([piece.number for piece in self.words.pieces(passage.place)][:24])
        ends, at = [], 0
        for sentence in sentences(passage.text):
            at = passage.text.find(sentence, at) + len(sentence)
            ends.append(sum(piece.start < at for piece in pieces))
        self.breaks.add(sorted({end for end in ends if 0 < end < len(pieces)}))
        return [(piece.start, piece.end) for piece in pieces]

    def save(self, file: Path, names: list[str]) -> None:
        """Everything in one file."""
        flats = {"passages": self.passages, "breaks": self.breaks, "places": self.places}
        flats |= {"questions": self.questions, "near": self.near, "either": self.either}
        arrays: dict[str, np.ndarray] = {}
        for name, flat in flats.items():
            arrays |= flat.saved(name)
        arrays["spans"] = np.array(self.spans, np.int64)
        arrays["group_of"], arrays["own"] = np.array(self.group_of), np.array(self.own)
        arrays["groups"] = np.array(names)
        np.savez_compressed(file, **arrays)


def _bag(text: str) -> frozenset[str]:
    return frozenset(word[:6] for word in re.findall(r"[a-z0-9]+", text.lower()))


def _nearest(question: Question, bags: list[frozenset[str]], common: Counter[str]) -> list[int]:
    """The passages that share the rarest words with a question and do not answer it."""
    asked = _bag(question.text)
    scored = []
    for at, bag in enumerate(bags):
        if at not in question.spans and at != question.own and at not in question.either:
            scored.append((sum(1 / common[word] for word in asked & bag), at))
    return [at for score, at in sorted(scored, reverse=True)[:NEAR] if score > 0]


def from_minilm(model: Path, groups: list[Group]) -> tuple[list[str], dict[str, np.ndarray]]:
    """The words that are kept of all-MiniLM-L6, and its weights."""
    listed = (model / "vocab.txt").read_text(encoding="utf-8").splitlines()
    texts = [p.text for g in groups for p in g.passages]
    texts += [q.text for g in groups for q in g.questions]
    kept = kept_words(listed, texts, KEPT)
    weights = arranged(read_safetensors(model / "model.safetensors"), kept, LONGEST)
    return [listed[at] for at in kept], weights


def from_reader(file: Path) -> tuple[list[str], dict[str, np.ndarray]]:
    """The words and the weights of a reader that was made before."""
    model = file.read_bytes()
    return notes(model)["vocabulary"].split("\n"), trained(restore(constants(model)))


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    begins = parser.add_mutually_exclusive_group(required=True)
    begins.add_argument("--model", type=Path, help="a folder with model.safetensors, vocab.txt")
    begins.add_argument("--go-on", type=Path, help="a reader that learns more")
    parser.add_argument("--tables", type=Path, nargs="+", default=[here / "tables"])
    parser.add_argument("--public", type=Path, default=None)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    groups = [group for folder in args.tables for group in read_tables(folder)]
    groups += read_public(args.public) if args.public else ()
    vocabulary, start = from_reader(args.go_on) if args.go_on else from_minilm(args.model, groups)
    args.out.mkdir(parents=True, exist_ok=True)
    np.savez(args.out / "start.npz", **{n: t.astype(np.float16) for n, t in start.items()})
    (args.out / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    rows = Rows(WordPiece(vocabulary))
    for number, group in enumerate(groups):
        rows.add(number, group)
    rows.save(args.out / "rows.npz", [("ours/" if g.ours else "") + g.name for g in groups])
    asked = sum(len(group.questions) for group in groups)
    print(
        f"{len(vocabulary)} words, {len(groups)} groups, {asked} questions, {len(rows.spans)} spans"
    )


if __name__ == "__main__":
    main()

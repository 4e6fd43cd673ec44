"""Learns what questions mean: models/sense.npz.

    python training/asked/fit.py --teacher FOLDER [--texts 4500] [--write]

Two parts. A vector for each of the ear's word pieces, whose mean comes near to what all-MiniLM-L6-v2
(the embedder of `freeform-rpg models get-embedder`, in FOLDER) has for a text: each piece as the
teacher has it alone, common ones counting less, then ridge regression over the inputs of
`training/ear`, the sentences of `training/touches` and the questions beside this. And a softmax over
those vectors, the ear's last layer and the words of a question: what it is after, learnt from
`questions.yaml`. Figures are of texts and questions left out; nothing of a scenario is learnt from.
"""

import argparse
import asyncio
import json
import random
from collections import Counter
from pathlib import Path
from zlib import crc32

import numpy as np
import yaml

from freeform.adapters.ear.learned import shipped_file
from freeform.adapters.ear.sense import layer_means, numbers_of, piece_means, unit
from freeform.adapters.embeddings.minilm import MiniLmEmbedder
from freeform.adapters.encoder.headed import headed_runner
from freeform.adapters.encoder.protobuf import notes
from freeform.adapters.encoder.table import Floats
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.meaning.sense import ASKED_KINDS, SAID, asking_words
from freeform.language.sentences import sentences

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODEL = ROOT / "src/freeform/models/sense.npz"
WIDTH = 128
"""Numbers in a vector: the first so many directions in which the teacher's vectors differ."""
COST = 300.0
COMMON = 3e-3
"""How common a piece is that counts half."""
KIND_COST, STEPS, RATE = 3e-4, 400, 10.0
FOLDS = 5
LEAST = 2
"""How many questions a word must be in to count."""


def corpus(most: int) -> list[str]:
    """Texts to learn nearness from."""
    found: list[str] = []
    for file in sorted((ROOT / "training/ear/corpus").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found += [row["text"], *sentences(row.get("before") or "")[:1]]
    for line in (ROOT / "training/touches/sentences.jsonl").read_text("utf-8").splitlines():
        found.append(json.loads(line)["sentence"])
    kept = sorted({text.strip() for text in found if 3 < len(text.strip()) < 220})
    random.Random(1).shuffle(kept)
    return [*kept[:most], *(text for _, text in questions())]


def questions() -> list[tuple[str, str]]:
    """Kind and question."""
    told = yaml.safe_load((HERE / "questions.yaml").read_text(encoding="utf-8"))
    return [(kind, text) for kind in ASKED_KINDS for text in told[kind]]


class WordPieces:
    """The ear's word pieces as the teacher has them, and how much each counts."""

    def __init__(self, pieces: Floats, texts: list[str]) -> None:
        self.words = WordPiece(vocabulary())
        self.table = unit(pieces - pieces.mean(axis=0))
        seen = Counter(number for text in texts for number in numbers_of(text, self.words))
        total = sum(seen.values())
        shares = np.array([(seen[number] + 0.5) / total for number in range(len(pieces))])
        self.worth = (COMMON / (COMMON + shares)).astype(np.float32)

    def means(self, texts: list[str]) -> Floats:
        """The mean of each text's pieces."""
        return piece_means(texts, self.words, self.table, self.worth)


def heard(texts: list[str]) -> Floats:
    """What the shipped ear's last layer says of texts."""
    return layer_means(texts, WordPiece(vocabulary()), headed_runner(shipped_file().read_bytes()))


def vocabulary() -> list[str]:
    """The ear's word pieces."""
    return notes(shipped_file().read_bytes())["vocabulary"].split("\n")


def embedded(texts: list[str], folder: Path) -> Floats:
    """What the teacher has for texts."""
    packed = asyncio.run(MiniLmEmbedder(folder).embed(texts))
    return np.array([np.frombuffer(row, dtype=np.float32) for row in packed])


def turn_of(given: Floats, wanted: Floats) -> tuple[Floats, Floats]:
    """The middle of what is given, and the matrix that brings it nearest to what is wanted."""
    middle, spread = given.mean(axis=0), given.std(axis=0) + 1e-6
    laid = (given - middle) / spread
    squares = laid.T @ laid + COST * np.eye(laid.shape[1])
    matrix = np.linalg.solve(squares, laid.T @ wanted)
    return middle, matrix / spread[:, None]


def kind_weights(rows: Floats, kinds: np.ndarray) -> tuple[Floats, Floats]:
    """A softmax by plain descent, every kind counting alike."""
    count = int(kinds.max()) + 1
    weights, more = np.zeros((rows.shape[1], count)), np.zeros(count)
    wanted = np.eye(count)[kinds]
    worth = (len(kinds) / count / np.bincount(kinds, minlength=count))[kinds][:, None] ** 0.5
    for _ in range(STEPS):
        scores = rows @ weights + more
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        off = (chances - wanted) * worth / len(kinds)
        weights -= RATE * (rows.T @ off + KIND_COST * weights)
        more -= RATE * off.sum(axis=0)
    return weights, more


def left_out(rows: Floats, kinds: np.ndarray) -> dict[str, float]:
    """How often the kind of a question is right that was not learnt from."""
    folds = np.arange(len(kinds)) % FOLDS
    right = sure = right_sure = 0
    for fold in range(FOLDS):
        weights, more = kind_weights(rows[folds != fold], kinds[folds != fold])
        scores = rows[folds == fold] @ weights + more
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        hit = chances.argmax(axis=1) == kinds[folds == fold]
        is_sure = chances.max(axis=1) >= 0.5
        right, sure = right + hit.sum(), sure + is_sure.sum()
        right_sure += (hit & is_sure).sum()
    total = len(kinds)
    return {
        "kind_right": round(right / total, 3),
        "sure": round(sure / total, 3),
        "right_where_sure": round(right_sure / max(1, sure), 3),
    }


def vectors_of(texts: list[str], teacher: Path, kept: Path | None) -> dict[str, Floats]:
    """What the teacher has for the texts and for single pieces, and the ear for the texts; made
    once where a file keeps them."""
    if kept and kept.is_file():
        with np.load(kept) as found:
            return dict(found)
    alone = [piece.removeprefix("##") for piece in vocabulary()]
    made = {"teacher": embedded(texts, teacher), "pieces": embedded(alone, teacher)}
    made["layers"] = heard(texts)
    if kept:
        np.savez(kept, **made)
    return made


def main() -> None:
    """Learns, measures, writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=4500)
    parser.add_argument("--kept", type=Path, help="a file that keeps the teacher's vectors")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    texts = corpus(args.texts)
    kept = vectors_of(texts, args.teacher, args.kept)
    teacher = kept["teacher"]
    pieces = WordPieces(kept["pieces"], texts)
    given = pieces.means(texts)
    middle_of_teacher = teacher.mean(axis=0)
    _, _, directions = np.linalg.svd(teacher - middle_of_teacher, full_matrices=False)
    wanted = (teacher - middle_of_teacher) @ directions[:WIDTH].T
    half = np.arange(len(texts)) % 10 != 0
    for name, rows in (("pieces", given), ("layers", kept["layers"])):
        middle, matrix = turn_of(rows[half], wanted[half])
        off = unit((rows[~half] - middle) @ matrix)
        print(
            f"cosine with the teacher, texts left out, by {name}:", mean_cosine(off, wanted[~half])
        )
    _, matrix = turn_of(given, wanted)
    _, layer_matrix = turn_of(kept["layers"], wanted)
    small = {**in_bytes("layers", layer_matrix), **in_bytes("pieces", pieces.table @ matrix)}
    # From what int8 kept, so that its error is no direction of its own.
    by_layers = kept["layers"] @ restored("layers", small)
    by_pieces = piece_means(texts, pieces.words, restored("pieces", small), pieces.worth)
    small["layers.shift"] = -by_layers.mean(axis=0)
    small["shift"] = -by_pieces.mean(axis=0)
    asked = questions()
    kinds = np.array([ASKED_KINDS.index(kind) for kind, _ in asked])
    order = np.random.default_rng(1).permutation(len(asked))
    vectors = unit(by_pieces[-len(asked) :] + small["shift"])
    heard_as = unit(by_layers[-len(asked) :] + small["layers.shift"])
    counted = Counter(word for _, text in asked for word in asking_words(text))
    known = sorted(word for word, times in counted.items() if times >= LEAST)
    rows = np.hstack([vectors, heard_as, said_of([text for _, text in asked], known)])[order]
    print(len(asked), "questions:", left_out(rows, kinds[order]))
    weights, more = kind_weights(rows, kinds[order])
    if args.write:
        small["worth"] = pieces.worth.astype(np.float16)
        small |= {"kinds": weights.astype(np.float16), "kinds.more": more.astype(np.float32)}
        small["vocabulary"] = np.array(crc32("\n".join(vocabulary()).encode()), np.uint32)
        np.savez_compressed(MODEL, words=np.array(known), **small)
        print(MODEL.name, MODEL.stat().st_size, "bytes")


def mean_cosine(rows: Floats, wanted: Floats) -> float:
    """How near rows are to what they should be."""
    return round(float((rows * unit(wanted)).sum(axis=1).mean()), 3)


def said_of(texts: list[str], known: list[str]) -> Floats:
    """Which of the known words each text has."""
    rows = [asking_words(text) for text in texts]
    return np.array([[SAID * (word in row) for word in known] for row in rows], dtype=np.float32)


def restored(name: str, small: dict[str, np.ndarray]) -> Floats:
    """A matrix as it is read again."""
    return small[name].astype(np.float32) * small[f"{name}.scale"]


def in_bytes(name: str, matrix: Floats) -> dict[str, np.ndarray]:
    """A matrix as int8 with a scale for each row."""
    scale = np.maximum(np.abs(matrix).max(axis=1, keepdims=True), 1e-9) / 127
    return {
        name: np.rint(matrix / scale).astype(np.int8),
        f"{name}.scale": scale.astype(np.float32),
    }


if __name__ == "__main__":
    main()

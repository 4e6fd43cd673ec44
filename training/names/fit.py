"""Learns what names name from sentences whose names are labelled: models/name_kinds.npz.

    PYTHONPATH=src python training/names/fit.py [--write]

A linear head on the reader's last layer, the mean of a name's pieces. One writer at a time is left
out: the table that is printed says how well the others name theirs. `--write` fits on all three.
"""

import argparse
import json
import re
from pathlib import Path

import numpy as np

from freeform.adapters.encoder.table import WIDTH
from freeform.adapters.reader.learned import shipped_file
from freeform.adapters.reader.name_scores import NameScores
from freeform.language.meaning.names import NAME_KINDS

HERE = Path(__file__).parent
MODEL = HERE.parents[1] / "src/freeform/models/name_kinds.npz"
WRITERS = ("one", "two", "three")
COST, STEPS, RATE = 0.01, 300, 0.02
Head = tuple[np.ndarray, np.ndarray]


def main() -> None:
    """Reads the corpus, prints what leaving each writer out gives, and writes the weights."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--write", action="store_true")
    args = told.parse_args()
    rows, kinds, writers = corpus()
    chances = np.zeros((len(rows), len(NAME_KINDS)))
    for writer in WRITERS:
        own = writers == writer
        chances[own] = told_by(fit(rows[~own], kinds[~own]), rows[own])
    print_figures(chances, kinds, writers)
    if args.write:
        weights, more = fit(rows, kinds)
        np.savez(MODEL, w=weights.astype(np.float16), b=more.astype(np.float32))


def corpus() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every name as the reader's layers see it, its kind, and who wrote it."""
    layers = NameScores(
        shipped_file().read_bytes(), (np.eye(WIDTH, dtype=np.float32), np.zeros(WIDTH, np.float32))
    )
    rows, kinds, writers = [], [], []
    for writer in WRITERS:
        lines = (HERE / f"{writer}.jsonl").read_text(encoding="utf-8").splitlines()
        for line in map(json.loads, lines):
            named = {re.sub(r"^the ", "", name, flags=re.I): kind for name, kind in line["names"]}
            for name, found in layers.of_names(list(named), [line["text"]]).items():
                rows.append(found[0])
                kinds.append(NAME_KINDS.index(named[name]))
                writers.append(writer)
    return np.array(rows, dtype=np.float64), np.array(kinds), np.array(writers)


def fit(rows: np.ndarray, kinds: np.ndarray) -> Head:
    """A softmax with a price on large weights, by Adam from nothing: the same every time."""
    middle, spread = rows.mean(0), rows.std(0) + 1e-6
    seen, wanted = (rows - middle) / spread, np.eye(len(NAME_KINDS))[kinds]
    weights, more = np.zeros((rows.shape[1], len(NAME_KINDS))), np.zeros(len(NAME_KINDS))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        off = softmax(seen @ weights + more) - wanted
        slope = seen.T @ off / len(seen) + COST * weights
        more -= 0.5 * off.mean(0)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope * slope
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    weights /= spread[:, None]
    return weights, more - middle @ weights


def told_by(head: Head, rows: np.ndarray) -> np.ndarray:
    """How likely each kind is."""
    return softmax(rows @ head[0] + head[1])


def softmax(scores: np.ndarray) -> np.ndarray:
    """Chances that add up to 1."""
    chances = np.exp(scores - scores.max(1, keepdims=True))
    return chances / chances.sum(1, keepdims=True)


def print_figures(chances: np.ndarray, kinds: np.ndarray, writers: np.ndarray) -> None:
    """Told from a chance on: how many, right of those, and of all of the kind."""
    best = chances.argmax(1)
    print(f"{len(kinds)} names, right {(best == kinds).mean():.3f}")
    for writer in (*WRITERS, "all"):
        own = (writers == writer) | (writer == "all")
        for number, kind in enumerate(NAME_KINDS[:3]):
            for least in (0.8, 0.9):
                hit = own & (best == number) & (chances[:, number] >= least)
                right, of = (hit & (kinds == number)).sum(), (own & (kinds == number)).sum()
                print(
                    f"{writer:6}{kind:8} {least}: {hit.sum():4} told, {right / max(1, hit.sum()):.3f} right, {right / of:.2f} of all"
                )


if __name__ == "__main__":
    main()

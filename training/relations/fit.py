"""Teaches the reader of prose which relations a sentence tells, and what kind of thing a name is.

    python training/relations/fit.py [--write]

One writer at a time is left out: the tables that are printed say how well the others' sentences
teach to read hers, with thresholds chosen on the others too. `--write` fits on all writers and
writes src/freeform/models/relations.npz.
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path

import numpy as np
from corpus import WikiText, name_rows, pair_rows, read_corpus
from linear import HashedRows, as_table

from freeform.offline.lore.learned import HEADS, NAME_KINDS, LinearTable, fits
from freeform.offline.lore.relations import chances_told

MODEL = Path(__file__).parents[2] / "src/freeform/models/relations.npz"
BUCKETS, KIND_BUCKETS = 1 << 16, 1 << 15
ASKED = 0.95
"""So often right must be what is said of the writers that thresholds are chosen on; a writer left
out is then read at .9 and better."""
KINDS_ASKED = 0.9
NEVER = 2.0
Said = dict[str, list[tuple[float, bool, bool]]]
"""By head: the chance of each pair of names of a text, whether the text says so, whether it denies
it. What was not looked at has the chance -1."""


def main() -> None:
    """Prints what leaving each writer out gives; writes the weights."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--write", action="store_true")
    args = told.parse_args()
    texts = read_corpus()
    writers = sorted({text.writer for text in texts})
    said, kinds = left_out(texts, writers)
    print_relations(said, writers)
    sure = {"relation": threshold(all_said(said, writers), ASKED)}
    sure |= print_kinds(kinds, writers)
    print(f"sure from {sure} on")
    if args.write:
        write(texts, sure)


def left_out(
    texts: list[WikiText], writers: list[str]
) -> tuple[dict[str, Said], dict[str, list[tuple[float, bool]]]]:
    """How every writer is read by what the others taught: relations, and kinds of names."""
    said: dict[str, Said] = {}
    kinds: dict[str, list[tuple[float, bool]]] = {}
    for writer in writers:
        others = [text for text in texts if text.writer != writer]
        own = [text for text in texts if text.writer == writer]
        said[writer] = read_with(fit_heads(others), own)
        kinds[writer] = named_with(fit_kinds(others), own)
    return said, kinds


def fit_heads(texts: list[WikiText]) -> LinearTable:
    """The weights of every head, learnt from pairs whose kinds may stand so."""
    rows = [row for text in texts for row in pair_rows(text)]
    known = HashedRows([row.features for row in rows], BUCKETS)
    columns = []
    for name, head in HEADS.items():
        chosen = [
            number
            for number, row in enumerate(rows)
            if fits(head, *row.kinds) and name not in row.skipped
        ]
        wanted = np.array([name in rows[number].told for number in chosen], dtype=float)
        columns.append(known.fitted(np.array(chosen), wanted))
    return as_table(columns)


def read_with(table: LinearTable, texts: list[WikiText]) -> Said:
    """What the heads say of texts whose names and kinds are known."""
    said: Said = defaultdict(list)
    for text in texts:
        rows = [(row.names, row.kinds, row.features) for row in pair_rows(text)]
        best = chances_told(table, rows)
        for key, chance in best.items():
            said[key[1]].append((chance, key in text.says, key in text.denies))
        for key in text.says - set(best):
            said[key[1]].append((-1.0, True, False))
    return said


def all_said(said: dict[str, Said], writers: list[str]) -> list[tuple[float, bool, bool]]:
    """What was said of the writers' texts with any head. One threshold for all heads: each by
    itself has too few right ones to choose by."""
    return [one for writer in writers for head in HEADS for one in said[writer][head]]


def threshold(said: list[tuple[float, bool, bool]], asked: float) -> float:
    """The lowest chance from which on what is said is right often enough; NEVER where none is."""
    lowest, right, wrong = NEVER, 0, 0
    for chance, so, _ in sorted(said, reverse=True):
        right, wrong = right + so, wrong + (not so)
        if chance > 0 and (right + 0.5) / (right + wrong + 1) >= asked:
            lowest = chance
    return lowest


def print_relations(said: dict[str, Said], writers: list[str]) -> None:
    """Each writer read by the others, with the others' threshold; then each head."""
    print("left out: right, wrong, of; denials taken for facts")
    sums = np.zeros(4, dtype=int)
    by_head = {head: np.zeros(4, dtype=int) for head in HEADS}
    for writer in writers:
        least = threshold(all_said(said, [one for one in writers if one != writer]), ASKED)
        counted = np.zeros(4, dtype=int)
        for head in HEADS:
            found = count(said[writer][head], least)
            counted += found
            by_head[head] += found
        print(f"  {writer}: {counted.tolist()}")
        sums += counted
    print(f"  all: {sums.tolist()}")
    for head, counted in by_head.items():
        print(f"  {head}: {counted.tolist()}")


def count(said: list[tuple[float, bool, bool]], least: float) -> np.ndarray:
    """Right, wrong, all there is to say, denials among the wrong."""
    told = [one for one in said if one[0] >= least]
    right = sum(so for _, so, _ in told)
    denied = sum(no for _, _, no in told)
    return np.array([right, len(told) - right, sum(so for _, so, _ in said), denied])


def fit_kinds(texts: list[WikiText]) -> LinearTable:
    """The weights for what kind of thing a name is."""
    chance = random.Random("kinds")
    rows = [row for text in texts for row in name_rows(text, chance)]
    known = HashedRows([features for features, _ in rows], KIND_BUCKETS)
    every = np.arange(len(rows))
    columns = []
    for kind in NAME_KINDS:
        columns.append(known.fitted(every, np.array([one == kind for _, one in rows], dtype=float)))
    return as_table(columns)


def named_with(table: LinearTable, texts: list[WikiText]) -> list[tuple[float, bool]]:
    """The likeliest kind of every name: how likely, and whether it is that."""
    found: list[tuple[float, bool]] = []
    chance = random.Random("kinds")
    for text in texts:
        for features, kind in name_rows(text, chance):
            chances = table.chances(features)
            best = int(chances.argmax())
            found.append((float(chances[best]), NAME_KINDS[best] == kind))
    return found


def print_kinds(kinds: dict[str, list[tuple[float, bool]]], writers: list[str]) -> dict[str, float]:
    """Each writer's names by what the others taught; the threshold for all."""
    print("kinds of names, left out: right, wrong, names; all without a threshold")
    for writer in writers:
        rest = [(c, so, False) for other in writers if other != writer for c, so in kinds[other]]
        told = [so for chance, so in kinds[writer] if chance >= threshold(rest, KINDS_ASKED)]
        right = sum(so for _, so in kinds[writer])
        print(f"  {writer}: {sum(told)}, {len(told) - sum(told)}, {len(kinds[writer])}; {right}")
    every = [(chance, so, False) for writer in writers for chance, so in kinds[writer]]
    return {"kind": threshold(every, KINDS_ASKED)}


def write(texts: list[WikiText], sure: dict[str, float]) -> None:
    """Fits on all, and keeps the weights in a byte each."""
    kept: dict[str, np.ndarray] = {}
    for name, table in (("heads", fit_heads(texts)), ("kinds", fit_kinds(texts))):
        scale = np.abs(table.weights).max(axis=0) / 127
        kept[name] = np.round(table.weights / scale).astype(np.int8)
        kept[f"{name}.scale"] = scale.astype(np.float32)
        kept[f"{name}.bias"] = table.bias
    kept["sure.names"] = np.array(list(sure))
    kept["sure"] = np.array(list(sure.values()), dtype=np.float32)
    np.savez_compressed(MODEL, **kept)
    print(f"{MODEL.name}: {MODEL.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

"""Fits what tells a premise of one's own contest, or of an evening between two people, from all others.

    python training/premises/own_turns.py        writes src/freeform/language/meaning/own_turns.json

A line through the ear's vectors of texts: the premises of `own_turns.yaml` and the ways of telling in `language/cues/turns.yaml` on one
side, the 1,050 premises of this folder on the other (without those marked as a rivalry, for a contest), and those that only have the words
for it (`neither`). Left out by sixths it finds two in three of the first, and takes one (a contest) or two in a hundred of the others and two
of the 26 that only have the words; without them among the others it was 5 of 26 for a contest.
"""

import json
import re
from pathlib import Path

import numpy as np
import yaml

from freeform.language.tables import cues
from freeform.wiring.ear import sense

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "src/freeform/language/meaning/own_turns.json"
MARKED = re.compile(r"\[([^\]|]*)\|[^\]]*\]")
STEPS, RATE, PULL, WEIGHT = 300, 2.0, 0.9, 0.3
NEITHER, AS_MANY = "neither", 8
"""Those that have the words and tell neither, and as how many others each of them counts."""


def premises() -> list[tuple[str, list[str]]]:
    """Every marked premise as it reads, with the stories it was marked with."""
    lines = [line for file in sorted(HERE.glob("*.jsonl")) for line in file.open(encoding="utf-8")]
    rows = [json.loads(line) for line in lines]
    return [(MARKED.sub(r"\1", row["text"]), row.get("shapes", [])) for row in rows]


def vectors(texts: list[str]) -> np.ndarray:
    """The ear's vectors."""
    return np.array(sense()._sense.vectors(texts))


def fit(good: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, float]:
    """Logistic regression, the few weighted up."""
    rows = np.vstack([good, others])
    truth = np.r_[np.ones(len(good)), np.zeros(len(others))]
    weight = np.r_[np.full(len(good), WEIGHT * len(others) / len(good)), np.ones(len(others))]
    line, bias = np.zeros(rows.shape[1]), 0.0
    pulled, pulled_bias = np.zeros_like(line), 0.0
    for _ in range(STEPS):
        off = weight * (1 / (1 + np.exp(-(rows @ line + bias))) - truth)
        pulled = PULL * pulled + (rows.T @ off + line) / weight.sum()
        pulled_bias = PULL * pulled_bias + off.sum() / weight.sum()
        line, bias = line - RATE * pulled, bias - RATE * pulled_bias
    return line, bias


def main() -> None:
    """Fits both and writes them."""
    own = yaml.safe_load((HERE / "own_turns.yaml").read_text(encoding="utf-8"))
    unlike = np.repeat(vectors(own.pop(NEITHER)), AS_MANY, axis=0)
    told = {turn: vectors([*cues("turns")["glosses"][turn], *rows]) for turn, rows in own.items()}
    found = {}
    for turn, good in told.items():
        rows = [text for text, shapes in premises() if turn != "bout" or "rivalry" not in shapes]
        others = [vectors(rows), unlike, *(known for name, known in told.items() if name != turn)]
        line, bias = fit(good, np.vstack(others))
        found[turn] = {"line": [round(float(at), 3) for at in line], "bias": round(float(bias), 3)}
    OUT.write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

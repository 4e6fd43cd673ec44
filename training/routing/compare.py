"""Whether a classifier on the ear's vectors chooses tools better than the trained selector does.

    python training/routing/compare.py

Every question of the tree that has one right tool, by where it comes from: the selector's own
training questions, the routing suite, and the tables of the answers suite (its looked-at sets). One
source is left out at a time; the rest are learnt from. Prints, for each left-out source, how often
the likeliest tool is right, and for `several tools when unsure` how often the right one is among
those chosen and how many are chosen. Writes nothing: the figures stand in docs/ask.md.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import yaml

from freeform.adapters.ear.learned import shipped_file
from freeform.adapters.encoder.forward import NumpyLayers, mean_of
from freeform.adapters.encoder.protobuf import constants, notes
from freeform.adapters.encoder.table import restore
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.assistant.model import TOOLS
from freeform.evals.suites.answers.question import HERE, read_questions
from freeform.evals.suites.answers.suite import answer_sets
from freeform.offline.assistant.features import features, mark

TRAINED = Path(__file__).parents[2] / "src/freeform/offline/assistant"
LOOKED_AT = ("development", "2026-11-16-strangers")
TOOL_OF = {"sheet": "character_data", "notes": "session_notes", "rules": "rulebook"}
MARK = re.compile(r"\[([^|\]]+)\|(\w+)\]")
ROUNDS = 60
UNSURE = 0.25
"""A tool that is at least so likely is asked beside the likeliest."""


def questions() -> list[tuple[str, str, str]]:
    """(source, question, tool)."""
    rows = []
    for file in sorted(TRAINED.glob("training_*.yaml")):
        for tool, groups in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            for asked in groups.values():
                rows += [("selector", MARK.sub(r"\1", each), tool) for each in asked]
    for each in answer_sets():
        if each.name in LOOKED_AT:
            for asked in read_questions(each.file):
                if asked.source in TOOL_OF and not asked.unknowable:
                    rows.append((f"answers:{asked.table}", asked.ask, TOOL_OF[asked.source]))
    return rows


class Vectors:
    """Questions as the mean of the ear's last layer."""

    def __init__(self) -> None:
        model = shipped_file().read_bytes()
        self.table = restore(constants(model))
        self.layers = NumpyLayers(self.table)
        self.words = WordPiece(notes(model)["vocabulary"].split("\n"))

    def of(self, text: str) -> np.ndarray:
        """One vector."""
        pieces = self.words.pieces(text.lower(), signs_apart=True)[:60]
        ids = np.array([[self.words.start, *(piece.number for piece in pieces), self.words.end]])
        shown = self.table["words"][ids] + self.table["places"][: ids.shape[1]]
        mask = np.ones(ids.shape, dtype=np.float32)
        vector = mean_of(self.layers(shown + self.table["kinds"][np.zeros_like(ids)], mask), mask)
        return vector[0] / np.linalg.norm(vector[0])


def signs(rows: Sequence[tuple[str, str, str]]) -> np.ndarray:
    """Questions as the selector sees them, without a source that knows their names."""
    bags = [set(features(mark(asked, []))) for _, asked, _ in rows]
    counts: dict[str, int] = {}
    for bag in bags:
        for sign in bag:
            counts[sign] = counts.get(sign, 0) + 1
    at = {sign: n for n, sign in enumerate(s for s, count in counts.items() if count > 2)}
    made = np.zeros((len(rows), len(at)), dtype=np.float32)
    for row, bag in enumerate(bags):
        known = [at[sign] for sign in bag if sign in at]
        made[row, known] = 1 / np.sqrt(max(1, len(known)))
    return made


def fit(x: np.ndarray, y: np.ndarray, cost: float) -> tuple[np.ndarray, np.ndarray]:
    """Softmax regression."""
    w, b = np.zeros((x.shape[1], len(TOOLS))), np.zeros(len(TOOLS))
    vw, vb = np.zeros_like(w), np.zeros_like(b)
    target = np.eye(len(TOOLS))[y]
    for _ in range(ROUNDS):
        g = (chances(x, w, b) - target) / len(y)
        vw = 0.9 * vw - 2.0 * (x.T @ g + cost * w)
        vb = 0.9 * vb - 2.0 * g.sum(0)
        w, b = w + vw, b + vb
    return w, b


def chances(x: np.ndarray, w: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How likely each tool is."""
    z = x @ w + b
    p = np.exp(z - z.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def main() -> None:
    """Prints a table."""
    assert HERE.is_dir()
    rows = questions()
    y = np.array([TOOLS.index(tool) for _, _, tool in rows])
    vectors = Vectors()
    ear = np.stack([vectors.of(asked) for _, asked, _ in rows]) * 4
    words = signs(rows)
    seen = {"signs": words, "ear": ear, "both": np.concatenate([words, ear], axis=1)}
    sources = [name for name in dict.fromkeys(name for name, _, _ in rows) if name != "selector"]
    where = np.array([name for name, _, _ in rows])
    for name, x in seen.items():
        right, among, chosen, total = 0, 0, 0, 0
        for source in sources:
            out = where == source
            likely = chances(x[out], *fit(x[~out], y[~out], 1e-4))
            best = likely.argmax(1)
            taken = (likely >= UNSURE) | (np.eye(len(TOOLS))[best] > 0)
            right += int((best == y[out]).sum())
            among += int(taken[np.arange(len(best)), y[out]].sum())
            chosen += int(taken.sum())
            total += len(best)
        print(
            f"{name:6} n {total}  likeliest right {right / total:.3f}  "
            f"among the chosen {among / total:.3f}  chosen {chosen / total:.2f}"
        )


if __name__ == "__main__":
    main()

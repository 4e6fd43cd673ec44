"""Learns what a sort of deed may be expected to bring and to cost: models/deeds.json.

    python training/deeds/fit.py --rows ROWS.jsonl [ROWS.jsonl …] [--write]

Ridge regression of gain and cost on the features of `players/mind/weigh.py`, over rows that
`collect.py` wrote. What is printed is for each scenario left out: how the gain that weights from
the others expect goes with the gain there was, and what the best tenth of deeds brought beside the
mean. `--write` fits on all.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

MODEL = Path(__file__).parents[2] / "src/freeform/models/deeds.json"
COST, LEAST, MOST = 6.0, 6, 3.0
Row = dict[str, Any]


def fit(rows: list[Row]) -> dict[str, list[float]]:
    """A pair of weights for each feature that is there often enough."""
    counts = Counter(name for row in rows for name in set(row["features"]))
    names = sorted(name for name, number in counts.items() if number >= LEAST)
    at = {name: n for n, name in enumerate(names)}
    x = np.zeros((len(rows), len(names)))
    for n, row in enumerate(rows):
        for name in row["features"]:
            if name in at:
                x[n, at[name]] = 1.0
    y = np.array([[min(row["gained"], MOST), min(row["cost"], MOST)] for row in rows])
    w = np.linalg.solve(x.T @ x + COST * np.eye(len(names)), x.T @ y)
    return {name: [round(float(v), 4) for v in w[at[name]]] for name in names}


def expects(row: Row, weights: dict[str, list[float]]) -> float:
    """The gain that is expected of a row."""
    return sum(weights[name][0] for name in row["features"] if name in weights)


def main() -> None:
    """Fits, prints what leaving each scenario out gives, and writes the weights."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--rows", type=Path, nargs="+", required=True)
    told.add_argument("--write", action="store_true")
    args = told.parse_args()
    rows = [json.loads(line) for file in args.rows for line in file.read_text().splitlines()]
    for left_out in sorted({row["scenario"] for row in rows}):
        weights = fit([row for row in rows if row["scenario"] != left_out])
        held = [row for row in rows if row["scenario"] == left_out]
        guess = np.array([expects(row, weights) for row in held])
        true = np.array([row["gained"] for row in held])
        best = true[np.argsort(-guess)[: len(held) // 10]].mean()
        rank = np.corrcoef(guess.argsort().argsort(), true.argsort().argsort())[0, 1]
        print(f"{left_out} left out: {len(held)} deeds, rank correlation {rank:.3f}, "
              f"best tenth {best:.3f} beside a mean of {true.mean():.3f}")  # fmt: skip
    if args.write:
        document = {"features": fit(rows)}
        MODEL.write_text(json.dumps(document, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()

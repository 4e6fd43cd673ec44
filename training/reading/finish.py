"""Says how well tables that were held back are read, and puts the numbers that make chances right into the model.

python training/reading/finish.py --held OUT/fold*.json                               the figures alone
python training/reading/finish.py --held OUT/fold*.json --model OUT/reader.onnx       and the file that is shipped
"""

import argparse
import json
from pathlib import Path
from zlib import crc32

import numpy as np

from freeform.adapters.encoder.protobuf import graph_of, notes, with_notes
from freeform.adapters.reader.learned import LearnedReader, shipped_file

STEPS, RATE = 4_000, 0.1


def fitted(scores: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """What makes the score of the best passage the chance that it answers."""
    weight, more = 1.0, 0.0
    for _ in range(STEPS):
        wrong = 1 / (1 + np.exp(-(weight * scores + more))) - right
        weight -= RATE * float((wrong * scores).mean())
        more -= RATE * float(wrong.mean())
    return round(weight, 4), round(more, 4)


def told(rows: list[dict[str, float]]) -> str:
    """The figures of some questions."""
    known = [row for row in rows if row["known"]]
    first = np.mean([row["right"] for row in known])
    words = np.mean([row["words"] for row in known if row["right"]])
    return f"{len(rows)} questions: right passage first {first:.3f}, its words F1 {words:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", type=Path, nargs="+", required=True)
    parser.add_argument("--model", type=Path, default=None)
    parser.add_argument("--out", type=Path, default=shipped_file())
    args = parser.parse_args()
    everything = []
    for file in args.held:
        rows = json.loads(file.read_text(encoding="utf-8"))
        print(f"{file.stem}: {told(rows)}")
        everything += rows
    scores = np.array([row["score"] for row in everything])
    right = np.array([float(row["right"]) for row in everything])
    weight, more = fitted(scores, right)
    chance = 1 / (1 + np.exp(-(weight * scores + more)))
    print(f"all: {told(everything)}; weight {weight}, more {more}")
    for least in (0.5, 0.6, 0.7, 0.8, 0.9):
        taken = chance >= least
        print(
            f"from {least}: {taken.mean():.3f} of questions, {right[taken].mean():.3f} of them right"
        )
    if args.model:
        model = args.model.read_bytes()
        tuning = json.dumps({"answers": [weight, more]})
        crc = str(crc32(graph_of(model)))
        args.out.write_bytes(with_notes(model, {**notes(model), "tuning": tuning, "crc32": crc}))
        print(
            LearnedReader(args.out).problem()
            or f"{args.out.name}: {args.out.stat().st_size:,} bytes"
        )


if __name__ == "__main__":
    main()

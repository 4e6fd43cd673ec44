"""Leaves the table of words to the ear's file, which has the same: the file that is shipped.

PYTHONPATH=src:training python training/touches/finish.py --model OUT/limits.onnx
"""

import argparse
from pathlib import Path

from freeform.adapters.ear.learned import shipped_ear
from freeform.adapters.ear.learned import shipped_file as ear_file
from freeform.adapters.encoder.protobuf import constants
from freeform.adapters.limits.graph import WORDS, without_words
from freeform.adapters.limits.learned import LearnedLimits, shipped_file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=shipped_file())
    args = parser.parse_args()
    model, ear = args.model.read_bytes(), ear_file().read_bytes()
    ours, theirs = constants(model), constants(ear)
    if any((ours[name] != theirs[name]).any() for name in WORDS):
        raise SystemExit("its words are not the ear's: it was begun from another START")
    made = without_words(model, ear)
    args.out.write_bytes(made)
    problem = LearnedLimits(args.out, shipped_ear().vectors).problem()
    print(problem or f"{args.out.name}: {len(made):,} bytes")


if __name__ == "__main__":
    main()

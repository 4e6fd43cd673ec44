"""Puts the fitted numbers into the model, beside the graph: the file that is shipped.

python training/ear/finish.py --model OUT/ear.onnx --tuning tuning.json
"""

import argparse
import json
from pathlib import Path
from zlib import crc32

from freeform.adapters.ear.learned import LearnedEar, shipped_file
from freeform.adapters.encoder.protobuf import graph_of, notes, with_notes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--tuning", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=shipped_file())
    args = parser.parse_args()
    model = args.model.read_bytes()
    tuning = json.dumps(json.loads(args.tuning.read_text(encoding="utf-8")))
    crc = str(crc32(graph_of(model)))
    made = with_notes(model, {**notes(model), "tuning": tuning, "crc32": crc})
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(made)
    problem = LearnedEar(args.out).problem()
    print(problem or f"{args.out.name}: {len(made):,} bytes")


if __name__ == "__main__":
    main()

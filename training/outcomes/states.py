"""Makes `language/meaning/states.txt`: what writers said often enough is a state that can be read.

python training/outcomes/states.py
"""

import json
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
FILE = HERE.parents[1] / "src" / "freeform" / "language" / "meaning" / "states.txt"
LEAST = 4
"""Deeds of which it was said."""


def main() -> None:
    counts: Counter[str] = Counter()
    for file in sorted(HERE.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            counts.update({said.lower() for said in json.loads(line)["is"]})
    states = sorted(said for said, count in counts.items() if count >= LEAST)
    FILE.write_text("".join(f"{state}\n" for state in states), encoding="utf-8")
    print(
        f"{len(states)} of {len(counts)} states; {sum(counts[s] for s in states)} of {counts.total()} said"
    )


if __name__ == "__main__":
    main()

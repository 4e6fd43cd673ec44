"""Makes `language/meaning/states.txt`: what writers said often enough is a state that can be read,
and of what they said it: of themselves, of people, of things.

python training/outcomes/states.py
"""

import json
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
FILE = HERE.parents[1] / "src" / "freeform" / "language" / "meaning" / "states.txt"
LEAST = 4
"""Deeds of which it was said."""
SHARE = 0.05
"""The share of what a state is said of from which on it may be said of such."""
SOMEONE = frozenset("him her them he she everyone everybody".split())


def main() -> None:
    counts: Counter[str] = Counter()
    subjects: dict[str, Counter[str]] = {}
    for file in sorted(HERE.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            said = {state.lower() for state in row["is"]}
            counts.update(said)
            for state in said if row["on"] else ():
                subjects.setdefault(state, Counter())[subject_of(row)] += 1
    states = sorted(said for said, count in counts.items() if count >= LEAST)
    FILE.write_text(
        "".join(f"{told(one, subjects.get(one))}\n" for one in states), encoding="utf-8"
    )
    print(
        f"{len(states)} of {len(counts)} states; {sum(counts[s] for s in states)} of {counts.total()} said"
    )


def subject_of(row: dict[str, str]) -> str:
    """Whom or what a deed changed."""
    on, who = row["on"].lower(), row.get("who", "").lower()
    if on == "me":
        return "me"
    return "person" if on in SOMEONE or (who and on == who) else "thing"


def told(state: str, subjects: Counter[str] | None) -> str:
    """A state, and what it may be said of."""
    total = subjects.total() if subjects else 0
    of = [name for name in ("me", "person", "thing") if total and subjects[name] >= SHARE * total]
    return f"{state}: {' '.join(of or ('me', 'person', 'thing'))}"


if __name__ == "__main__":
    main()

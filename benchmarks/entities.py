"""Names among 100,000: how fast one is resolved, and how often rightly, by what was done to it.

Made-up names in the shapes of a campaign; the same seed gives the same names. Prints a table and JSON.
Run: python benchmarks/entities.py [--names 100000] [--queries 400]
"""

import argparse
import json
import random
import statistics
import time

from freeform.assistant.entities.fold import folded
from freeform.assistant.entities.match import match
from freeform.assistant.entities.spot import spot
from freeform.assistant.entities.table import NameTable
from freeform.assistant.model import Name

SYLLABLES = (
    "ba be bri cor da dre el en fa fen ga gor ha hel il ir ja ka kel la lor ma mir na ner ol or pa per qua ra ren sa sel "
    "ta thor ul ur va ves wyn xan ya yor za zel"
).split()
ENDS = "n r s th l x nd rk sh m la ra na dor wen mir gar las".split()
THINGS = "Blade Crown Staff Ring Tower Keep Abbey Song Oath Mask Lantern Bell Gate Vault Mirror Harp".split()
MOODS = "Silent Broken Crimson Drowned Hollow Gilded Ashen Weeping Forgotten Last Pale Iron".split()
SENTENCES = (
    "Remind me what {} wanted from us in the last session?",
    "what do I know about {} and the old road",
    "Tell me everything our notes say on {}, please.",
    "Why did we trust {} at all?",
)


def word(dice: random.Random) -> str:
    return (
        "".join(dice.choice(SYLLABLES) for _ in range(dice.randint(2, 3))) + dice.choice(ENDS)
    ).capitalize()


def make_names(count: int, dice: random.Random) -> list[str]:
    """Names of people, places and things, each once; many near-namesakes by construction."""
    made: dict[str, None] = {}
    while len(made) < count:
        shape = dice.random()
        if shape < 0.45:
            name = f"{word(dice)} {word(dice)}"
        elif shape < 0.7:
            name = f"{dice.choice(THINGS)} of {word(dice)}"
        elif shape < 0.9:
            name = f"{word(dice)} the {dice.choice(MOODS)}"
        else:
            name = f"{dice.choice(MOODS)} {dice.choice(THINGS)} of {word(dice)}"
        made[name] = None
    return list(made)


def typo(name: str, dice: random.Random) -> str:
    """One slip: a letter doubled, dropped, changed, or two swapped; never the first of a word."""
    spots = [
        i
        for i in range(1, len(name) - 1)
        if name[i].isalpha() and name[i - 1].isalpha() and name[i + 1].isalpha()
    ]
    at = dice.choice(spots)
    slip = dice.randrange(4)
    if slip == 0:
        return name[:at] + name[at] + name[at:]
    if slip == 1:
        return name[:at] + name[at + 1 :]
    if slip == 2:
        return name[:at] + dice.choice("aeiou") + name[at + 1 :]
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--names", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=400)
    args = parser.parse_args()
    dice = random.Random(7)
    names = make_names(args.names, dice)
    table = NameTable(
        [Name(name=n, tool="session_notes", section="session_notes.npc") for n in names]
    )
    began = time.perf_counter()
    match("Warm Up Of Everything", table)
    built = time.perf_counter() - began
    kinds = {
        "exact": lambda n: n.lower(),
        "one typo": lambda n: typo(n, dice),
        "two typos": lambda n: typo(typo(n, dice), dice),
        "reordered": lambda n: " ".join(reversed([w for w in n.split() if w not in ("of", "the")])),
        "prefix": lambda n: n[: max(6, int(len(n) * 0.7))],
        "in a sentence": lambda n: dice.choice(SENTENCES).format(n),
        "typo in a sentence": lambda n: dice.choice(SENTENCES).format(typo(n, dice)),
        "unknown": lambda n: f"{word(dice)}{word(dice).lower()} {word(dice)}",
    }
    rows = []
    for kind, change in kinds.items():
        times, cpu, right, wrong = [], [], 0, 0
        for _ in range(args.queries):
            name = dice.choice(names)
            asked = change(name)
            began, spent = time.perf_counter(), time.process_time()
            if "sentence" in kind:
                found = {
                    table.names[r].name
                    for hit in spot(asked, {"session_notes": table})
                    for m in hit.found.values()
                    for r in m.rows
                }
            else:
                hit = match(asked, table)
                found = {table.names[row].name for row in hit.rows}
            times.append((time.perf_counter() - began) * 1000)
            cpu.append((time.process_time() - spent) * 1000)
            if kind == "unknown":
                right += not found or folded(asked) in {folded(f) for f in found}
                wrong += bool(found)
            else:
                right += name in found
                wrong += bool(found) and name not in found
        times.sort()
        cpu.sort()
        rows.append({
            "asked": kind,
            "right": round(right / args.queries, 3),
            "wrong": round(wrong / args.queries, 3),
            "p50_ms": round(statistics.median(times), 3),
            "p95_ms": round(times[int(0.95 * len(times))], 3),
            "cpu_p95_ms": round(cpu[int(0.95 * len(cpu))], 3),
        })  # fmt: skip
    print(f"{args.names:,} names; tables made in {built:.1f} s")
    print(f"{'asked':20} {'right':>9} {'wrong':>9} {'p50 ms':>9} {'p95 ms':>9} {'CPU p95':>9}")
    for row in rows:
        figures = (row[key] for key in ("right", "wrong", "p50_ms", "p95_ms", "cpu_p95_ms"))
        print(f"{row['asked']:20} " + " ".join(f"{figure:9.3f}" for figure in figures))
    print(
        json.dumps(
            {"benchmark": "entities", "names": args.names, "build_s": round(built, 2), "rows": rows}
        )
    )


if __name__ == "__main__":
    main()

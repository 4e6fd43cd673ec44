"""Learns what a text that speaks to a game master sounds like, from chapters of books that say so.

    python training/guidance/fit.py --work WORK [--write]

WORK holds, for each book, the folder that `pack-ingest --out WORK/BOOK` leaves. One book at a time
is left out: the table that is printed says how well the rest tells its advice from its rules.
`--write` fits on all of them and writes src/freeform/models/guidance.json.
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from freeform.ingest.model import BookSection
from freeform.ingest.pack.advice import with_chapters
from freeform.ingest.run.job import load_sections
from freeform.ingest.things.things import bare, text_of

MODEL = Path(__file__).parents[2] / "src/freeform/models/guidance.json"
#: Headings whose sections are advice, and headings of which nobody can say.
ADVICE = {
    "dungeonworld": ("THE GM", "FRONTS"),
    "mausritter": ("Running Mausritter",),
    "daggerheart": ("GM GUIDANCE", "ADDITIONAL GM GUIDANCE", "GM PRINCIPLES", "MAKING MOVES"),
    "opend6": ("Campaigning the TV Way", "Advice for the GM"),
    "cepheus": ("The Referee",),
    "blackflag": (),
    "srd51": (),
}
UNSURE = (
    "RUNNING THE GAME",
    "CORE GM MECHANICS",
    "ADDITIONAL GM GUIDANCE",
    "PLAYER PRINCIPLES",
    "FLOW OF THE GAME",
    "The Witherwild",
    "USING ADVERSARIES",
    "BUILDING BALANCED ENCOUNTERS",
    "AN EXAMPLE FRONT: THE OPENING OF THE WHITE GATE",
    "INTRODUCTION",
    "WHY?",
    "HOW TO USE THIS BOOK",
    "SETTING UP",
    "PLAYING THE GAME",
    "Adventure site toolbox",
    "Hexcrawl toolbox",
    "Best practices",
    "Character Creation Guidelines",
)
#: What books call their game masters: the word is no sign that holds elsewhere.
ROLES = frozenset(
    "gm gms referee referees gamemaster gamemasters narrator dm game master masters".split()
)
BOOKS, TIMES, SHORTEST = 4, 8, 15
COST, STEPS, RATE = 1.5, 600, 0.5
Row = tuple[str, bool, dict[str, float]]


def main() -> None:
    """Reads the books, prints what leaving each out gives, and writes the weights."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--work", type=Path, required=True)
    told.add_argument("--write", action="store_true")
    args = told.parse_args()
    rows = [row for book in ADVICE for row in book_rows(book, args.work)]
    print_left_out(rows)
    if args.write:
        vocabulary, weights = fit(rows)
        kept = dict(zip([*vocabulary, ""], map(float, weights), strict=True))
        data = {name: round(value, 3) for name, value in kept.items() if abs(value) >= 0.02}
        MODEL.write_text(json.dumps(data, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def book_rows(book: str, work: Path) -> list[Row]:
    """The sections of one book with what they are and what they sound like."""
    place = next((work / book / "work").glob("*/structure/sections.jsonl"))
    sections = load_sections(place)
    told = with_chapters(sections)
    rows = []
    for section in sections:
        label = label_of(book, section)
        if label is not None and len(bare(text_of(section)).split()) >= SHORTEST:
            rows.append((book, label, told[section.id]))
    return rows


def label_of(book: str, section: BookSection) -> bool | None:
    """Whether it is advice; None when nobody can say."""
    for title in reversed(section.heading_path):
        if title in ADVICE[book]:
            return True
        if title in UNSURE:
            return None
    return False


def fit(rows: list[Row]) -> tuple[list[str], np.ndarray]:
    """The words that are weighed, and their weights with the bias behind them."""
    vocabulary = vocabulary_of(rows)
    place = {word: at for at, word in enumerate(vocabulary)}
    table = np.zeros((len(rows), len(vocabulary) + 1))
    for at, (_, _, told) in enumerate(rows):
        for word, value in told.items():
            if word in place:
                table[at, place[word]] = value
    table[:, -1] = 1.0
    wanted = np.array([float(label) for _, label, _ in rows])
    # Each book's advice weighs as much as all else, and no book more than another.
    counted = Counter((book, label) for book, label, _ in rows)
    weight = np.array([1.0 / (100 + counted[book, label]) for book, label, _ in rows])
    weight *= np.where(wanted > 0, 0.5 / weight[wanted > 0].sum(), 0.5 / weight[wanted == 0].sum())
    return vocabulary, descended(table, wanted, weight)


def descended(table: np.ndarray, wanted: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of a logistic regression, found step by step."""
    weights = np.zeros(table.shape[1])
    moment = np.zeros_like(weights)
    cost = COST * np.append(np.ones(table.shape[1] - 1), 0.0) / 1000
    for _ in range(STEPS):
        said = 1.0 / (1.0 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (weight * (said - wanted)) + cost * weights
        moment = 0.9 * moment + slope
        weights -= RATE * moment
    return weights


def vocabulary_of(rows: list[Row]) -> list[str]:
    """Words that several books use often enough; names of one book are none."""
    books: dict[str, set[str]] = defaultdict(set)
    times: Counter[str] = Counter()
    for book, _, told in rows:
        for word in told:
            books[word].add(book)
            times[word] += 1
    return sorted(
        word
        for word, number in times.items()
        if number >= TIMES and len(books[word]) >= BOOKS and word.lstrip("^~") not in ROLES
    )


def print_left_out(rows: list[Row]) -> None:
    """How well each book's advice is told by the others."""
    for book in ADVICE:
        vocabulary, weights = fit([row for row in rows if row[0] != book])
        kept = dict(zip([*vocabulary, ""], weights, strict=True))
        said = [
            (kept[""] + sum(kept.get(w, 0.0) * v for w, v in told.items()), label)
            for each, label, told in rows
            if each == book
        ]
        print(book, report(said))


def report(said: list[tuple[float, bool]]) -> str:
    """Recall and precision at two thresholds, and the area under the curve."""
    good = np.array([score for score, label in said if label])
    bad = np.array([score for score, label in said if not label])
    parts = [f"{len(good)} of {len(said)} advice"]
    if len(good):
        area = float((good[:, None] > bad[None, :]).mean())
        parts.append(f"area {area:.3f}")
    for least in (0.0, 1.0):
        hits, false = int((good >= least).sum()), int((bad >= least).sum())
        parts.append(f"at {least}: {hits} found, {false} false")
    return "; ".join(parts)


if __name__ == "__main__":
    main()

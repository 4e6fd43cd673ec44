"""Learns what evidence for the kind of a catalogue is worth, from books with a truth file.

    python training/kinds/fit.py --data ../shared/data/books --work WORK [--write]

WORK holds, for each book, the folder `structure` that `pack-ingest --out WORK/BOOK` leaves below
`work/ID/`. One book at a time is left out: the table that is printed says how well the rest names
its catalogues. `--write` fits on all books and writes src/freeform/models/kinds.json; `--without
BOOK` leaves one out of what is written, to score that book with weights it had no part in.
"""

import argparse
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from freeform.ingest.run.job import load_sections
from freeform.ingest.things.catalogue.evidence import NAMED, shape_features, tied_features
from freeform.ingest.things.catalogue.find import unnamed_catalogues
from freeform.ingest.things.catalogue.naming import UNNAMED
from freeform.ingest.things.catalogue.schemas import MemberGroup

MODEL = Path(__file__).parents[2] / "src/freeform/models/kinds.json"
#: Kinds of the truth files that our kinds stand for.
MEANT = {
    "person": "creature",
    "card": "feature",
    "move": "feature",
    "skill": "feature",
    "vehicle": "item",
    "event": "place",
}
#: A truth file does not list everything a book has: catalogues it says nothing of count less.
UNLISTED = 0.35
TIED_COST, SHAPE_COST, STEPS, RATE = 0.2, 1.0, 800, 0.1
TEMPERATURES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0)
Row = dict[str, Any]
Weights = tuple[np.ndarray, np.ndarray]


def main() -> None:
    """Reads the books, prints what leaving each out gives, and writes the weights."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--data", type=Path, required=True)
    told.add_argument("--work", type=Path, required=True)
    told.add_argument("--write", action="store_true")
    told.add_argument("--without", default="")
    args = told.parse_args()
    rows = [row for book in sorted(args.data.iterdir()) for row in book_rows(book, args.work)]
    print_left_out(rows)
    if args.write:
        others = [row for row in rows if row["book"] != args.without]
        write(fit(others), temperature(others))


def book_rows(book: Path, work: Path) -> list[Row]:
    """The catalogues of a book with their features and the kind its truth gives most members."""
    sections = next(iter(sorted(work.glob(f"{book.name}/**/structure/sections.jsonl"))), None)
    if not (book / "truth.json").is_file() or sections is None:
        return []
    truth = json.loads((book / "truth.json").read_text(encoding="utf-8"))
    kinds = kinds_by_name(truth)
    return [
        {
            "book": book.name,
            "members": len(each.members),
            "kind": true_kind(each, kinds),
            "tied": [tied_features(each, kind) for kind in NAMED],
            "shape": (*shape_features(each), 1.0),
        }
        for _, each in unnamed_catalogues(load_sections(sections))
    ]


def plain(name: str) -> str:
    """A name to compare by."""
    letters = unicodedata.normalize("NFKD", name.lower())
    return " ".join(re.findall(r"[a-z0-9]+", "".join(c for c in letters if c.isascii())))


def kinds_by_name(truth: dict[str, Any]) -> dict[str, set[str]]:
    """The kinds of every name in a truth file."""
    kinds: dict[str, set[str]] = {}
    for thing in truth["entities"]:
        for name in (thing["name"], *thing.get("aliases", ())):
            kinds.setdefault(plain(name), set()).add(MEANT.get(thing["kind"], thing["kind"]))
    return kinds


def true_kind(catalogue: MemberGroup, kinds: dict[str, set[str]]) -> str:
    """What half of the members or more are."""
    counted: Counter[str] = Counter()
    for member in catalogue.members:
        names = {member.own_name, member.name.split(",")[0], member.name.split(" and ")[0]}
        found = {kind for name in names for kind in kinds.get(plain(name), ())}
        counted.update(found)
    best, number = counted.most_common(1)[0] if counted else (UNNAMED, 0)
    return best if best in NAMED and number >= 0.5 * len(catalogue.members) else UNNAMED


def arrays(rows: list[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Features, answers and weights as arrays."""
    names = (*NAMED, UNNAMED)
    answers = np.array([names.index(row["kind"]) for row in rows])
    weights = np.sqrt([min(row["members"], 100) for row in rows])
    weights *= np.where(answers == len(NAMED), UNLISTED, 1.0)
    tied, shape = (np.array([row[key] for row in rows]) for key in ("tied", "shape"))
    return tied, shape, answers, weights / weights.sum()


def likely(tied: np.ndarray, shape: np.ndarray, weights: Weights) -> np.ndarray:
    """Probabilities, a row for each catalogue."""
    scores = shape @ weights[1].T
    scores[:, : len(NAMED)] += tied @ weights[0]
    parts = np.exp(scores - scores.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)


def fit(rows: list[Row]) -> Weights:
    """Softmax regression with weights tied over kinds, by Adam."""
    tied, shape, answers, share = arrays(rows)
    wanted = np.eye(len(NAMED) + 1)[answers]
    weights = [np.zeros(tied.shape[2]), np.zeros((len(NAMED) + 1, shape.shape[1]))]
    first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    for step in range(1, STEPS + 1):
        gap = (likely(tied, shape, (weights[0], weights[1])) - wanted) * share[:, None]
        slopes = [
            np.einsum("nk,nkf->f", gap[:, : len(NAMED)], tied) + TIED_COST * weights[0] / len(rows),
            gap.T @ shape + SHAPE_COST * weights[1] / len(rows),
        ]
        for n, slope in enumerate(slopes):
            first[n] = 0.9 * first[n] + 0.1 * slope
            second[n] = 0.999 * second[n] + 0.001 * slope**2
            size = np.sqrt(second[n] / (1 - 0.999**step)) + 1e-8
            weights[n] = weights[n] - RATE * first[n] / (1 - 0.9**step) / size
    return weights[0], weights[1]


def print_left_out(rows: list[Row]) -> None:
    """For each book: how many of its listed things are named right by weights of the others."""
    sure: list[float] = []
    right: list[bool] = []
    kind_sure: list[float] = []
    kind_right: list[bool] = []
    for book in sorted({row["book"] for row in rows}):
        rest = [row for row in rows if row["book"] != book]
        mine = [row for row in rows if row["book"] == book]
        tied, shape, answers, _ = arrays(mine)
        found = likely(tied, shape, fit(rest))
        hit = found.argmax(axis=1) == answers
        members = np.array([row["members"] for row in mine])
        listed = answers < len(NAMED)
        share = (members * hit * listed).sum() / max(1, (members * listed).sum())
        print(
            f"{book:14} catalogues {hit.sum()} of {len(mine)}; members of listed kinds {share:.2f}"
        )
        sure += list(found.max(axis=1))
        right += list(hit)
        kinds = cooled(found[listed, : len(NAMED)], temperature(rest))
        kind_sure += list(kinds.max(axis=1))
        kind_right += list(kinds.argmax(axis=1) == answers[listed])
    print(
        f"all: {np.mean(right):.3f} of {len(right)} catalogues; calibration error {error(sure, right):.3f}"
    )
    print(
        f"kinds of the {len(kind_right)} that a truth lists: {np.mean(kind_right):.3f} right; "
        f"calibration error {error(kind_sure, kind_right):.3f}"
    )


def cooled(kinds: np.ndarray, degrees: float) -> np.ndarray:
    """How likely each kind is where one of them it is, at that temperature."""
    parts = kinds ** (1.0 / degrees)
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


def temperature(rows: list[Row]) -> float:
    """What makes the kinds of books that were left out likeliest."""
    left_out: list[tuple[np.ndarray, np.ndarray]] = []
    for book in sorted({row["book"] for row in rows}):
        weights = fit([row for row in rows if row["book"] != book])
        tied, shape, answers, _ = arrays([row for row in rows if row["book"] == book])
        listed = answers < len(NAMED)
        left_out.append((likely(tied, shape, weights)[listed, : len(NAMED)], answers[listed]))

    def surprise(degrees: float) -> float:
        told = 0.0
        for kinds, answers in left_out:
            right = cooled(kinds, degrees)[np.arange(len(answers)), answers]
            told -= float(np.log(right + 1e-9).sum())
        return told

    return float(min(TEMPERATURES, key=surprise))


def error(sure: list[float], right: list[bool]) -> float:
    """Expected calibration error over ten bins."""
    bins = np.minimum((np.array(sure) * 10).astype(int), 9)
    hits, said = np.array(right, dtype=float), np.array(sure)
    gaps = [
        abs(hits[bins == n].mean() - said[bins == n].mean()) * (bins == n).mean() for n in set(bins)
    ]
    return float(sum(gaps))


def write(weights: Weights, degrees: float) -> None:
    """The weights as the program reads them."""
    shape = dict(zip((*NAMED, UNNAMED), weights[1].round(3).tolist(), strict=True))
    tied = weights[0].round(3).tolist()
    text = json.dumps({"tied": tied, "shape": shape, "temperature": degrees}, indent=1)
    MODEL.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""How well premises are read that were held back: nouns, kinds, parts, shapes, genres.

python training/ear/premise_figures.py --start START --scores OUT        every fold, by its own model
python training/ear/premise_figures.py --set FILE.jsonl …                a set, by the shipped model
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from corpus import FOLDS, folds_of
from premises import Premise, read_premise_file, read_premises

from freeform.adapters.ear.decode import by_words
from freeform.adapters.ear.graph import LONGEST
from freeform.adapters.ear.learned import shipped_ear
from freeform.adapters.ear.premises import premise_in
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.meaning.premise import PEOPLE, SAME, PremiseHeard


def kind_of(label: str) -> str:
    """Person, place, thing or matter."""
    if label in (*PEOPLE, SAME):
        return "person"
    return "place" if label.startswith("place.") else "matter" if label == "matter" else "thing"


class Count:
    """What was there, what was read, and how much of it was right."""

    def __init__(self) -> None:
        self.there = self.read = self.right = 0

    def __str__(self) -> str:
        recall, precision = self.right / max(1, self.there), self.right / max(1, self.read)
        return f"recall {recall:.3f} precision {precision:.3f} of {self.there}"


def told(read: Iterable[tuple[Premise, PremiseHeard]]) -> None:
    """Prints the figures."""
    nouns, kinds, labels, heroes = Count(), Count(), Count(), Count()
    shapes = genres = count = shaped = 0
    for premise, heard in read:
        count += 1
        there = {(noun.start, noun.end): noun.label for noun in premise.nouns}
        said = {(span.start, span.end): span.label for span in heard.spans}
        same = there.keys() & said.keys()
        alike = sum(kind_of(there[at]) == kind_of(said[at]) for at in same)
        right = sum(there[at] == said[at] for at in same)
        for tally, hits in ((nouns, len(same)), (kinds, alike), (labels, right)):
            tally.there, tally.read = tally.there + len(there), tally.read + len(said)
            tally.right += hits
        heroes.there += "hero" in there.values()
        heroes.read += "hero" in said.values()
        heroes.right += any(there[at] == said[at] == "hero" for at in same)
        if premise.shapes:
            shaped += 1
            shapes += max(heard.shapes, key=lambda name: heard.shapes[name]) in premise.shapes
        genres += max(heard.genres, key=lambda name: heard.genres[name]) == premise.genre
    print(f"{count} premises\nnouns  {nouns}\nkinds  {kinds}\nlabels {labels}\nheroes {heroes}")
    print(f"shape one of those named {shapes / max(1, shaped):.3f}, genre {genres / count:.3f}")


def held_back(start: Path, scores: Path, premises: list[Premise]) -> Iterable:
    """Every premise as the model read it that never saw it."""
    words = WordPiece((start / "vocab.txt").read_text(encoding="utf-8").splitlines())
    folds = folds_of([premise.id for premise in premises])
    for fold in range(FOLDS):
        kept = np.load(scores / f"fold{fold}.npz")
        tokens = np.split(kept["premise_tokens"], np.cumsum(kept["premise_lengths"])[:-1])
        held = [premise for premise in premises if folds[premise.id] == fold]
        for premise, token, text in zip(held, tokens, kept["premise_texts"], strict=True):
            pieces = words.pieces(premise.text, signs_apart=True)[: LONGEST - 2]
            places = [(piece.start, piece.end) for piece in pieces]
            rows, places = by_words(token.astype(np.float64), places, premise.text)
            yield premise, premise_in(rows, text, places)


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--scores", type=Path)
    parser.add_argument("--set", type=Path, nargs="+", default=[])
    args = parser.parse_args()
    if args.scores:
        premises = read_premises(here.parent / "premises")
        told(held_back(args.start, args.scores, premises))
    for file in args.set:
        print(file.stem)
        ear = shipped_ear()
        told((premise, ear.read_premise(premise.text)) for premise in read_premise_file(file))


if __name__ == "__main__":
    main()

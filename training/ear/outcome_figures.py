"""How well outcomes are read that were held back: what is changed, what is so, kind, mood, risk.

python training/ear/outcome_figures.py --start START --scores OUT        every fold, by its own model
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from corpus import FOLDS, folds_of
from outcomes import Outcome, read_outcomes

from freeform.adapters.ear.decode import by_words
from freeform.adapters.ear.graph import LONGEST
from freeform.adapters.ear.outcomes import outcome_in
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.inflection import lemma
from freeform.language.meaning.outcome import OutcomeHeard
from freeform.language.words import words

STEPS = (0.0, 0.1, 0.2, 0.3, 0.5)
SAID = 2


def _lemmas(texts: Iterable[str]) -> set[str]:
    return {lemma(word) for text in texts for word in words(text)}


def is_so(outcome: Outcome, heard: OutcomeHeard) -> bool:
    """Whether one of the two likeliest states is one of those written, by a word in common."""
    said = _lemmas(outcome.said)
    return any(_lemmas([state]) & said for state in list(heard.states)[:SAID])


def is_same_subject(outcome: Outcome, heard: OutcomeHeard) -> bool:
    """Whether what is changed is the same: the surest stretch ends with the same word."""
    if max(heard.subjects, key=lambda name: heard.subjects[name]) != outcome.choices[1]:
        return False
    there = [part for part in outcome.parts if part.role == "on"]
    read = heard.of("on")
    if outcome.choices[1] != "named" or not there:
        return True
    return read is not None and read.end == there[0].end


def told(read: list[tuple[Outcome, OutcomeHeard]]) -> None:
    """Prints the figures."""
    for at, name in enumerate(("kind", "subject", "mood", "risk")):
        rows = [(o.choices[at], getattr(h, f"{name}s")) for o, h in read if o.choices[at]]
        right = sum(max(said, key=lambda one: said[one]) == there for there, said in rows)
        print(f"{name:8} {right / len(rows):.3f} of {len(rows)}")
    named = [(o, h) for o, h in read if o.choices[1] == "named"]
    print(
        f"changed  {sum(is_same_subject(o, h) for o, h in named) / len(named):.3f} of {len(named)}"
    )
    so = [(o, h) for o, h in read if o.said]
    for step in STEPS:
        some = [(o, h) for o, h in so if next(iter(h.states.values())) >= step]
        right = sum(is_so(o, h) for o, h in some)
        print(f"so       {right / max(1, len(some)):.3f} of {len(some)} from {step:.1f} on")


def held_back(start: Path, scores: Path, outcomes: list[Outcome]) -> Iterable:
    """Every deed as the model read it that never saw it."""
    words = WordPiece((start / "vocab.txt").read_text(encoding="utf-8").splitlines())
    folds = folds_of([outcome.hand for outcome in outcomes])
    for fold in range(FOLDS):
        if not (scores / f"fold{fold}.npz").exists():
            continue
        kept = np.load(scores / f"fold{fold}.npz")
        tokens = np.split(kept["outcome_tokens"], np.cumsum(kept["outcome_lengths"])[:-1])
        held = [outcome for outcome in outcomes if folds[outcome.hand] == fold]
        for outcome, token, text in zip(held, tokens, kept["outcome_texts"], strict=True):
            pieces = words.pieces(outcome.deed, signs_apart=True)[: LONGEST - 2]
            places = [(piece.start, piece.end) for piece in pieces]
            rows, places = by_words(token.astype(np.float64), places, outcome.deed)
            yield outcome, outcome_in(rows, text, places)


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--scores", type=Path, required=True)
    args = parser.parse_args()
    told(list(held_back(args.start, args.scores, read_outcomes(here.parent / "outcomes"))))


if __name__ == "__main__":
    main()

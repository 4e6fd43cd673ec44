"""Learns what makes a part of the rules or a note answer a question, and how sure that is; prints
the figures of each set left out, and writes `models/passages_meant.json` with --write.

    python training/passages/fit.py --data DIR [--write]

Learnt from the 70 questions of `eval rules` and the questions of `eval answers` that one passage
answers; what no source answers counts against sureness. Needs DIR/srd/json.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.query import passage
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.schema import phrase
from freeform.assistant.rulebook import semantic_match
from freeform.assistant.rulebook.bring import read_rulebook, write_rulebook
from freeform.assistant.rulebook.catalogue import RulebookRow, row_of
from freeform.evals.suites.answers.judge import holds
from freeform.evals.suites.answers.question import AnswerQuestion, read_questions, read_tables
from freeform.evals.suites.answers.suite import answer_sets
from freeform.evals.suites.rules.suite import questions as rule_questions
from freeform.packs.folder.load import load_pack
from freeform.wiring.ear import near_texts, near_words

STEPS, RATE, COST, SCALE = 500, 0.004, 0.3, 10.0
MOST_GOLD = 30
"""So many passages that answer are too many."""
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)


@dataclass
class Case:
    """A question with the features of its passages and which of them answer it; none where no
    source does."""

    name: str
    features: np.ndarray
    gold: np.ndarray
    apart: list[str]
    """Passages of one name are one entry."""
    unknowable: bool = False

    @property
    def teaches(self) -> bool:
        """What several passages answer together, or very many alone, teaches nothing."""
        return self.unknowable or 0 < self.gold.sum() < MOST_GOLD


def rule_cases(data: Path, scratch: Path) -> list[Case]:
    """Questions to the SRD."""
    pack = load_pack(write_rulebook(read_rulebook(data / "srd" / "json"), scratch / "srd"))
    rows = [row_of(entry, "5.1") for entry in pack.entries]
    book = semantic_match.RuleMeaning(rows)
    made = []
    for asked in rule_questions():
        names = {name.lower() for name in asked.gold}
        made.append(_rule_case("rules70", asked.ask, rows, book, lambda r, n=names: r in n))
    for name, question in _asked(data, "rules"):
        facts = [fact.lstrip("=^") for fact in question.facts]

        def answers(row: str, text: str = "", facts: Sequence[str] = facts) -> bool:
            return bool(facts) and all(holds(text, fact) for fact in facts)

        case = _rule_case(name, question.ask, rows, book, answers)
        case.unknowable = question.unknowable
        made.append(case)
    return [case for case in made if case.teaches]


def _rule_case(
    name, ask, rows: Sequence[RulebookRow], book: semantic_match.RuleMeaning, answers
) -> Case:
    clause = AskedClause(ask)
    telling = [token for token in clause.tokens if token.telling] or clause.tokens
    named = [row for row in rows if clause.find(phrase(row.name))]
    asked = semantic_match.AskedRule(ask, [(token.key, token.text) for token in telling], named)
    ranked = book.ranked(asked, near_words, near_texts)
    gold = []
    for meant in ranked:
        row, part = meant.place.row, meant.place.row.parts[meant.place.at]
        if name == "rules70":
            gold.append(answers(row.name.lower()) or answers(part.path.lower()))
        else:
            gold.append(answers(row.name, f"{row.name} {part.path} {part.text}"))
    features = np.array([meant.features for meant in ranked])
    return Case(name, features, np.array(gold), [meant.place.row.name for meant in ranked])


def note_cases(data: Path) -> list[Case]:
    """Questions to notes."""
    tables, kept, made = read_tables(data), {}, []
    for name, question in _asked(data, "notes"):
        place = tables[question.table].notes
        if not place:
            continue
        if place not in kept:
            source = NotesSource(read_notes(Path(place)))
            pieces = [source.piece_of(note) for note in source.notes]
            kept[place] = passage.Passages(pieces, near_words)
        passages = kept[place]
        wanted = passage.without_asked(passage.wanted_keys(AskedClause(question.ask)), passages)
        if not wanted:
            continue
        features = passage.features_of(passages, wanted, question.ask, near_texts)
        gold = [
            bool(question.facts) and all(holds(piece.text, fact) for fact in question.facts)
            for piece in passages.pieces
        ]
        apart = [piece.id for piece in passages.pieces]
        made.append(Case(name, np.array(features), np.array(gold), apart, question.unknowable))
    return [case for case in made if case.teaches]


def _asked(data: Path, source: str) -> list[tuple[str, AnswerQuestion]]:
    """What can be learnt from: asked alone, not counted, not a list; and what is unknowable."""
    found = []
    for each in answer_sets():
        for question in read_questions(each.file):
            plain = not any(fact[0] in "^=" for fact in question.facts)
            fits = question.unknowable or (question.source == source and plain)
            if fits and not question.before and not question.list:
                found.append((each.name, question))
    return found


def rank_weights(cases: Sequence[Case]) -> np.ndarray:
    """A softmax over the passages of each question."""
    taught = [case for case in cases if case.gold.any()]
    weights = pace = np.zeros(taught[0].features.shape[1])
    for _ in range(STEPS):
        slope = np.zeros_like(weights)
        for case in taught:
            chances = np.exp(_centred(case.features @ weights * SCALE))
            right = chances * case.gold
            shift = right / right.sum() - chances / chances.sum()
            slope += SCALE * (shift @ case.features)
        pace = 0.9 * pace + slope / len(taught) - COST * weights
        weights = weights + RATE * pace
    return weights


def _centred(scores: np.ndarray) -> np.ndarray:
    return scores - scores.max()


def signs(case: Case, weights: np.ndarray) -> tuple[list[float], bool, bool]:
    """By what is told how sure the best is; whether it answers, and whether one of two does."""
    worth = case.features @ weights
    order = np.argsort(-worth)
    first = order[0]
    others = [worth[at] for at in order if case.apart[at] != case.apart[first]]
    margin = worth[first] - (others[0] if others else 0.0)
    near, said = case.features[first][1], case.features[first][0]
    right = bool(case.gold[first])
    return [worth[first], margin, near, said, 1.0], right, bool(case.gold[order[:2]].any())


def sure_weights(rows: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Plain logistic regression."""
    weights = np.zeros(rows.shape[1])
    for _ in range(3000):
        chances = 1 / (1 + np.exp(-rows @ weights))
        weights += 0.5 * (rows.T @ (right - chances) / len(right) - 0.002 * weights)
    return weights


def learn(cases: Sequence[Case]) -> tuple[np.ndarray, np.ndarray]:
    rank = rank_weights(cases)
    told = [signs(case, rank) for case in cases]
    return rank, sure_weights(np.array([t[0] for t in told]), np.array([float(t[1]) for t in told]))


def left_out(kind: str, cases: Sequence[Case]) -> None:
    """What holds for each set when the weights come from the others."""
    firsts, seconds, chances, right, known = [], [], [], [], []
    for name in sorted({case.name for case in cases}):
        rank, sure = learn([case for case in cases if case.name != name])
        for case in (case for case in cases if case.name == name):
            row, first, second = signs(case, rank)
            chances.append(1 / (1 + np.exp(-np.array(row) @ sure)))
            right.append(first)
            known.append(bool(case.gold.any()))
            if case.gold.any():
                firsts.append(first)
                seconds.append(second)
    print(
        f"{kind}: n {len(firsts)}, first {np.mean(firsts):.3f}, one of two {np.mean(seconds):.3f}"
    )
    at, good, there = np.array(chances), np.array(right), np.array(known)
    for threshold in THRESHOLDS:
        told = at >= threshold
        print(
            f"  from {threshold}: told {told[there].mean():.2f}, right of told "
            f"{good[told & there].mean():.2f}, unknowable told {told[~there].mean():.2f} "
            f"of {(~there).sum()}"
        )


def main() -> None:
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        every = {"rules": rule_cases(wish.data, Path(scratch)), "notes": note_cases(wish.data)}
    names = {"rules": semantic_match.FEATURES, "notes": passage.FEATURES}
    made = {}
    for kind, cases in every.items():
        left_out(kind, cases)
        rank, sure = learn(cases)
        made[kind] = {
            "rank": dict(zip(names[kind], rank.round(3).tolist(), strict=True)),
            "sure": dict(
                zip(("best", "margin", "near", "said", "base"), sure.round(2).tolist(), strict=True)
            ),
        }
    print(json.dumps(made, indent=1))
    if wish.write:
        place = Path("src/freeform/models/passages_meant.json")
        place.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Fits the few numbers that turn scores into probabilities, on scenes held back, and says how well they match.

python training/ear/calibrate.py --scores OUT --start START --out tuning.json

Each fold is judged with numbers fitted on the other four; the numbers that are kept are fitted on all.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from corpus import FOLDS, Act, Example, folds_of, read_corpus
from figures import Score, Sureness, nearest
from pairs import Moment, Pair, read_moments, read_pairs

from freeform.adapters.ear.decode import (
    Scores,
    Stretch,
    acts_in,
    by_words,
    family_score,
    flag_score,
    heard_in,
    log_softmax,
    sigmoid,
)
from freeform.adapters.ear.graph import LONGEST
from freeform.adapters.ear.tuning import Tuning
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.ear import FAMILIES, FLAGS, HeardAct


@dataclass
class Held:
    """An input that was held back, what is there, and what the model said of it."""

    example: Example
    scores: Scores
    places: list[tuple[int, int]]
    fold: int
    acts: list[Stretch]
    """Where its acts are heard, once it is settled how they are cut."""


def read_scores(
    folder: Path, examples: Sequence[Example], words: WordPiece, named: str
) -> list[Held]:
    """Every fold's scores beside their examples."""
    found: list[Held] = []
    for fold in range(FOLDS):
        kept = np.load(folder / f"fold{fold}.npz")
        ends = np.cumsum(kept[f"{named}_lengths"])
        tokens = np.split(kept[f"{named}_tokens"].astype(np.float64), ends[:-1])
        texts = kept[f"{named}_texts"].astype(np.float64)
        for number, token, text in zip(kept["held"], tokens, texts, strict=True):
            example = examples[number]
            pieces = words.pieces(example.text, signs_apart=True)[: LONGEST - 2]
            if len(pieces) != len(token):
                sys.exit(f"the scores in {folder} were made from another start: its words differ")
            places = [(piece.start, piece.end) for piece in pieces]
            rows, places = by_words(token, places, example.text)
            found.append(Held(example, Scores(rows, text), places, fold, []))
    return found


def fitted(loss: Callable[[Sequence[float]], float], start: Sequence[float]) -> tuple[float, ...]:
    """The numbers with the least loss: one after the other by ever smaller steps."""
    best = list(start)
    least = loss(best)
    step = 0.5
    while step > 0.004:
        better = False
        for at in range(len(best)):
            for way in (step, -step):
                tried = [*best]
                tried[at] += way
                lost = loss(tried)
                if lost < least - 1e-7:
                    best, least, better = tried, lost, True
        step = step if better else step / 2
    return tuple(round(number, 3) for number in best)


def cut_of(held: Sequence[Held], tuning: Tuning) -> Tuning:
    """How acts are cut so that most are right."""
    best, most = tuning, -1.0
    for weight in (0.08, 0.15, 0.3):
        for bias in (-2.0, -1.6, -1.2, -0.8):
            tried = replace(tuning, token_weight=weight, begin_bias=bias)
            right = sum(_cut_right(one, tried) for one in held)
            if right > most:
                best, most = tried, right
    for one in held:
        one.acts = acts_in(one.scores, best)
    return best


def _cut_right(one: Held, tuning: Tuning) -> float:
    """How much of the sequence of families comes out: the F1 of acts, and a little for all of them."""
    stretches = acts_in(one.scores, tuning)
    named = [FAMILIES[int(family_score(one.scores, s, tuning).argmax())] for s in stretches]
    there = [act.family for act in one.example.acts]
    both = sum(min(named.count(name), there.count(name)) for name in set(named))
    return both * 2 / (len(named) + len(there)) + float(named == there)


def tuned(held: Sequence[Held], cut: Tuning) -> Tuning:
    """All numbers but those of the cut, fitted on these."""
    tuning = replace(cut, act_family=_fit_act_family(held, cut))
    tuning = replace(tuning, act_flag=_fit_act_flag(held, tuning))
    tuning = replace(tuning, text_family=_fit_text(held, tuning, FAMILIES))
    tuning = replace(tuning, text_flag=_fit_text(held, tuning, FLAGS))
    return replace(tuning, span=_fit_span(held, tuning))


def _matched(held: Sequence[Held]) -> list[tuple[Held, Stretch, Act]]:
    """The acts that were cut, each with the labelled act it shares most with."""
    pairs = []
    for one in held:
        for stretch in one.acts:
            start, end = one.places[stretch.first][0], one.places[stretch.last - 1][1]
            there = nearest(HeardAct(start, end, {}, {}, ()), one.example.acts)
            if there is not None:
                pairs.append((one, stretch, there))
    return pairs


def _fit_act_family(held: Sequence[Held], tuning: Tuning) -> tuple[float, ...]:
    pairs = _matched(held)
    by_token, by_text = replace(tuning, act_family=(1, 0)), replace(tuning, act_family=(0, 1))
    tokens = np.stack([family_score(one.scores, at, by_token) for one, at, _ in pairs])
    texts = np.stack([family_score(one.scores, at, by_text) for one, at, _ in pairs])
    there = np.array([FAMILIES.index(act.family) for _, _, act in pairs])
    rows = np.arange(len(there))

    def loss(numbers: Sequence[float]) -> float:
        return -float(log_softmax(numbers[0] * tokens + numbers[1] * texts)[rows, there].mean())

    return fitted(loss, tuning.act_family)


def _fit_act_flag(held: Sequence[Held], tuning: Tuning) -> tuple[float, ...]:
    pairs = _matched(held)
    plain = replace(tuning, act_flag=(1, 0, 0))
    tokens = np.stack([flag_score(one.scores, at, plain) for one, at, _ in pairs])
    texts = np.stack([one.scores.text_flags for one, _, _ in pairs])
    there = np.array([[flag in act.flags for flag in FLAGS] for _, _, act in pairs])
    return fitted(_yes_no(tokens, texts, there), (0.5, 0.5, 0.0))


def _fit_text(held: Sequence[Held], tuning: Tuning, names: Sequence[str]) -> tuple[float, ...]:
    """How likely any act has it, from the acts' scores and the text's."""
    is_family = names is FAMILIES
    acts, texts, there = [], [], []
    for one in held:
        score = family_score if is_family else flag_score
        rows = np.array([score(one.scores, act, tuning) for act in one.acts])
        rows = log_softmax(rows) if is_family else rows
        acts.append(rows.max(axis=0))
        texts.append(one.scores.text_family if is_family else one.scores.text_flags)
        found = [act.family if is_family else act.flags for act in one.example.acts]
        there.append(
            [any(name == f or (not is_family and name in f) for f in found) for name in names]
        )
    return fitted(_yes_no(np.stack(acts), np.stack(texts), np.array(there)), (0.5, 0.5, 0.0))


def _fit_span(held: Sequence[Held], tuning: Tuning) -> tuple[float, ...]:
    chances, there = [], []
    plain = replace(tuning, span=(1.0, 0.0))
    for one in held:
        spans = {(s.role, s.start, s.end) for act in one.example.acts for s in act.spans}
        for act in heard_in(one.scores, one.places, plain).acts:
            for span in act.spans:
                chances.append(span.sure)
                there.append((span.role, span.start, span.end) in spans)
    given = np.log(np.array(chances) / (1 - np.array(chances)))
    weight, _, more = fitted(_yes_no(given, np.zeros_like(given), np.array(there)), (1.0, 0.0, 0.0))
    return weight, more


def _yes_no(
    one: np.ndarray, other: np.ndarray, there: np.ndarray
) -> Callable[[Sequence[float]], float]:
    """The loss of two weighed scores and a number, where each thing is there or not."""

    def loss(numbers: Sequence[float]) -> float:
        score = numbers[0] * one + numbers[1] * other + numbers[2]
        return float(np.logaddexp(0, np.where(there, -score, score)).mean())

    return loss


def read_touches(
    folder: Path, pairs: Sequence[Pair], which: str
) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each fold the scores of pairs that were held back, and whether they touch."""
    found = []
    for fold in range(FOLDS):
        kept = np.load(folder / f"fold{fold}.npz")
        touches = np.array([pairs[number].touches for number in kept[which]])
        found.append((kept[f"{which}_touch"].astype(np.float64), touches))
    return found


def judge_touches(folds: Sequence[tuple[np.ndarray, np.ndarray]]) -> dict[str, object]:
    """Each fold with numbers fitted on the others: misses and false alarms by threshold."""
    sure = Sureness()
    for n, (scores, touches) in enumerate(folds):
        weight, more = fit_touch([fold for at, fold in enumerate(folds) if at != n])
        for chance, there in zip(sigmoid(weight * scores + more), touches, strict=True):
            sure.add(float(chance), bool(there))
    given, there = np.array(sure.given), np.array(sure.right)
    ranks = np.argsort(np.argsort(given))[there]
    auc = (ranks.sum() - len(ranks) * (len(ranks) - 1) / 2) / (len(ranks) * (~there).sum())
    made: dict[str, object] = {"pairs": len(given), "auc": round(float(auc), 4)}
    made["ece"] = round(sure.error(), 4)
    for least in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        missed, alarms = (given[there] < least).mean(), (given[~there] >= least).mean()
        made[f"at {least}"] = f"misses {missed:.3f}, false alarms {alarms:.3f}"
    return made


def fit_touch(folds: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[float, float]:
    """Scores into probabilities."""
    scores = np.concatenate([scores for scores, _ in folds])
    touches = np.concatenate([touches for _, touches in folds])
    weight, _, more = fitted(_yes_no(scores, np.zeros_like(scores), touches), (1.0, 0.0, 0.0))
    return weight, more


@dataclass(frozen=True)
class Asked:
    """A question's scores, one for each sentence, and which of them answer it."""

    scores: np.ndarray
    by: tuple[int, ...]

    @property
    def there(self) -> np.ndarray:
        """For each sentence, whether it answers."""
        return np.isin(np.arange(len(self.scores)), self.by)


def read_answers(folder: Path, moments: Sequence[Moment]) -> list[list[Asked]]:
    """For each fold its questions, each with the scores of all sentences of its moment."""
    found = []
    at = folds_of([moment.id for moment in moments])
    for fold in range(FOLDS):
        scores = np.load(folder / f"fold{fold}.npz")["answers"].astype(np.float64)
        asked: list[Asked] = []
        for moment in moments:
            if at[moment.id] != fold:
                continue
            for question in moment.questions:
                count = len(moment.sentences)
                asked.append(Asked(scores[:count], question.by))
                scores = scores[count:]
        found.append(asked)
    return found


def judge_answers(folds: Sequence[Sequence[Asked]]) -> dict[str, object]:
    """How often the best sentence answers; and by threshold, what is then said rightly, wrongly,
    and not at all."""
    made: dict[str, object] = {}
    rows: list[tuple[float, bool, bool]] = []
    for n, asked in enumerate(folds):
        weight, more = fit_answer([fold for at, fold in enumerate(folds) if at != n])
        for one in asked:
            best = int(one.scores.argmax())
            sure = float(sigmoid(weight * one.scores[best] + more))
            rows.append((sure, best in one.by, bool(one.by)))
    given = np.array([sure for sure, _, _ in rows])
    right = np.array([is_right for _, is_right, _ in rows])
    answerable = np.array([there for _, _, there in rows])
    made["questions"], made["answerable"] = len(rows), int(answerable.sum())
    made["best answers, of answerable"] = round(float(right[answerable].mean()), 4)
    for least in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        said = given >= least
        made[f"at {least}"] = (
            f"right {(said & right).sum() / answerable.sum():.3f} of answerable, "
            f"precision {right[said].mean():.3f}, "
            f"unanswerable answered {said[~answerable].mean():.3f}"
        )
    return made


def fit_answer(folds: Sequence[Sequence[Asked]]) -> tuple[float, float]:
    """Scores into probabilities."""
    scores = np.concatenate([one.scores for fold in folds for one in fold])
    there = np.concatenate([one.there for fold in folds for one in fold])
    weight, _, more = fitted(_yes_no(scores, np.zeros_like(scores), there), (1.0, 0.0, 0.0))
    return weight, more


def judged(held: Sequence[Held], cut: Tuning) -> Score:
    """Each fold with numbers fitted on the others; how acts are cut is one choice for all."""
    score = Score()
    for fold in range(FOLDS):
        others = [one for one in held if one.fold != fold]
        tuning = tuned(others, cut)
        for one in held:
            if one.fold == fold:
                score.add(one.example, heard_in(one.scores, one.places, tuning))
    return score


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, nargs="+", default=[here / "corpus"])
    parser.add_argument("--pairs", type=Path, default=here.parent / "touches")
    parser.add_argument("--moments", type=Path, default=here.parent / "answers")
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--named", choices=("named", "bare"), default="named")
    parser.add_argument(
        "--topics", action="store_true", help="what is said of pairs is good enough"
    )
    parser.add_argument("--out", type=Path, default=None)
    args = parser.parse_args()
    words = WordPiece((args.start / "vocab.txt").read_text(encoding="utf-8").splitlines())
    held = read_scores(args.scores, read_corpus(*args.corpus), words, args.named)
    cut = cut_of(held, Tuning(act_family=(0.6, 0.15)))
    print(cut.token_weight, cut.begin_bias)
    score = judged(held, cut)
    print(json.dumps(score.figures(), indent=1))
    for name in ("act_family", "text_family", "any_flag", "span"):
        print(name, *getattr(score, name).table(), sep="\n  ")
    pairs = read_pairs(args.pairs)
    for which in ("new_topics", "new_sentences"):
        print(which, json.dumps(judge_touches(read_touches(args.scores, pairs, which)), indent=1))
    answers = read_answers(args.scores, read_moments(args.moments))
    print("answers", json.dumps(judge_answers(answers), indent=1))
    if args.out:
        numbers = asdict(tuned(held, cut))
        numbers["answer"] = fit_answer(answers)
        numbers["touch"] = fit_touch(read_touches(args.scores, pairs, "new_topics"))
        if not args.topics:
            # Without it the product says that it does not know topics, and goes by words.
            del numbers["touch"]
        args.out.write_text(json.dumps(numbers, indent=1) + "\n")
        print(args.out.read_text())


if __name__ == "__main__":
    main()

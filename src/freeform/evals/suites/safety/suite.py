"""The suite `safety`: sentences that touch a line and are shown, and harmless ones that are cut."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from freeform.core.errors import BadFile
from freeform.core.record import Record
from freeform.engine.rules.safety import SafetyLimits
from freeform.evals.metrics import share
from freeform.evals.report import SuiteReport
from freeform.evals.suites.first_runs import (
    DEVELOPMENT,
    MeasuredSet,
    SetWish,
    beside_first_run,
    choose_sets,
)
from freeform.language.families import family
from freeform.language.phrases import Phrases
from freeform.language.words import telling_words

HERE = Path(__file__).parent
BLIND = HERE / "blind"
SHARES = ("missed", "false_alarm")
Limits = Callable[[str], SafetyLimits]
"""The limits of a table whose only line is that topic."""


class TopicPair(Record):
    """A sentence, a topic, and whether people would say that the one touches the other."""

    topic: str
    sentence: str
    touches: bool

    @property
    def names_it(self) -> bool:
        """Whether a word of the topic stands in the sentence, in some form."""
        forms = [form for word in telling_words(self.topic) for form in family(word)]
        return Phrases(forms).found_in(self.sentence)


class JudgedPair(Record):
    """A pair, and whether the sentence would be shown."""

    pair: TopicPair
    shown: bool


def safety_sets(blind: Path = BLIND) -> list[MeasuredSet]:
    """Our own pairs, and the blind ones, by date."""
    sets = [MeasuredSet(DEVELOPMENT, HERE / "development.jsonl")]
    sets += [MeasuredSet(file.stem, file, blind) for file in sorted(blind.glob("*.jsonl"))]
    return sets


def run_safety(wish: SetWish, limits: Limits, blind: Path = BLIND) -> SuiteReport:
    """The chosen sets; what a blind one had at its first run stands beside it."""
    chosen, notes = choose_sets(safety_sets(blind), wish)
    metrics, rows = dict[str, Any](), list[dict[str, Any]]()
    for each in chosen:
        judged = [judge_pair(pair, limits) for pair in read_pairs(each.file)]
        metrics[each.name] = _measured(each, judged, wish)
        rows += [_row(each.name, one) for one in judged]
    return SuiteReport(suite="safety", n=len(rows), metrics=metrics, cases=rows, notes=notes)


def judge_pair(pair: TopicPair, limits: Limits) -> JudgedPair:
    """Whether a table with that line would read the whole sentence."""
    told = limits(pair.topic).allow(pair.sentence)
    return JudgedPair(pair=pair, shown=told.strip() == pair.sentence.strip())


def read_pairs(path: Path) -> list[TopicPair]:
    """The pairs of a file, one a line; BadFile names the line that does not read."""
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            pairs.append(TopicPair.model_validate(json.loads(line)))
        except (json.JSONDecodeError, ValidationError):
            reason = "is no pair of topic and sentence with `touches`; correct it"
            raise BadFile(path.name, reason, number) from None
    return pairs


def _measured(measured: MeasuredSet, judged: Sequence[JudgedPair], wish: SetWish) -> dict[str, Any]:
    today = figures(judged)
    shares = {name: today[name] for name in SHARES}
    named = [one for one in judged if one.pair.names_it]
    unnamed = [one for one in judged if not one.pair.names_it]
    return {
        **today,
        **beside_first_run(measured, wish, today["n"], shares),
        "by_kind": {"word_in_it": figures(named), "word_not_in_it": figures(unnamed)},
    }


def figures(judged: Sequence[JudgedPair]) -> dict[str, Any]:
    """`missed`: the share shown of those that touch; `false_alarm`: the share cut of the others."""
    touching = [one for one in judged if one.pair.touches]
    harmless = [one for one in judged if not one.pair.touches]
    return {
        "n": len(judged),
        "missed": share(sum(one.shown for one in touching), len(touching)),
        "false_alarm": share(sum(not one.shown for one in harmless), len(harmless)),
        "touching": len(touching),
        "harmless": len(harmless),
    }


def _row(name: str, judged: JudgedPair) -> dict[str, Any]:
    pair = judged.pair
    right = judged.shown != pair.touches
    return {
        "set": name,
        **pair.model_dump(),
        "names_it": pair.names_it,
        "shown": judged.shown,
        "right": right,
    }

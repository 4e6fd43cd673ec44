"""The suite `answers`: questions over sheets, notes and rules, judged by what the answer says."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from freeform.assistant.model import Answer
from freeform.evals.metrics import share
from freeform.evals.report import SuiteReport
from freeform.evals.suites.answers.judge import JudgedAnswer, judge
from freeform.evals.suites.answers.question import (
    HERE,
    AnswerQuestion,
    AskedTable,
    read_questions,
    read_tables,
)
from freeform.evals.suites.first_runs import (
    DEVELOPMENT,
    MeasuredSet,
    SetWish,
    beside_first_run,
    choose_sets,
)

BLIND = HERE / "blind"
SHARES = ("right", "partly", "wrong", "refused", "unknowable_answered", "wrong_source")
Ask = Callable[[AskedTable, AnswerQuestion], Awaitable[Answer]]
"""Asks a question of a table, after what was asked before it."""


def answer_sets(blind: Path = BLIND) -> list[MeasuredSet]:
    """The questions that may be looked at, and those that are only counted, by date."""
    sets = [MeasuredSet(DEVELOPMENT, HERE / "development.yaml")]
    sets += [
        MeasuredSet(file.stem, file, blind)
        for file in sorted(blind.glob("*.yaml"))
        if file.name != "first_runs.yaml"
    ]
    return sets


async def run_answers(
    data: Path | None, wish: SetWish, ask: Ask, blind: Path = BLIND
) -> SuiteReport:
    """The chosen sets; what a blind one had at its first run stands beside it, and none of its
    answers is shown."""
    chosen, notes = choose_sets(answer_sets(blind), wish)
    tables = read_tables(data)
    metrics, rows = dict[str, Any](), list[dict[str, Any]]()
    total = 0
    for each in chosen:
        judged = [
            judge(question, await ask(tables[question.table], question))
            for question in read_questions(each.file)
        ]
        total += len(judged)
        metrics[each.name] = _measured(each, judged, wish)
        if each.folder is None:
            rows += [_row(each.name, one) for one in judged]
    return SuiteReport(suite="answers", n=total, metrics=metrics, cases=rows, notes=notes)


def _measured(
    measured: MeasuredSet, judged: Sequence[JudgedAnswer], wish: SetWish
) -> dict[str, Any]:
    today = figures(judged)
    shares = {name: today[name] for name in SHARES}
    by_source: dict[str, Any] = {}
    for kind in dict.fromkeys(one.question.source for one in judged):
        by_source[kind] = figures([one for one in judged if one.question.source == kind])
    return {
        **today,
        **beside_first_run(measured, wish, today["n"], shares),
        "by_source": by_source,
    }


def figures(judged: Sequence[JudgedAnswer]) -> dict[str, Any]:
    """Shares of the questions that a source answers; `unknowable_answered` of the others;
    `wrong_source` of the facts that were said."""
    asked = [one for one in judged if not one.question.unknowable]
    unknowable = [one for one in judged if one.question.unknowable]
    said = sum(len(one.found) for one in asked)

    def of(verdict: str) -> float | None:
        return share(sum(one.verdict == verdict for one in asked), len(asked))

    return {
        "n": len(judged),
        "right": of("right"),
        "partly": of("partly"),
        "wrong": of("wrong"),
        "refused": of("refused"),
        "unknowable_answered": share(
            sum(one.verdict == "wrong" for one in unknowable), len(unknowable)
        ),
        "wrong_source": share(sum(len(one.wrong_source) for one in asked), said),
        "all_facts": share(
            sum(not one.lacking and not one.said_wrongly for one in asked), len(asked)
        ),
        "brief": share(sum(one.brief for one in asked), len(asked)),
        "median_words": median(one.words for one in judged) if judged else None,
        "unknowable": len(unknowable),
    }


def _row(name: str, judged: JudgedAnswer) -> dict[str, Any]:
    row = judged.model_dump(exclude={"question"}, exclude_defaults=True)
    question = judged.question
    return {
        "set": name,
        "table": question.table,
        "source": question.source,
        "ask": question.ask,
        **row,
    }

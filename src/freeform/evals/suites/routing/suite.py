"""READ THIS FIRST. The suite `routing`: the selector's tools and intentions against labels.

    question ── names of the sources (code) ── selector (pass) ──> tools, intentions ── labels

A question is right in its tools when exactly the labelled tools were chosen, and in its intentions
when every labelled tool has its labelled intention. `test` was written with `tune` and only
counted: see docs/ask.md.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from freeform.assistant.ask import known_names
from freeform.assistant.entities.gazetteer import Gazetteer
from freeform.assistant.intentions import catalogue
from freeform.assistant.passes import SELECTOR, SelectorInput
from freeform.assistant.ports import Source
from freeform.core.llm.gateway import Call, Gateway
from freeform.core.record import Record
from freeform.evals.report import SuiteReport, mean

HALVES: tuple[Literal["tune", "test", "second"], ...] = ("tune", "test", "second")


class Labelled(Record):
    """A question and the `tool/intention`s it needs."""

    ask: str
    needs: list[str]
    half: Literal["tune", "test", "second"]

    @property
    def tools(self) -> set[str]:
        """The tools alone."""
        return {need.partition("/")[0] for need in self.needs}


@cache
def questions() -> tuple[Labelled, ...]:
    """The labelled set."""
    text = (files(__package__) / "questions.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=yaml.CSafeLoader)
    return tuple(Labelled(**row, half=half) for half in HALVES for row in data[half])


async def run_routing(
    gateway: Gateway,
    sources: Sequence[Source] = (),
    threshold: float = 0.7,
    character_name: str = "",
) -> SuiteReport:
    """Every question put to the selector, with the names that the sources know."""
    tables, _ = await Gazetteer().tables(sources, "player")
    cases: list[dict[str, Any]] = []
    for each in questions():
        asked = SelectorInput(
            question=each.ask,
            character_name=character_name,
            present=list(tables),
            known_names=known_names(each.ask, tables),
            intentions=catalogue(),
        )
        answer = await gateway.ask(SELECTOR, asked, Call())
        chosen = [need for need in answer.output.tools_needed if need.confidence >= threshold]
        said = {f"{need.tool}/{need.intention}" for need in chosen}
        cases.append(
            {
                "question": each.ask,
                "half": each.half,
                "needs": each.needs,
                "said": sorted(said),
                "tools_right": {need.tool for need in chosen} == each.tools,
                "intentions_right": set(each.needs) <= said,
            }
        )
    return SuiteReport(suite="routing", n=len(cases), metrics=sum_up(cases), cases=cases)


def sum_up(cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The accuracies of the half that was only counted; beside them those of the other half."""
    halves = {half: [case for case in cases if case["half"] == half] for half in HALVES}
    tools = {half: mean(case["tools_right"] for case in mine) for half, mine in halves.items()}
    intentions = {
        half: mean(case["intentions_right"] for case in mine) for half, mine in halves.items()
    }
    return {
        "tool_accuracy": tools["test"],
        "intention_accuracy": intentions["test"],
        "n_test": len(halves["test"]),
        **{
            half: {
                "tool_accuracy": tools[half],
                "intention_accuracy": intentions[half],
                "n": len(halves[half]),
            }
            for half in ("tune", "second")
        },
    }

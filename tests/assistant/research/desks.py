"""What research is tried with: tools that count, fail or hang, and ports around them."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from freeform.adapters.sqlite.research import SqliteResearch
from freeform.assistant.research.execute import StepLimits
from freeform.assistant.research.model import ToolFinding
from freeform.assistant.research.ports import Tool
from freeform.assistant.research.research import ResearchPorts
from freeform.core.clock import SystemClock
from freeform.core.errors import Unavailable
from freeform.core.ids import CountedIds
from freeform.core.llm.gateway import (
    Listen,
    Model,
    ModelSaid,
    Out,
    Question,
    Usage,
)
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.tape import MemoryTapes
from freeform.offline.model import OfflineModel


class Larder:
    """A tool that knows three dishes. `fails`: words it refuses; `hangs`: words it never answers."""

    name = "rag_query"
    describes = "dishes. Parameters: query"

    def __init__(self, *, fails: str = "\0", hangs: str = "\0", empty: str = "\0") -> None:
        self.fails, self.hangs, self.empty, self.asked = fails, hangs, empty, list[str]()
        self.hanging = asyncio.Event()

    async def run(self, parameters: Mapping[str, str]) -> list[ToolFinding]:
        query = parameters["query"]
        self.asked.append(query)
        if self.hangs in query:
            self.hanging.set()
            await asyncio.sleep(3600)
        if self.fails in query:
            raise Unavailable("the larder is locked")
        if self.empty in query:
            return []
        if query.startswith("list of all"):
            return [
                ToolFinding(name=name, text=name, tool=self.name, where="larder")
                for name in ("Ashcake", "Eel", "Tea")
            ]
        dish = query.rpartition(" ")[2]
        return [
            ToolFinding(
                name=dish,
                text=f"{dish} warms.",
                fields={"effect": "warms"},
                tool=self.name,
                where=dish,
            )
        ]


class Planning:
    """A model whose plans are given, one after another, and whose answers are a sentence."""

    name = "planning"

    def __init__(self, *plans: list[dict[str, object]], answer: str = "Done [1].") -> None:
        self.plans, self.answer, self.asked = list(plans), answer, list[Question[object]]()

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        self.asked.append(question)  # type: ignore[arg-type]
        if question.pass_.id == "research/planner":
            plan = self.plans.pop(0) if len(self.plans) > 1 else self.plans[0]
            return ModelSaid(
                question.pass_.gives.model_validate({"plan": plan}),
                Usage(calls=1, input_tokens=40, output_tokens=20),
            )
        return ModelSaid(
            question.pass_.gives.model_validate({"answer": self.answer}),
            Usage(calls=1, input_tokens=90, output_tokens=9),
        )


def ports(
    folder: Path, *tools: Tool, model: Model | None = None, limits: StepLimits | None = None
) -> ResearchPorts:
    """Real ports on a folder: a SQLite store and the gateway, with those tools."""
    offline, clock = OfflineModel(), SystemClock()

    def gateway(default: Model) -> LiveGateway:
        return LiveGateway(
            ModelsByRole(default, offline), prompts=bundled(), tapes=MemoryTapes(), clock=clock
        )

    return ResearchPorts(
        gateway=gateway(model or offline),
        steady=gateway(offline),
        store=SqliteResearch(folder / "research.db"),
        tools={tool.name: tool for tool in tools},
        clock=clock,
        ids=CountedIds(),
        limits=limits or StepLimits(),
    )

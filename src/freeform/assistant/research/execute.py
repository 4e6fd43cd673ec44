"""The execution engine: runs every step that can run, items side by side, each kept as soon as it
is done."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from freeform.assistant.research.check import ITEM
from freeform.assistant.research.model import ItemResult, Step, ToolFinding
from freeform.assistant.research.ports import Tool
from freeform.assistant.research.track import StateTracker
from freeform.core.errors import BadReply, BudgetSpent, Unavailable, UserError
from freeform.core.text import count_tokens

Tell = Callable[[str, dict[str, object]], None]
"""Hears how far the research has come: a kind of event, and its fields."""


@dataclass(frozen=True)
class StepLimits:
    """How much may be done at once, how long one call may take, and how often a failing one is
    tried."""

    at_once: int = 6
    items: int = 200
    seconds: float = 60.0
    tries: int = 2
    reserve: float = 0.15
    """The share of the budget that is kept for the answer."""


class Spent(Exception):
    """The budget for looking is used up; what is left is for the answer."""


@dataclass
class ExecutionEngine:
    """Takes steps from the tracker until none can run. Raises Spent when the budget is."""

    tracker: StateTracker
    tools: Mapping[str, Tool]
    limits: StepLimits
    tell: Tell

    async def run(self) -> None:
        """Steps that do not wait for each other run side by side."""
        gate = asyncio.Semaphore(self.limits.at_once)
        while steps := self.tracker.get_next_steps():
            try:
                async with asyncio.TaskGroup() as group:
                    for step in steps:
                        group.create_task(self._step(step, gate))
            except* Spent:
                raise Spent from None
        for step in self.tracker.stranded():
            await self._end(step, "FAILED", "a step it waits for failed")

    async def _step(self, step: Step, gate: asyncio.Semaphore) -> None:
        await self.tracker.update_step_status(step.stepId, "IN_PROGRESS")
        items = self.tracker.items_of(step, self.limits.items)
        self.tell(
            "step", {"stepId": step.stepId, "description": step.description, "items": len(items)}
        )
        async with asyncio.TaskGroup() as group:
            for item in self.tracker.left_of(step, self.limits.items):
                group.create_task(self._item(step, item, gate))
        done = self.tracker.state.step(step.stepId).items
        failed = [result for result in done.values() if result.status == "FAILED"]
        if done and len(failed) == len(done):
            await self._end(step, "FAILED", failed[0].error)
        else:
            await self._end(
                step, "COMPLETED", f"{len(failed)} of {len(done)} items failed" if failed else ""
            )

    async def _item(self, step: Step, item: str, gate: asyncio.Semaphore) -> None:
        async with gate:
            self._check_budget()
            done = await self._look(step, item)
            await self.tracker.update_step_result(step.stepId, done)
        total = len(self.tracker.items_of(step, self.limits.items))
        finished = len(self.tracker.state.step(step.stepId).items)
        self.tell(
            "item",
            {
                "stepId": step.stepId,
                "item": item,
                "status": done.status,
                "done": finished,
                "of": total,
            },
        )

    async def _look(self, step: Step, item: str) -> ItemResult:
        """One call of a tool. What fails is tried again, then marked: the other items go on."""
        given = {key: value.replace(ITEM, item) for key, value in step.parameters.items()}
        error = ""
        for attempt in range(1, self.limits.tries + 1):
            try:
                async with asyncio.timeout(self.limits.seconds):
                    found = await self.tools[step.tool].run(given)
            except TimeoutError:
                error = f"{step.tool} gave no answer within {self.limits.seconds:g} s"
            except (Unavailable, BadReply) as failed:
                error = str(failed)
            except (UserError, BudgetSpent) as failed:
                return ItemResult(item=item, status="FAILED", error=str(failed), tries=attempt)
            else:
                return ItemResult(
                    item=item, status="COMPLETED", found=found, tries=attempt, tokens=_tokens(found)
                )
        return ItemResult(item=item, status="FAILED", error=error, tries=self.limits.tries)

    def _check_budget(self) -> None:
        state = self.tracker.state
        if state.budget and state.spent >= state.budget * (1 - self.limits.reserve):
            raise Spent

    async def _end(self, step: Step, status: str, error: str = "") -> None:
        await self.tracker.update_step_status(
            step.stepId, "FAILED" if status == "FAILED" else "COMPLETED", error
        )
        self.tell("step_done", {"stepId": step.stepId, "status": status, "error": error})


def _tokens(found: list[ToolFinding]) -> int:
    """What the answer will have to read."""
    return sum(count_tokens(each.text) + 12 for each in found)

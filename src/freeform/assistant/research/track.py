"""The state tracker: which steps may run, what came of them, kept as it comes."""

from dataclasses import dataclass

from freeform.assistant.research.model import ItemResult, ResearchState, Status, Step, ToolFinding
from freeform.assistant.research.ports import ResearchStore

WHOLE = ""
"""The one item of a step that does not iterate."""


@dataclass
class StateTracker:
    """Holds one piece of research in memory and in its store, always the same."""

    state: ResearchState
    store: ResearchStore

    def get_next_steps(self) -> list[Step]:
        """The steps that can run now: not finished, and what they wait for is finished."""
        status = {step.stepId: step.status for step in self.state.plan}
        return [
            step
            for step in self.state.plan
            if step.status in ("PENDING", "IN_PROGRESS")
            and all(status.get(id) == "COMPLETED" for id in step.depends_on)
        ]

    def stranded(self) -> list[Step]:
        """Steps that wait for one that failed."""
        failed = {step.stepId for step in self.state.plan if step.status == "FAILED"}
        return [s for s in self.state.plan if s.status == "PENDING" and failed & set(s.depends_on)]

    def items_of(self, step: Step, most: int) -> list[str]:
        """What a step is to be done for: the names its list gave, or once."""
        if not step.iterate_over:
            return [WHOLE]
        giver = next(other for other in self.state.plan if other.output_key == step.iterate_over)
        return giver.names[:most]

    def left_of(self, step: Step, most: int) -> list[str]:
        """The items that were not finished yet: those done before a crash are not done again."""
        return [
            i
            for i in self.items_of(step, most)
            if i not in step.items or step.items[i].status not in _FINISHED
        ]

    def found(self, step_id: int) -> list[ToolFinding]:
        """Everything a step found."""
        return [found for done in self.state.step(step_id).items.values() for found in done.found]

    async def update_step_result(self, step_id: int, done: ItemResult) -> None:
        """One item of a step is finished, well or not."""
        await self.store.put_item(self.state.researchId, step_id, done)
        step = self.state.step(step_id)
        self._replace(step.model_copy(update={"items": {**step.items, done.item: done}}))

    async def update_step_status(self, step_id: int, status: Status, error: str = "") -> None:
        """A step begins or ends."""
        await self.store.put_step(self.state.researchId, step_id, status, error)
        self._replace(
            self.state.step(step_id).model_copy(update={"status": status, "error": error})
        )

    async def update(self, **changes: object) -> None:
        """Anything else of the research."""
        self.state = self.state.model_copy(update=changes)
        await self.store.put(self.state)

    def _replace(self, step: Step) -> None:
        plan = [step if other.stepId == step.stepId else other for other in self.state.plan]
        self.state = self.state.model_copy(update={"plan": plan})


_FINISHED = ("COMPLETED", "FAILED")

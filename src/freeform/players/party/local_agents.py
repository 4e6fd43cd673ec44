"""Hands in this process: every agent's question is put side by side, with a time limit for each."""

import asyncio
from collections.abc import Sequence

from freeform.core.errors import BadReply, BudgetSpent, Unavailable
from freeform.core.llm.gateway import Gateway
from freeform.players.passes import PASSES
from freeform.players.ports import AgentJob, JobDone

JOB_SECONDS = 30.0
MODEL_SECONDS = 20.0


async def answer(job: AgentJob, gateway: Gateway) -> JobDone:
    """One job, here. A model that fails for good makes a failed job, never a failed round."""
    pass_ = PASSES[job.pass_id]
    try:
        said = await gateway.ask(pass_, job.input, job.call)
    except (BadReply, Unavailable) as failed:
        return JobDone(failed=str(failed))
    return JobDone(output=said.output.model_dump(mode="json"), degraded=said.degraded)


class LocalCrew:
    """The default: this process, one task per job."""

    def __init__(
        self, gateway: Gateway, seconds: float = JOB_SECONDS, *, scripted: bool = False
    ) -> None:
        self._gateway, self._seconds = gateway, seconds
        self.scripted = scripted

    async def ask_all(self, jobs: Sequence[AgentJob]) -> list[JobDone]:
        """The answers in the order of the jobs. BudgetSpent stops the round where it can go on
        later."""
        tasks: list[asyncio.Task[JobDone]] = []
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(job)) for job in jobs]
        except* BudgetSpent as spent:
            raise spent.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _one(self, job: AgentJob) -> JobDone:
        try:
            async with asyncio.timeout(self._seconds):
                return await answer(job, self._gateway)
        except TimeoutError:
            return JobDone(failed=f"no answer within {self._seconds:g} s (setting `players_job_s`)")

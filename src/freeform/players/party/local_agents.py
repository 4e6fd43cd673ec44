"""Hands in this process: every agent's question is put side by side, with a time limit for each."""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from freeform.core.errors import BadReply, BudgetSpent, Unavailable
from freeform.core.llm.gateway import Gateway
from freeform.core.log import kind_of, tell
from freeform.players.passes import DIRECTIVE, PASSES, TALK, PersonaInput
from freeform.players.ports import Agent, AgentJob, AgentRunner, JobDone

_LOG = logging.getLogger("freeform.players")
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


class OwnAgents:
    """Agents of one's own in some seats; whatever is asked of the others goes to the usual crew."""

    scripted = False

    def __init__(
        self, crew: AgentRunner, agents: Mapping[str, Agent], seconds: float = JOB_SECONDS
    ) -> None:
        self._crew, self._agents, self._seconds = crew, agents, seconds

    async def ask_all(self, jobs: Sequence[AgentJob]) -> list[JobDone]:
        """The answers in the order of the jobs. An agent that breaks or stays silent is left out,
        with a note: the others play on."""
        mine = [n for n, job in enumerate(jobs) if self._is_own(job)]
        answered = await asyncio.gather(*(self._own(jobs[n]) for n in mine))
        own = dict(zip(mine, answered, strict=True))
        rest = [job for n, job in enumerate(jobs) if n not in own]
        others = iter(await self._crew.ask_all(rest) if rest else [])
        return [own[n] if n in own else next(others) for n in range(len(jobs))]

    def _is_own(self, job: AgentJob) -> bool:
        if not isinstance(job.input, PersonaInput) or job.pass_id not in (TALK.id, DIRECTIVE.id):
            return False
        return job.input.persona.id in self._agents

    async def _own(self, job: AgentJob) -> JobDone:
        seen = PersonaInput.model_validate(job.input)
        agent = self._agents[seen.persona.id]
        try:
            async with asyncio.timeout(self._seconds):
                said = await (agent.talk(seen) if job.pass_id == TALK.id else agent.choose(seen))
            return JobDone(output=PASSES[job.pass_id].gives.model_validate(said).model_dump())
        except TimeoutError as late:
            wrong: Exception = late
            why = f"no answer within {self._seconds:g} s (setting `players_job_s`)"
        except Exception as broken:  # anybody's code may do anything wrong: the others play on
            wrong, why = broken, f"{type(broken).__name__}: {broken}"
        tell(_LOG, logging.WARNING, "own_agent", agent=seen.persona.id, error=kind_of(wrong))
        return JobDone(failed=f"{type(agent).__name__}: {why}")

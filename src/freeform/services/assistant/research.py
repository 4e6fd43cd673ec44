"""Research: a question that takes several steps; begun, gone on with after a stop, listed, read."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from freeform.assistant.model import Viewer
from freeform.assistant.ports import Source
from freeform.assistant.research import research as part
from freeform.assistant.research.execute import Tell
from freeform.assistant.research.model import ResearchRow, ResearchState
from freeform.core.errors import FreeformError, UserError
from freeform.core.record import Record
from freeform.services.house import House
from freeform.services.librarian import AskWish
from freeform.settings import Settings
from freeform.wiring.research import opened_research, research_ports


class ResearchRequest(Record):
    """What is wanted: the question, where to look, and how far to go."""

    question: str = ""
    packs: list[str] = Field(default_factory=list)
    notes: str = ""
    """A file or folder of notes, or a campaign."""
    viewer: Viewer = "player"
    max_steps: int = part.MAX_STEPS
    budget: int = 0
    """At most so many tokens; 0 is no limit."""


def unheard(kind: str, news: dict[str, object]) -> None:
    """Nobody follows how far it is."""


async def begin_research(
    house: House, request: ResearchRequest, tell: Tell = unheard
) -> ResearchState:
    """Plans, looks up, and answers. `tell` hears of each step."""
    if not request.question.strip():
        raise UserError('say a question or --resume ID, for example: research "every food buff"')
    notes = await _notes(house, request)
    async with research_ports(
        house.settings, packs=request.packs, notes=notes, viewer=request.viewer
    ) as ports:
        return await part.research(
            request.question,
            ports,
            max_steps=request.max_steps,
            budget=request.budget,
            tell=tell,
        )


async def resume_research(
    house: House, research_id: str, request: ResearchRequest, tell: Tell = unheard
) -> ResearchState:
    """Goes on where it stopped. A question in the request must be the one it is about."""
    asked = (await load_research(house.settings, research_id)).originalQuery
    if request.question and request.question != asked:
        raise UserError(
            f"{research_id} is about {asked!r}; leave the question out, "
            "or ask a new one without --resume"
        )
    notes = await _notes(house, request)
    async with research_ports(
        house.settings, packs=request.packs, notes=notes, viewer=request.viewer
    ) as ports:
        return await part.resume(research_id, ports, tell=tell, budget=request.budget or None)


@dataclass
class ResearchRuns:
    """Research that goes on beside a server's requests: each piece once, however often asked."""

    house: House
    _problems: dict[str, str] = field(default_factory=dict)
    _runs: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)

    def known(self) -> dict[str, str]:
        """What went wrong with each that ended badly; '' for those that run."""
        return {**self._problems, **dict.fromkeys(self._runs, "")}

    async def go_on(self, research_id: str, tell: Tell = unheard) -> None:
        """Begins to go on where it stopped. NotFound lists what there is."""
        await load_research(self.house.settings, research_id)
        if research_id not in self._runs:
            self._problems.pop(research_id, None)
            task = asyncio.create_task(self._run(research_id, tell), name=f"go on {research_id}")
            self._runs[research_id] = task
            task.add_done_callback(lambda ended: self._runs.pop(research_id, None))

    async def close(self) -> None:
        """Stops all of it where it can go on."""
        tasks = list(self._runs.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, research_id: str, tell: Tell) -> None:
        try:
            await resume_research(self.house, research_id, ResearchRequest(), tell)
        except FreeformError as failed:
            self._problems[research_id] = str(failed)


async def list_research(settings: Settings) -> Sequence[ResearchRow]:
    """What was researched, newest first."""
    async with opened_research(settings) as store:
        return await store.rows()


async def load_research(settings: Settings, research_id: str) -> ResearchState:
    """All of one piece of research, as far as it is. NotFound lists what there is."""
    async with opened_research(settings) as store:
        return await store.load(research_id)


async def _notes(house: House, request: ResearchRequest) -> list[Source]:
    if not request.notes:
        return []
    sources, _ = await house.librarian.sources(AskWish(notes=request.notes))
    return [source for source in sources if source.tool == "session_notes"]

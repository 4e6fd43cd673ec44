"""Campaigns to measure: played offline at a table in memory, and models and prompts to replay them with."""

import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from freeform.adapters.memory.store import InMemoryCampaigns
from freeform.core.clock import HandClock
from freeform.core.ids import CountedIds
from freeform.core.llm.gateway import (
    Gateway,
    Listen,
    Model,
    ModelSaid,
    Out,
    Question,
)
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import PromptRegistry, bundled
from freeform.core.llm.tape import MemoryTapes
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.evals.replay import Bench
from freeform.offline.model import OfflineModel
from tests.engine.cellar import scenario

LINES = (
    "look around", "ask Orla about the cellar", "take the mug", "go to the yard", "talk to Finn", "wait",
    "go to the taproom", "I threaten Orla", "I hide", "search the place", "I try to pick the lock of the cellar door", "look at the door",
)  # fmt: skip

NEWER = 3
"""The version of the narrator's prompt that tests put on top of the bundled ones."""


def memory_table(model: Model | None = None, prompts: PromptRegistry | None = None) -> Table:
    """A table that leaves nothing behind."""
    clock, tapes, offline = HandClock(), MemoryTapes(), OfflineModel()
    gateway = LiveGateway(
        ModelsByRole(model or offline, offline),
        prompts=prompts or bundled(),
        tapes=tapes,
        clock=clock,
    )
    return Table(InMemoryCampaigns(clock), gateway, tapes, clock, CountedIds())


async def played(turns: int, table: Table | None = None, authored: Scenario | None = None) -> Table:
    """A table with the campaign `c`, so many turns in."""
    at = table or memory_table()
    await begin(authored or scenario(), "c", 7, Answers(), at)
    for number in range(turns):
        await take_turn(Say(campaign="c", text=LINES[number % len(LINES)]), at)
    return at


def bench(model: Model | None = None, prompts: PromptRegistry | None = None) -> Bench:
    """What to replay on: any role is answered by that model."""
    clock, offline = HandClock(), OfflineModel()

    def gateway(names: Mapping[str, str]) -> Gateway:
        return LiveGateway(
            ModelsByRole(model or offline, offline),
            prompts=prompts or bundled(),
            tapes=MemoryTapes(),
            clock=clock,
        )

    return Bench(lambda: InMemoryCampaigns(clock), gateway, prompts or bundled(), clock)


class TwoVersions:
    """The offline model, but under the second version of a prompt every third turn is told otherwise."""

    name = "two versions"

    def __init__(self) -> None:
        self._offline = OfflineModel()

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        said = await self._offline.reply(question, listen)
        if question.prompt.version == NEWER and question.call.turn_no % 3 == 0:
            told = said.output.model_copy(update={"final_text": "It is told otherwise."})
            return ModelSaid(told, said.usage)
        return said


def with_second_narrator(folder: Path) -> PromptRegistry:
    """The bundled prompts, and another version of the narrator's."""
    shutil.copytree(str(files("freeform") / "prompts"), folder)
    newest = max(folder.glob("engine/narrator_v*.md"))
    assert newest.name == f"narrator_v{NEWER - 1}.md", (
        "the bundled narrator has another version by now: take another number here"
    )
    text = newest.read_text(encoding="utf-8")
    (folder / "engine" / f"narrator_v{NEWER}.md").write_text(
        text.replace("\n---\n", "\nBe brief.\n---\n", 1), encoding="utf-8"
    )
    return PromptRegistry(folder)

"""A table to play at in tests: the real store on disk, a model that follows a script, clocks set by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore, SqliteTapes
from freeform.core.clock import HandClock
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
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from tests.engine.cellar import scenario

Script = Callable[[str, Any], dict[str, Any] | Exception]


class ScriptedModel:
    """Answers each pass by a function of its id and input, word by word."""

    name = "scripted"

    def __init__(self, script: Script) -> None:
        self.script, self.asked = script, list[Question[Any]]()

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        self.asked.append(question)
        answer = self.script(question.pass_.id, question.input)
        if isinstance(answer, Exception):
            raise answer
        output = question.pass_.gives.model_validate(answer)
        if listen and (text := question.pass_.streamed(output)):
            for piece in text.split(" "):
                listen(f"{piece} ")
        return ModelSaid(output=output, usage=Usage(calls=1, input_tokens=10, output_tokens=5))


def answers(*actions: dict[str, Any], tells: str = "It happens.", **told: Any) -> Script:
    """The same answer every time: these actions, no plan, this prose."""

    def script(pass_id: str, input: Any) -> dict[str, Any]:
        match pass_id:
            case "engine/interpreter":
                return {"proposed_actions": list(actions)}
            case "engine/planner":
                return {"next_suggestions": ["look around"]}
            case _:
                return {"final_text": tells, **told}

    return script


def table(home: Path, model: Model, offline: Model | None = None) -> Table:
    """A table in that home."""
    shelf, clock = CampaignShelf(home), HandClock()
    tapes = SqliteTapes(shelf)
    gateway = LiveGateway(
        ModelsByRole(model, offline or model), prompts=bundled(), tapes=tapes, clock=clock
    )
    return Table(
        store=SqliteStore(shelf, clock), gateway=gateway, tapes=tapes, clock=clock, ids=CountedIds()
    )


async def started(
    home: Path, script: Script, authored: Scenario | None = None, seed: int = 7
) -> Table:
    """A table with the campaign `c` begun."""
    at = table(home, ScriptedModel(script))
    await begin(authored or scenario(), "c", seed, Answers(), at)
    return at

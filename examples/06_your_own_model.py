"""A model of your own at the table: here one that whispers. It hears and plans offline, and tells in its own voice."""

import asyncio
from dataclasses import replace

from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Question,
)
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.signals import Prose, Signal
from freeform.engine.turn import Say, take_turn
from freeform.offline.model import OfflineModel
from freeform.settings.sources import load
from freeform.wiring import opened


class WhisperingModel:
    """Anything with a name and `reply` is a Model. Yours would send `question.text` to a server."""

    name = "example:whisper"

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        """Answers with the record the pass asks for, and streams one field of it."""
        said = await OfflineModel().reply(question)
        whispered = str(getattr(said.output, question.pass_.streams)).lower().replace("!", "…")
        if listen:
            listen(whispered)
        return replace(
            said, output=said.output.model_copy(update={question.pass_.streams: whispered})
        )


def show(signal: Signal) -> None:
    """Prose arrives while it is told, once it has passed the table's lines and veils."""
    if isinstance(signal, Prose):
        print(signal.piece, end="", flush=True)


async def main() -> None:
    async with opened(load({"model": "offline"}).settings) as table:
        offline, tapes, clock = OfflineModel(), table.tapes, table.clock
        voices = {"narrator": WhisperingModel()}
        asking = LiveGateway(
            ModelsByRole(offline, offline, voices), prompts=bundled(), tapes=tapes, clock=clock
        )
        table = replace(table, gateway=asking)
        await begin(load_scenario("drowned_bell"), "example-06", 7, Answers(), table)
        result = await take_turn(
            Say(campaign="example-06", text="I look at the people in the water"), table, show
        )
        print(f"\n\n{result.model}")


asyncio.run(main())

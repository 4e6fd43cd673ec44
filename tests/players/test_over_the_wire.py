"""A party whose model sits behind a real provider's door and knows nothing but the words it is sent."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from freeform.adapters.models.make import Access, make_model
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.retry import Patience, RetryPolicy
from freeform.offline.model import OfflineModel
from freeform.players.model import RoundRecord
from freeform.players.party.evening import play_on
from freeform.players.party.local_agents import LocalCrew
from freeform.wiring.players import PartyRoom
from tests.adapters.models.wire import Wire
from tests.patience import PATIENCE
from tests.players.conftest import a_parlour, a_party


class Reader(Wire):
    """Answers as a model might, slightly off in form, from the words of the question alone."""

    async def _answer(self, path: str, body: dict[str, Any], writer: Any) -> None:
        if told := [message["content"] for message in body.get("messages", [])]:
            self._reply = _read(told[0], told[1], again=len(told) > 2)
        await super()._answer(path, body, writer)


def _read(system: str, words: str, again: bool) -> dict[str, Any]:
    options = re.findall(r"^- (.+)$", words.partition("Options:")[2].partition("</table>")[0], re.M)
    taken = re.search(r"What others will do: (.*)", words)
    free = [o for o in options if not taken or o not in taken[1]]
    proposal = re.search(
        r"(?:The proposal|settled on): (.+?)(?: \(put forward by (\w+)\))?$", words, re.M
    )
    if system.startswith("You are a person at a table"):
        if proposal and proposal[1] != "(nothing)":
            return {
                "content": "**Alex:** Agreed, let's.",
                "proposes": "None",
                "mine": free[0],
                "said_memory": "n/a",
            }
        return {
            "content": "I say we do it.",
            "proposes": f"Let's {options[0].lower()}.",
            "mine": options[0],
        }
    if system.startswith("You are a player who tells"):
        name = re.search(r"- name: (\w+)", words)
        mine = proposal and name and proposal[2] == name[1]
        return {
            "directive": "Go on.",
            "option": f"“{(proposal[1] if mine and proposal else free[-1]).lower()}”",
        }
    if "Something came of what you attempted" in system:
        return {"dialogue": "(says nothing)"}
    if system.startswith("You are a character"):
        return {"action": "I try to have a look around.", "dialogue": "“Quiet now.”"}
    return {"valid": True}


@asynccontextmanager
async def a_parlour_over(wire: Wire, folder: Path) -> AsyncIterator[PartyRoom]:
    async with a_parlour(folder) as room:
        model = make_model("ollama:tiny", Access(ollama_url=wire.url))
        gateway = LiveGateway(
            ModelsByRole(model, OfflineModel()),
            prompts=bundled(),
            tapes=room.table.tapes,
            clock=room.table.clock,
            patience=Patience(RetryPolicy(tries=2, seconds=PATIENCE)),
        )
        yield replace(room, crew=LocalCrew(gateway))


async def test_a_model_that_reads_only_its_prompt_plays_a_round_and_is_taken_as_it_meant(
    tmp_path: Path,
) -> None:
    async with Reader("good", reply={}) as wire, a_parlour_over(wire, tmp_path) as room:
        who = await a_party(room)
        (record,) = [
            came async for came in play_on(room.game, who, 1) if isinstance(came, RoundRecord)
        ]
    assert not record.notes, "nothing was answered by another model"
    assert record.consensus.state.value == "unanimous" and record.consensus.rounds == 1
    assert record.consensus.proposal.option == "Ask Dutch about Jin"
    assert [row["content"] for row in record.ooc][1:] == ["Agreed, let's."] * 3 or record.ooc[1][
        "content"
    ] != "**Alex:**"
    assert set(record.directives) == {"alex", "bea", "cato", "dee"} and not record.reactions
    assert all(
        a.dialogue == "Quiet now." and not record.validation[agent].warning
        for agent, a in record.actions.items()
    )

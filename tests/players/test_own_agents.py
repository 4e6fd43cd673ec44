"""Agents of one's own in a seat: whatever they do wrong, the round goes on without them."""

import asyncio
import logging
from dataclasses import replace

import pytest

from freeform.players.model import RoundRecord
from freeform.players.party.evening import play_on
from freeform.players.party.local_agents import OwnAgents
from freeform.players.passes import DirectiveReply, PersonaInput, TalkReply
from tests.players.conftest import a_party
from tests.players.test_play_round import Opens


class OddError(Exception):
    """Of nobody's family."""


class Breaks:
    async def talk(self, seen: PersonaInput) -> TalkReply:
        raise OddError("talk")

    async def choose(self, seen: PersonaInput) -> DirectiveReply:
        raise OddError("choose")


class NeverAnswers:
    async def talk(self, seen: PersonaInput) -> TalkReply:
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes it")

    async def choose(self, seen: PersonaInput) -> DirectiveReply:
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes it")


async def test_the_others_play_on_without_one_that_breaks_and_one_that_never_answers(
    parlour: Opens, caplog: pytest.LogCaptureFixture
) -> None:
    async with parlour() as room:
        agents = {"alex": Breaks(), "bea": NeverAnswers()}
        own = replace(room, crew=OwnAgents(room.crew, agents, seconds=0.02))
        with caplog.at_level(logging.WARNING, "freeform.players"):
            came = [one async for one in play_on(own.game, await a_party(own), 1)]
    (record,) = [one for one in came if isinstance(one, RoundRecord)]
    assert {"cato", "dee"} <= set(record.rulings) | set(record.actions)
    assert not {"alex", "bea"} & set(record.directives)
    assert any("Breaks: OddError: talk" in note for note in record.notes)
    assert any("NeverAnswers: no answer within 0.02 s" in note for note in record.notes)
    assert "own_agent" in {line.getMessage() for line in caplog.records}

"""What a round is played with, and the two things every phase does: ask agents once, and say things
once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from freeform.core.clock import Clock
from freeform.core.llm.gateway import Call, Pass, PassInput
from freeform.core.record import Reply
from freeform.engine.table import Table
from freeform.players.model import Channel, Dm, Message, Party, Waiting
from freeform.players.ports import AgentJob, AgentRunner, PartyStore, Spans, unseen
from freeform.players.round.channels import (
    DM,
    GAME_MASTER,
    ChannelRouter,
    character_of,
    persona_of,
)
from freeform.players.round.minds import Minds

Out = TypeVar("Out", bound=Reply)
AskPerson = Callable[[Waiting], None]
"""Stops the round until someone answers."""


@dataclass(frozen=True)
class Playing:
    """One party at its table. `ask_person` stops the round; whoever answers puts the answer into
    the store."""

    party: Party
    table: Table
    router: ChannelRouter
    store: PartyStore
    crew: AgentRunner
    minds: Minds
    clock: Clock
    dm: Dm = "engine"
    authored: bool = False
    """Whether nobody but our own code and authors speak: no model, no person, no persona of
    somebody's own."""
    ask_person: AskPerson = field(default=lambda waiting: None)
    show: Callable[[str, dict[str, Any]], None] = field(default=lambda phase, seen: None)
    span: Spans = unseen

    @property
    def agents(self) -> list[str]:
        """Every seat's agent, in seat order."""
        return [seat.agent for seat in self.party.seats]

    @property
    def machines(self) -> list[str]:
        """The agents no person sits for."""
        return [seat.agent for seat in self.party.seats if not seat.person]

    async def ask(
        self, round: int, phase: str, pass_: Pass[Any, Out], inputs: Mapping[str, PassInput]
    ) -> tuple[dict[str, Out], list[str]]:
        """Puts a question to each agent, side by side, and keeps the answers before anything comes
        of them: a round that goes on after a crash finds them here. An agent whose model failed for
        good is left out, with a note."""
        key = f"{round}/{phase}"
        kept = await self.store.done(self.party.id, key)
        if kept is None:
            jobs = [self._job(round, phase, agent, pass_, input) for agent, input in inputs.items()]
            with self.span(pass_.id, {"phase": phase, "round": round, "agents": len(jobs)}):
                done = await self.crew.ask_all(jobs) if jobs else []
            answers = {
                agent: d.output
                for agent, d in zip(inputs, done, strict=True)
                if d.output is not None
            }
            notes = [f"{phase}, {agent}: {d.failed or d.degraded}" for agent, d in zip(inputs, done, strict=True)
                     if d.failed or d.degraded]  # fmt: skip
            kept = await self.store.keep(
                self.party.id, round, key, {"answers": answers, "notes": notes}
            )
        given = {
            agent: pass_.gives.model_validate(output) for agent, output in kept["answers"].items()
        }
        return given, list(kept["notes"])

    async def person(self, waiting: Waiting) -> str:
        """What the person at that seat answered; stops the round while there is no answer."""
        key = answer_key(waiting.round, waiting.phase, waiting.who)
        while (given := await self.store.done(self.party.id, key)) is None:
            self.ask_person(waiting)
        return str(given["text"])

    async def say(
        self, round: int, phase: str, agent: str, channel: Channel, content: str, part: str = ""
    ) -> Message:
        """Says something in a channel as the right half of a seat, once."""
        if agent == DM:
            speaker = GAME_MASTER
        elif channel is Channel.IC:
            speaker = character_of(self.party, agent)
        else:
            speaker = persona_of(self.party, agent)
        to = [speaker.partner] if channel is Channel.P2C else []
        id = f"{round}/{phase}/{agent}{f'/{part}' if part else ''}"
        message = Message(
            id=id,
            channel=channel,
            from_agent=speaker.id,
            to_agents=to,
            content=content,
            round=round,
            phase=phase,
        )
        return await self.router.send(speaker, message)

    def _job(
        self, round: int, phase: str, agent: str, pass_: Pass[Any, Any], input: PassInput
    ) -> AgentJob:
        seed = f"{self.party.seed}/players/{round}/{phase}/{agent}"
        call = Call(
            campaign=self.party.campaign, turn_id=f"{self.party.id}.{round}", turn_no=0, seed=seed
        )
        return AgentJob(pass_.id, input, call)


def answer_key(round: int, phase: str, who: str) -> str:
    """Where a person's answer is kept."""
    return f"{round}/{phase}/person/{who}"


def name_of(party: Party, ids: Sequence[str]) -> dict[str, str]:
    """Ids of agents and characters as the table calls them."""
    names = {seat.agent: seat.persona.name for seat in party.seats}
    names |= {seat.character.id: seat.character.name for seat in party.seats}
    return {id: names.get(id, "the game master" if id == DM else id) for id in ids}

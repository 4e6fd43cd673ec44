"""Minds at work in a round: each player's is made when it has remembered, and told to every question
it is asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from freeform.core.chance import Chance
from freeform.language.sentences import sentences
from freeform.players.mind.model import MindState, PromiseMade
from freeform.players.mind.think import think
from freeform.players.model import Memory, RoundRecord, TableView
from freeform.players.passes import ToldMemory
from freeform.players.round.brief import Thoughts
from freeform.players.round.phase import Playing
from freeform.players.round.state import RoundState

LATELY = 12
"""So many rounds back a player knows what it has said itself."""


def minds_of(
    playing: Playing, round: int, table: TableView, memories: Mapping[str, Sequence[Memory]]
) -> dict[str, MindState]:
    """Every AI player's mind, from its own memory."""
    found = {}
    for agent in playing.machines:
        chance = Chance(playing.party.seed, "mind", round, agent)
        persona = playing.party.seat(agent).persona
        found[agent] = think(persona, table, memories.get(agent, ()), chance)
    return found


async def lately(playing: Playing, round: int) -> list[RoundRecord]:
    """The rounds that are still in everyone's ear."""
    if round == 1:
        return []
    return await playing.store.rounds(playing.party.id, max(1, round - LATELY), round - 1)


def said_by(agent: str, rounds: Sequence[RoundRecord]) -> list[str]:
    """What a player said at the table in these rounds, sentence by sentence, and the memories that
    others told: nobody tells again what everyone has just heard."""
    said = [
        row["content"]
        for record in rounds
        for row in record.ooc
        if row["agent"] == agent or row.get("memory")
    ]
    return [sentence for text in said for sentence in sentences(text)]


def promises_in(rounds: Sequence[RoundRecord]) -> list[PromiseMade]:
    """What was agreed on a condition, newest first."""
    found = []
    for record in reversed(rounds):
        for position in record.consensus.positions:
            if position.condition:
                what = record.consensus.proposal.option
                promise = PromiseMade(by=position.agent_id, what=what, condition=position.condition)
                found.append(promise)
    return found[:3]


def thoughts_of(state: RoundState, playing: Playing, agent: str) -> Thoughts:
    """What that player has on its mind now."""
    names = {seat.agent: seat.persona.name for seat in playing.party.seats}
    claims = [
        ToldMemory(who=names[row["agent"]], fact_id=row["memory"], said=row["believed"])
        for row in state["ooc"]
        if row["memory"] and row["agent"] != agent
    ]
    return Thoughts(
        mind=MindState.model_validate(state["minds"].get(agent, {})),
        claims=claims,
        mine=state["taken"].get(agent, ""),
        said_before=state["said_before"].get(agent, []),
        over=state["over"],
    )


def believed_by(state: RoundState, agent: str, fact_id: str) -> str:
    """How that player remembers a fact; '' where it does not."""
    rows: list[dict[str, Any]] = state["memories"].get(agent, [])
    return next((str(row["believed"]) for row in rows if row["fact_id"] == fact_id), "")


def options_of(state: RoundState, agent: str) -> list[str]:
    """What that player can think of: what lies on the table, and its own ideas."""
    offered = [option["text"] for option in state["table"].get("options", [])]
    own = [one["option"]["text"] for one in state["minds"].get(agent, {}).get("leanings", [])]
    return list(dict.fromkeys([*offered, *own]))

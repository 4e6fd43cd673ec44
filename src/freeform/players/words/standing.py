"""Where everyone stands after a round of talk, and what is talked about next."""

from typing import Any

from freeform.core.chance import Chance
from freeform.players.model import Position, Proposal, Stance
from freeform.players.passes import STANCE, HeardFact, StanceInput
from freeform.players.round.options import kind_of
from freeform.players.round.phase import Playing
from freeform.players.words.reply_repair import agent_meant, something

QUESTION = "What do we do next?"


async def positions(
    playing: Playing,
    round: int,
    phase: str,
    proposal: Proposal,
    rows: list[dict[str, Any]],
    turn: int,
) -> tuple[list[Position], list[str]]:
    """Where everyone stands, from what they said: one pass over the whole discussion. What a player
    puts forward counts as its own yes; a seat the pass forgot is silent."""
    if not proposal.option:  # nobody put anything forward: there is nothing to stand to
        spoke = {row["agent"] for row in rows if row["round"] == turn}
        return [
            _undecided(agent) if agent in spoke else _silent(agent) for agent in playing.agents
        ], []
    names = {playing.party.seat(a).persona.name: a for a in playing.agents}
    said = [row for row in rows if row["round"] == turn]
    asked = StanceInput(
        question=QUESTION,
        proposal=proposal.option,
        players=list(names),
        discussion=[HeardFact(who=row["name"], said=row["content"]) for row in said],
    )
    answers, notes = await playing.ask(round, f"{phase}/stance", STANCE, {"table": asked})
    found: dict[str, Position] = {}
    for row in answers["table"].positions if "table" in answers else []:
        if agent := agent_meant(row.agent_id, names):
            found[agent] = Position(
                agent_id=agent,
                stance=row.stance,
                condition=something(row.condition),
                confidence=min(1.0, max(0.0, row.confidence)),
            )
    changed = any(
        row["agent"] == proposal.by and row["proposes"] not in ("", proposal.option) for row in said
    )
    if proposal.by in playing.agents and not changed:
        found[proposal.by] = Position(agent_id=proposal.by, stance=Stance.AGREE, confidence=1.0)
    return [found.get(agent, _silent(agent)) for agent in playing.agents], notes


def _silent(agent: str) -> Position:
    return Position(agent_id=agent, stance=Stance.SILENT, confidence=1.0)


def _undecided(agent: str) -> Position:
    return Position(agent_id=agent, stance=Stance.NEUTRAL, confidence=1.0)


def next_proposal(proposal: Proposal, rows: list[dict[str, Any]], turn: int) -> Proposal:
    """After a disagreement the other proposal that most put forward is talked about next, the
    newest of them where they are even; without one, the old one again."""
    others = [
        row["proposes"]
        for row in rows
        if row["round"] == turn and row["proposes"] and row["proposes"] != proposal.option
    ]
    if not others:
        return proposal
    newest_first = list(reversed(others))
    best = max(newest_first, key=lambda option: newest_first.count(option))
    by = next(row["agent"] for row in rows if row["round"] == turn and row["proposes"] == best)
    return Proposal(by=by, option=best, kind=kind_of(best))


def speakers(playing: Playing, round: int) -> list[str]:
    """Who has the word first goes round; the talkative follow soonest."""
    agents = playing.agents
    first = agents[(round - 1) % len(agents)]
    chance = Chance(playing.party.seed, "speakers", round)
    eager = {
        a: playing.party.seat(a).persona.traits.talkative + chance.fraction() * 0.6 for a in agents
    }
    return [first, *sorted((a for a in agents if a != first), key=lambda a: -eager[a])]


def who_does_it(playing: Playing, proposal: Proposal, doer: str) -> str:
    """The question before deeds: whose part the agreed one is, where that is not the proposer."""
    if not proposal.option or doer == proposal.by or doer not in playing.agents:
        return QUESTION
    seat = playing.party.seat(doer)
    return (
        f"{QUESTION} {seat.persona.name} does what was agreed: {seat.character.name} is best at it."
    )

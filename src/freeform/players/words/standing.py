"""Where everyone stands after a round of talk, and what is talked about next."""

from typing import Any

from freeform.core.chance import Chance
from freeform.players.model import Position, Proposal, Stance
from freeform.players.round.options import kind_of
from freeform.players.round.phase import Playing
from freeform.players.words.positions import stances
from freeform.players.words.reply_repair import something

QUESTION = "What do we do next?"


def positions(
    playing: Playing, proposal: Proposal, rows: list[dict[str, Any]], turn: int
) -> list[Position]:
    """Where everyone stands, from what they said, by the one reader of stance: nobody is asked for
    it, with a model neither. What a player puts forward counts as its own yes; who said nothing is
    silent."""
    said = [row for row in rows if row["round"] == turn]
    if not proposal.option:  # nobody put anything forward: there is nothing to stand to
        spoke = {row["agent"] for row in said}
        return [_undecided(agent) if agent in spoke else _silent(agent) for agent in playing.agents]
    heard = [(row["agent"], row["content"]) for row in said]
    found = {
        agent: Position(
            agent_id=agent,
            stance=read.stance,
            condition=something(read.condition),
            confidence=min(1.0, max(0.0, read.confidence)),
        )
        for agent, read in stances(heard, playing.agents, proposal.option).items()
    }
    changed = any(
        row["agent"] == proposal.by and row["proposes"] not in ("", proposal.option) for row in said
    )
    if proposal.by in playing.agents and not changed:
        found[proposal.by] = Position(agent_id=proposal.by, stance=Stance.AGREE, confidence=1.0)
    return [found.get(agent, _silent(agent)) for agent in playing.agents]


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

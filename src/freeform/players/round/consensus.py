"""How a question stands among players: pure counting, with every edge case decided here.

Unanimous: everyone who has a seat agrees. Majority: more than half agree and nobody is against.
Conflicted: the rest. Silence and neutral count neither way, but they keep a question from being
unanimous; a conditional yes is a yes whose condition is noted. Time is up after five rounds of talk
or two minutes, whichever is first; then there is a vote: more yes than no carries it, a tie or an
empty vote goes to the proposal of whoever spoke first only if no one is against; else everyone goes
their own way. A vote is called before that when a round of talk brings nothing new: nobody puts
forward what was not put forward before. A human game master may override either.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from freeform.language.inflection import lemma
from freeform.language.words import telling_words
from freeform.players.model import (
    Consensus,
    ConsensusState,
    Position,
    Proposal,
    Ruling,
    Stance,
)

MAX_ROUNDS = 5
TIMEOUT_SECONDS = 120.0


def count(positions: Sequence[Position]) -> ConsensusState:
    """The state of a question, from where each player stands; time not looked at."""
    agree = sum(p.stance is Stance.AGREE for p in positions)
    against = sum(p.stance is Stance.DISAGREE for p in positions)
    if positions and agree == len(positions):
        return ConsensusState.UNANIMOUS
    if agree > len(positions) / 2 and not against:
        return ConsensusState.MAJORITY
    return ConsensusState.CONFLICTED


def is_time_up(rounds: int, seconds: float) -> bool:
    """Five rounds of talk or two minutes, whichever is first."""
    return rounds >= MAX_ROUNDS or seconds >= TIMEOUT_SECONDS


def settle(
    question: str, proposal: Proposal, positions: Sequence[Position], rounds: int, seconds: float
) -> Consensus:
    """The question after a round of talk. Agreement in the last round still counts: only
    disagreement times out."""
    state = count(positions)
    agreed = state in (ConsensusState.UNANIMOUS, ConsensusState.MAJORITY)
    if not agreed and is_time_up(rounds, seconds):
        state = ConsensusState.TIMEOUT
    return Consensus(
        question=question,
        proposal=proposal,
        state=state,
        positions=list(positions),
        rounds=rounds,
        decided=agreed,
        how="talk" if agreed else "",
        dissent=[p.agent_id for p in positions if p.stance is Stance.DISAGREE],
    )


def nothing_new(rows: Sequence[Mapping[str, Any]], turn: int) -> bool:
    """Whether a second or later round of talk only went over what had been put forward."""
    before = {row["proposes"] for row in rows if row["round"] < turn}
    now = {row["proposes"] for row in rows if row["round"] == turn}
    return turn > 1 and now <= before | {""}


def call_vote(settled: Consensus) -> Consensus:
    """A question that is still open goes to the vote."""
    if settled.state is not ConsensusState.CONFLICTED:
        return settled
    return settled.model_copy(update={"state": ConsensusState.TIMEOUT})


def vote(timed_out: Consensus) -> Consensus:
    """The forced vote: a player who is for it votes yes, one who is against votes no, the others
    abstain."""
    yes = sum(p.stance is Stance.AGREE for p in timed_out.positions)
    no = sum(p.stance is Stance.DISAGREE for p in timed_out.positions)
    carried = yes > no or (yes == no == 0)
    how = f"vote: {yes} for, {no} against, {len(timed_out.positions) - yes - no} abstained"
    return timed_out.model_copy(
        update={"decided": carried, "how": how if carried else f"{how}; not carried"}
    )


def override(vote: Consensus, option: str) -> Consensus:
    """The game master decides instead."""
    proposal = vote.proposal.model_copy(update={"by": "dm", "option": option})
    return vote.model_copy(
        update={"proposal": proposal, "decided": True, "how": "the game master decided"}
    )


def in_bound_order(
    order: Sequence[str], settled: Consensus, chosen: Mapping[str, str]
) -> list[str]:
    """The order of deeds under the conditions that were set: who wanted something done first, and
    does it, comes before what was agreed; who said "if you go first" comes after it."""
    deed = settled.proposal.option
    doers = [agent for agent in order if deed and chosen.get(agent) == deed]
    if not settled.decided or not doers:
        return list(order)
    first = [agent for agent in _conditional(settled) if agent in order and agent not in doers]
    before = [agent for agent in order if agent in first and _does_it(agent, settled, chosen)]
    after = [agent for agent in order if agent in first and agent not in before]
    rest = [agent for agent in order if agent not in first]
    at = max(rest.index(agent) for agent in doers) + 1
    return [*before, *rest[:at], *after, *rest[at:]]


def unmet(
    agent: str, settled: Consensus, chosen: Mapping[str, str], rulings: Mapping[str, Ruling]
) -> str:
    """Whose condition for what was agreed has failed, refused or ill rolled, so that this agent does
    not do it; ''."""
    for other in waits_for(agent, settled, chosen):
        ruling = rulings.get(other)
        if ruling and (ruling.blocked or ruling.outcome == "bad"):
            return other
    return ""


def waits_for(agent: str, settled: Consensus, chosen: Mapping[str, str]) -> list[str]:
    """Who wants something done first, and does it, before this agent does what was agreed."""
    if not settled.decided or chosen.get(agent) != settled.proposal.option:
        return []
    return [o for o in _conditional(settled) if o != agent and _does_it(o, settled, chosen)]


def _conditional(settled: Consensus) -> list[str]:
    """Who agreed on a condition."""
    return [p.agent_id for p in settled.positions if p.condition and p.stance is Stance.AGREE]


def _does_it(agent: str, settled: Consensus, chosen: Mapping[str, str]) -> bool:
    """Whether somebody's own deed is what its condition asks for: they share what they are about."""
    condition = next((p.condition for p in settled.positions if p.agent_id == agent), "")
    about = {lemma(word) for word in telling_words(chosen.get(agent, ""))}
    return bool(about & {lemma(word) for word in telling_words(condition)})

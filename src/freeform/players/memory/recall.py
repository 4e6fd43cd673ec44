"""READ THIS FIRST. What an agent believes of a true fact on a day: a pure function, so it can be asked again and audited.

fact + rehearsals so far ──> per detail: stability, retrievability R(t) ──┐
seed, agent, fact, detail, epoch ──> threshold u in [0, 1) ───────────────┴─ u < R ? intact : which error, how far
"""

from collections.abc import Sequence

from freeform.players.memory.model import Belief, Fact, Mind, Rehearsal


def recall(
    mind: Mind,
    fact: Fact,
    day: float,
    rehearsals: Sequence[Rehearsal] = (),
    neighbours: Sequence[Fact] = (),
) -> Belief:
    """The belief. `rehearsals` are this agent's of this fact; those after `day` are not looked at. `neighbours` are
    similar facts that the agent knows; one learnt after a detail went wrong never changes what it went wrong to."""
    return Belief(agent=mind.agent, fact_id=fact.id, day=day, believed=fact.text, confidence=1.0, truth=fact.text)

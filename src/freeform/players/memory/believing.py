"""Beliefs about many facts: what the store knows, put before `recall`."""

from collections.abc import Sequence

from freeform.players.memory.model import Belief, MemoryFact, Mind
from freeform.players.memory.ports import MemoryStore
from freeform.players.memory.recall import recall


async def believe(
    mind: Mind, facts: Sequence[MemoryFact], day: float, groups: Sequence[str], store: MemoryStore
) -> list[Belief]:
    """What this mind believes of each fact on that day. `groups` are those it may see: it mixes memories up only with
    others of its own. A fact learnt after that day is not believed at all: it is left out."""
    known = [fact for fact in facts if fact.created_at <= day]
    lived = await store.rehearsals(mind.agent, [fact.id for fact in known], until=day)
    beliefs = []
    for fact in known:
        belief = recall(mind, fact, day, lived.get(fact.id, ()))
        lost = [audit.since for audit in belief.audit if audit.since is not None]
        if lost:
            # Only a lost detail can be mixed up, and only with what was known on the day it was lost.
            alike: dict[str, MemoryFact] = {}
            for since in sorted(set(lost)):
                alike |= {
                    other.id: other for other in await store.similar(fact, groups, before=since)
                }
            if alike:
                belief = recall(mind, fact, day, lived.get(fact.id, ()), list(alike.values()))
        beliefs.append(belief)
    return beliefs

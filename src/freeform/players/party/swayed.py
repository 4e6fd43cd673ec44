"""What a wrong memory does to a decision: the same mind thinks once more with what was so, and
where it would have leant to something else, the memory that made the difference is named. Pure."""

from collections.abc import Callable, Mapping, Sequence

from freeform.core.record import Record
from freeform.players.mind.model import MindState
from freeform.players.model import Memory

MOST_TRIED = 8
"""So many wrong memories are put right one by one to find the one that did it."""
Think = Callable[[Sequence[Memory]], MindState]


class Sway(Record):
    """A player leant to something because of what it remembers wrongly."""

    agent: str
    leant: str
    rather: str
    """What it would have leant to, had it remembered rightly."""
    fact_id: str = ""
    """The memory that made the difference; '' where several did it together."""
    believed: str = ""


def swayed_by(
    agent: str, memories: Sequence[Memory], truths: Mapping[str, str], now: str, think: Think
) -> Sway | None:
    """How wrong memories have changed what a player leans to most (`now`); None where they have
    not. `truths` has what was so, by fact."""
    wrong = [memory for memory in memories if truths.get(memory.fact_id, "") != ""]
    if not wrong or not now:
        return None
    rather = _first(think([_as_it_was(memory, truths) for memory in memories]))
    if rather in ("", now):
        return None
    for one in wrong[:MOST_TRIED]:
        mended = {one.fact_id: truths[one.fact_id]}
        if _first(think([_as_it_was(memory, mended) for memory in memories])) != now:
            return Sway(
                agent=agent, leant=now, rather=rather, fact_id=one.fact_id, believed=one.believed
            )
    return Sway(agent=agent, leant=now, rather=rather)


def _as_it_was(memory: Memory, truths: Mapping[str, str]) -> Memory:
    truth = truths.get(memory.fact_id, "")
    return memory.model_copy(update={"believed": truth, "confidence": 1.0}) if truth else memory


def _first(mind: MindState) -> str:
    return mind.leanings[0].option.text if mind.leanings else ""

"""The end of a session: what mattered is told once more and summed up in one memory of the
evening."""

from collections.abc import Sequence

from freeform.core.record import Record
from freeform.core.text import shorten
from freeform.language.sentences import sentences
from freeform.players.memory.model import CAMPAIGN, Episode, MemoryFact, Rehearsal, Slot
from freeform.players.memory.ports import MemoryStore, When

TOLD_AGAIN = 5
"""How many facts a recap tells; the most important first."""
LONGEST = 600


class Consolidated(Record):
    """What the end of a session did. `told` are the facts of the recap."""

    session: int
    facts: int
    told: list[str]
    summary: str = ""
    recap: str = ""


async def end_of_session(
    session: int, day: float, agents: Sequence[str], store: MemoryStore, group: str = CAMPAIGN
) -> Consolidated:
    """Tells the party its most important facts of the session again (a rehearsal for each who is
    there) and writes one summary of it. Doing it twice changes nothing."""
    facts = await store.in_sessions([group], session, session, When(known_at=day), most=1000)
    lived = [fact for fact in facts if fact.source in ("event", "talk")]
    told = lived[:TOLD_AGAIN]
    if not told:
        return Consolidated(session=session, facts=len(lived), told=[])
    in_order = sorted(told, key=lambda fact: (fact.created_at, fact.episode.turn, fact.id))
    recap = " ".join(_first(fact.text) for fact in in_order)
    text = shorten(f"Session {session}: {recap}", LONGEST)
    summary = MemoryFact(
        id=f"{group}:session_{session}",
        group=group,
        subject=f"session_{session}",
        predicate="came_to",
        value=text,
        text=text,
        slots=(Slot(name="gist", kind="gist", text=text),),
        valid_at=day,
        created_at=day,
        episode=Episode(session=session, turn=max(fact.episode.turn for fact in lived)),
        importance=max(fact.importance for fact in told),
        feeling=max((fact.feeling for fact in told), key=abs),
        source="summary",
        source_id=f"session_{session}",
    )
    await store.add([summary])
    await store.rehearse(
        [
            Rehearsal(agent=agent, fact_id=fact.id, day=day, how="told", session=session)
            for fact in told
            for agent in agents
        ]
    )
    return Consolidated(
        session=session,
        facts=len(lived),
        told=[fact.id for fact in told],
        summary=summary.id,
        recap=recap,
    )


def _first(text: str) -> str:
    """A fact in a recap: its first sentence, whole."""
    first = next(iter(sentences(text)), text)
    if first.count('"') % 2:
        first += '"'
    return first if first.endswith((".", "!", "?", "”", '"')) else f"{first}."

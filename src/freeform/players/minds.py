"""The party's memory at work: what each player recalls for a round, and what a round leaves behind."""

import re
from collections.abc import Sequence
from typing import Any

from freeform.players.memory.model import CAMPAIGN, Episode, Fact, Mind, Rehearsal, Slot, agent_group
from freeform.players.memory.ports import MemoryStore
from freeform.players.memory.recall import recall
from freeform.players.model import Memory, Party, Ruling, Seat

WEEK = 7.0
"""Days between two game nights: players forget between evenings, whatever the time in the world."""
MOST = 6
_NUMBER = re.compile(r"\b\d[\d,.]*\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand)\b")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b")


def memory_day(day: float, session: int) -> float:
    """The day that memory counts: the world's day, and a week for every game night that went by."""
    return round(day + WEEK * (session - 1), 4)


def mind_of(party: Party, seat: Seat) -> Mind:
    """A seat's memory: its persona's traits, the party's strength and seed."""
    traits = seat.persona.traits
    return Mind(
        agent=seat.agent,
        percentile=max(5.0, min(95.0, 5 + 90 * traits.detail_oriented)),
        strength=party.strength,
        seed=party.seed,
        confidence=traits.confidence,
        analytical=traits.analytical,
        emotional_memory=traits.emotional_memory,
        detail_oriented=traits.detail_oriented,
        base_decay_rate=traits.base_decay_rate,
    )


class Minds:
    """Facts in, beliefs out. The store holds the truth; what a pass is told is always a belief."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def recall(self, party: Party, seat: Seat, about: str, day: float, session: int) -> list[Memory]:
        """What a player remembers of that: by words, and the newest besides."""
        groups = [CAMPAIGN, agent_group(seat.agent)]
        hits = await self._store.words(about, groups, most=MOST * 2)
        facts = await self._store.get([hit.id for hit in hits][: MOST - 2])
        fresh = await self._store.recent(groups, 0.0, most=MOST)
        both = list({fact.id: fact for fact in [*facts, *fresh]}.values())[:MOST]
        return await self.beliefs(party, seat, both, memory_day(day, session))

    async def beliefs(self, party: Party, seat: Seat, facts: Sequence[Fact], day: float) -> list[Memory]:
        """Facts as that player believes them on a day."""
        mind = mind_of(party, seat)
        told = await self._store.rehearsals(seat.agent, [fact.id for fact in facts], until=day)
        found = []
        for fact in facts:
            near = await self._store.similar(fact, [CAMPAIGN, agent_group(seat.agent)], before=day)
            belief = recall(mind, fact, day, told.get(fact.id, []), near)
            found.append(Memory(fact_id=fact.id, believed=belief.believed, confidence=round(belief.confidence, 3),
                                day=fact.created_at))  # fmt: skip
        return found

    async def keep(
        self,
        party: Party,
        round: int,
        session: int,
        day: float,
        place: str,
        rulings: dict[str, Ruling],
        ooc: list[dict[str, Any]],
    ) -> dict[str, int]:
        """Writes a round's facts by rule, once: ids are made of the round, so that writing again changes nothing."""
        at, facts = memory_day(day, session), []
        for agent, ruling in rulings.items():
            for number, event in enumerate(ruling.events):
                if fact := fact_of(event, f"r{round}.{agent}.{number}", at, session, ruling.turn_no, place):
                    facts.append(fact)
        await self._store.add(facts)
        said = [row for row in ooc if row.get("memory")]
        await self._store.rehearse(
            [Rehearsal(agent=r["agent"], fact_id=r["memory"], day=at, how="said", session=session) for r in said]
        )
        return {"facts": len(facts), "said": len(said)}


def fact_of(event: dict[str, Any], id: str, day: float, session: int, turn: int, place: str) -> Fact | None:
    """An event of the engine as something to remember; None for what nobody would."""
    text = " ".join(str(event.get("text") or "").split())
    match event["type"]:
        case "fact_learned" if text:
            subject, predicate, weight, many = str(event.get("fact_id") or id), "is so", 0.7, False
        case "moved":
            text = f"We went to {event.get('name')}."
            subject, predicate, weight, many = "party", "went", 0.3, True
        case "told" if text and not event.get("again"):
            text = f"{event.get('name')} told us about {event.get('topic')}."
            subject, predicate, weight, many = str(event.get("npc")), f"told:{event.get('topic')}", 0.5, False
        case _:
            return None
    return Fact(
        id=id, group=CAMPAIGN, subject=subject, predicate=predicate, value=text, text=text, slots=slots_of(text),
        valid_at=day, created_at=day, episode=Episode(session=session, turn=turn), importance=weight, source="event",
        source_id=f"turn {turn} at {place}", many=many,
    )  # fmt: skip


def slots_of(text: str) -> tuple[Slot, ...]:
    """The details of a sentence that can be lost by themselves: its numbers and names."""
    numbers = [Slot(name=f"number{n}", kind="number", text=m[0]) for n, m in enumerate(_NUMBER.finditer(text))]
    names = [Slot(name=f"name{n}", kind="name", text=m[0]) for n, m in enumerate(_NAME.finditer(text))]
    return tuple({slot.text: slot for slot in [*numbers[:2], *names[:3]]}.values())

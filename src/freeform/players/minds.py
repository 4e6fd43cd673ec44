"""The party's memory at work: what each player recalls for a round, and what a round leaves behind."""

import re
from collections.abc import Sequence
from typing import Any

from freeform.core.record import Record
from freeform.core.text import sentences, shorten
from freeform.players.memory.model import CAMPAIGN, Belief, Episode, Fact, Mind, Rehearsal, Slot, agent_group
from freeform.players.memory.ports import MemoryStore, When
from freeform.players.memory.recall import recall
from freeform.players.model import Memory, Party, RoundRecord, Ruling, Seat

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


class Remembered(Record):
    """A fact and what someone makes of it."""

    fact: Fact
    belief: Belief


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
        believed = await self._believed(party, seat, facts, day)
        return [
            Memory(fact_id=b.fact_id, believed=b.believed, confidence=round(b.confidence, 3), day=fact.created_at)
            for fact, b in zip(facts, believed, strict=True)
        ]

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


    async def consolidate(self, party: Party, night: Sequence[RoundRecord]) -> None:
        """A game night as one memory: where the party was, and what it settled on last. Written once."""
        if not night:
            return
        places = list(dict.fromkeys(record.place for record in night if record.place))
        plans = [record.consensus.proposal.option for record in night if record.consensus.decided]
        text = f"On game night {night[-1].session} we were at {_listed(places[-4:])}."
        if plans:
            text += f" The last thing we agreed on was to {plans[-1][:1].lower()}{plans[-1][1:]}."
        day = memory_day(night[-1].day, night[-1].session)
        fact = Fact(
            id=f"night.{night[-1].session}", group=CAMPAIGN, subject=f"night {night[-1].session}", predicate="came to",
            value=text, text=text, slots=slots_of(text), valid_at=day, created_at=day,
            episode=Episode(session=night[-1].session), importance=0.8, source="summary",
        )  # fmt: skip
        await self._store.add([fact])

    async def memories(
        self,
        party: Party,
        seat: Seat,
        day: float,
        query: str = "",
        session: int | None = None,
        *,
        most: int = 50,
    ) -> list[Remembered]:
        """What a player believes on a day: of a session, of a query, or of everything, newest first."""
        groups, when = [CAMPAIGN, agent_group(seat.agent)], When(known_at=day)
        if session is not None:
            facts = await self._store.in_sessions(groups, session, session, when, most)
        elif query:
            hits = await self._store.words(query, groups, when, most)
            facts = await self._store.get([hit.id for hit in hits])
        else:
            facts = await self._store.as_of(groups, when, most=most)
        beliefs = await self._believed(party, seat, facts, day)
        return [Remembered(fact=fact, belief=belief) for fact, belief in zip(facts, beliefs, strict=True)]

    async def _believed(self, party: Party, seat: Seat, facts: Sequence[Fact], day: float) -> list[Belief]:
        mind = mind_of(party, seat)
        groups = [CAMPAIGN, agent_group(seat.agent)]
        told = await self._store.rehearsals(seat.agent, [fact.id for fact in facts], until=day)
        if not mind.strength:
            return [recall(mind, fact, day, told.get(fact.id, [])) for fact in facts]
        near = [await self._store.similar(fact, groups, before=day) for fact in facts]
        return [recall(mind, fact, day, told.get(fact.id, []), n) for fact, n in zip(facts, near, strict=True)]


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
            text = f"{event.get('name')} said: {_said(text)}"
            subject, predicate, weight, many = str(event.get("npc")), f"told:{event.get('topic')}", 0.5, False
        case _:
            return None
    return Fact(
        id=id, group=CAMPAIGN, subject=subject, predicate=predicate, value=text, text=text, slots=slots_of(text),
        valid_at=day, created_at=day, episode=Episode(session=session, turn=turn), importance=weight, source="event",
        source_id=f"turn {turn} at {place}", many=many,
    )  # fmt: skip


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nowhere"


def _said(text: str) -> str:
    """The first thing someone said, as people quote it afterwards."""
    quoted = re.findall(r"[\"“]([^\"”]+)[\"”]", text)
    first = " ".join(sentences(quoted[0])[:2]) if quoted else (sentences(text) or [text])[0]
    return f"“{shorten(first, 140)}”" if quoted else shorten(first, 140)


def slots_of(text: str) -> tuple[Slot, ...]:
    """The details of a sentence that can be lost by themselves: its numbers and names."""
    numbers = [Slot(name=f"number{n}", kind="number", text=m[0]) for n, m in enumerate(_NUMBER.finditer(text))]
    names = [Slot(name=f"name{n}", kind="name", text=m[0]) for n, m in enumerate(_NAME.finditer(text))]
    return tuple({slot.text: slot for slot in [*numbers[:2], *names[:3]]}.values())

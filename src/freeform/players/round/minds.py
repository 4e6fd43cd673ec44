"""The party's memory at work: what each player recalls for a round, and what a round leaves
behind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import GameState
from freeform.players.memory.ask_memory import MemoryQuestion, Tell, ask_memory
from freeform.players.memory.consolidation import end_of_session
from freeform.players.memory.forgetting import percentile_of
from freeform.players.memory.learning import facts_of_turn, learn
from freeform.players.memory.model import (
    CAMPAIGN,
    SCENE,
    Belief,
    Episode,
    MemoryFact,
    Mind,
    Rehearsal,
    agent_group,
    character_group,
)
from freeform.players.memory.ports import MemoryStore, When
from freeform.players.memory.recall import believe, misremembered
from freeform.players.memory.retelling import say_aloud, spoken_of, what_was_so
from freeform.players.memory.search import embed_facts, find
from freeform.players.memory.views import belief_rows
from freeform.players.mind.sightings import STANDS, deed_fact, deed_id, sightings
from freeform.players.model import Character, Memory, Party, Seat, TableView
from freeform.retrieval.ports import Embedder

WEEK = 7.0
"""Days between two game nights: players forget between evenings, whatever the time in the world."""
IN_PASSING = 7.0
"""Days: what others do and say at a table is held at once like what one learnt on purpose a week
ago. Assumed, not fitted."""
OLDER, NEWEST = 8, 4
"""Memories a player has for a round: those that fit best, and the last ones."""
KEPT, LOOKED_THROUGH, WEIGHTY = 16, 80, 0.6
"""What was learnt lately and mattered so much is on its mind besides, if it fits what lies before
it or not; no more than so many of the newest memories are looked through for it."""
A_MOMENT = 0.02
"""Days: what happened within them is still in the ear, word for word, and need not be
remembered."""
EVERYTHING, MOST_SEEN = 100_000, 200


def memory_day(day: float, session: int) -> float:
    """The day that memory counts: the world's day, and a week for every game night that went by."""
    return round(day + WEEK * (session - 1), 4)


def mind_of(party: Party, seat: Seat) -> Mind:
    """A seat's memory: its persona's traits, the party's strength and seed."""
    traits = seat.persona.traits
    return Mind(
        agent=seat.agent,
        percentile=percentile_of(traits.detail_oriented, traits.base_decay_rate),
        strength=party.strength,
        seed=party.seed,
        law="seed" if party.law == "seed" else "human",
        confidence=traits.confidence,
        passing=IN_PASSING,
        analytical=traits.analytical,
        emotional_memory=traits.emotional_memory,
        detail_oriented=traits.detail_oriented,
        base_decay_rate=traits.base_decay_rate,
    )


def groups_of(seat: Seat) -> list[str]:
    """What a seat may look into: its own, its character's, the party's."""
    return [agent_group(seat.agent), character_group(seat.character.id), CAMPAIGN]


def learnt(
    result: TurnResult, state: GameState, session: int, character: Character
) -> list[MemoryFact]:
    """The facts of a turn, on the day that memory counts. What was said or done is everyone's; what
    one found with its own eyes and hands lies in its own memory until it is told."""
    found = facts_of_turn(result, state, session=session, actor=character.name)
    if not any(event.type in _OPEN for event in result.engine_events):
        own = character_group(character.id)
        private = {"group": own}
        found = [
            fact.model_copy(update=private)
            if fact.predicate in _SEEN or fact.id in _found(result)
            else fact
            for fact in found
        ]
    shift = {fact.id: memory_day(fact.created_at, session) for fact in found}
    return [
        fact.model_copy(update={"valid_at": shift[fact.id], "created_at": shift[fact.id]})
        for fact in found
    ]


_OPEN = frozenset({"told", "said", "moved", "shown", "outcome", "ending"})
"""What happens before everybody's eyes."""
_SEEN = frozenset({"discovered"})


def _found(result: TurnResult) -> set[str]:
    """The ids of the facts that a look or a search brought."""
    return {
        f"{result.turn_id}.{n}"
        for n, event in enumerate(result.engine_events)
        if event.type == "fact_learned"
    }


@dataclass(frozen=True)
class Recollection:
    """What comes to a player's mind in a round."""

    memories: list[Memory]
    slipped: frozenset[str] = frozenset()
    """Names that it was told and no longer has; told to nobody, not even to its own player."""
    wrong_sights: Sequence[Belief] = ()
    """Sightings that it has otherwise than they were."""
    undone: frozenset[str] = frozenset()
    """Deeds of which it no longer knows that they were done."""
    truths: Mapping[str, str] = field(default_factory=dict)
    """What was so, of those memories that are wrong; told to no pass."""


def _as_memories(beliefs: Sequence[Belief], facts: Mapping[str, MemoryFact]) -> list[Memory]:
    return [
        Memory(
            fact_id=b.fact_id,
            believed=b.believed,
            confidence=round(b.confidence, 3),
            importance=facts[b.fact_id].importance,
            day=facts[b.fact_id].created_at,
            own=facts[b.fact_id].group != CAMPAIGN,
            sight=facts[b.fact_id].predicate in _SEEN,
        )
        for b in beliefs
    ]


def _slipped(beliefs: Sequence[Belief]) -> frozenset[str]:
    lost = {a.truth for b in beliefs for a in b.audit if a.level and a.kind in ("name", "place")}
    held = " ".join(b.believed for b in beliefs)
    return frozenset(name for name in lost if name not in held)


def _seen_again(deed: str, agent: str, day: float, session: int) -> Rehearsal:
    """A deed that is done once more is fresh in everyone's mind."""
    return Rehearsal(agent=agent, fact_id=deed, day=day, how="told", session=session)


class Minds:
    """Facts in, beliefs out. The store holds the truth; what a pass is told is always a belief."""

    def __init__(self, store: MemoryStore, embedder: Embedder | None = None) -> None:
        self.store, self._embedder = store, embedder
        self._unread: list[MemoryFact] | None = None
        """Facts without a vector yet; None: nobody has looked."""

    async def ask(
        self,
        party: Party,
        seat: Seat,
        question: MemoryQuestion,
        mind: Mind,
        day: float,
        tell: Tell | None = None,
    ) -> dict[str, Any]:
        """The document of `party memory`: what that mind believes, on a day of the world."""
        if question.query.strip():
            await self._read_up(party)
        now = memory_day(day, party.session)
        return await ask_memory(
            question, mind, [*groups_of(seat), SCENE], self.store, self._embedder, now, tell
        )

    async def rows(
        self, party: Party, today: float, at: float | None = None
    ) -> list[dict[str, Any]]:
        """Every detail of everything that every player believes, today or on a day, as tidy
        rows."""
        day = memory_day(today, party.session) if at is None else at
        found: list[dict[str, Any]] = []
        for seat in party.seats:
            groups = [*groups_of(seat), SCENE]
            facts = await self.store.as_of(groups, When(known_at=day), most=EVERYTHING)
            beliefs = await believe(mind_of(party, seat), facts, day, groups, self.store)
            found += belief_rows(beliefs, facts)
        return found

    async def recall(
        self, party: Party, seat: Seat, about: str, table: TableView, session: int
    ) -> Recollection:
        """What a player remembers of that: what fits best of what is no longer in the ear, the
        newest besides, and what mattered lately; what of it has slipped its mind; where it
        believes to have seen things; and what it would do again."""
        if party.law == "none":
            return Recollection(memories=[])
        groups, now = groups_of(seat), memory_day(table.day, session)
        when = When(known_at=now)
        await self._read_up(party)
        found = [
            fact
            for fact, _ in await find(about, groups, self.store, self._embedder, when, 3 * OLDER)
        ]
        best = [fact for fact in found if fact.created_at < now - A_MOMENT]
        best.sort(key=lambda fact: fact.importance < WEIGHTY)
        lately = await self.store.recent(groups, 0.0, when, LOOKED_THROUGH)
        fresh = [fact for fact in lately[:NEWEST] if fact.created_at >= now - WEEK]
        kept = [fact for fact in lately if fact.importance >= WEIGHTY][:KEPT]
        all = [*best[:OLDER], *fresh, *kept]
        both = {fact.id: fact for fact in all}
        mind = mind_of(party, seat)
        beliefs = await believe(mind, list(both.values()), now, groups, self.store)
        await self.store.note(beliefs)  # figures are of what came up in play, not of who looked
        return Recollection(
            memories=_as_memories(beliefs, both),
            slipped=_slipped(beliefs),
            wrong_sights=await self._misplaced(mind, now),
            undone=await self._undone(mind, table, now),
            truths=await what_was_so(beliefs, both, self.store),
        )

    async def _misplaced(self, mind: Mind, now: float) -> list[Belief]:
        """Sightings that this player has otherwise than they were."""
        when = When(known_at=now)
        seen = await self.store.as_of([SCENE], when, predicate=STANDS, most=MOST_SEEN)
        return await misremembered(mind, seen, now, [SCENE], self.store)

    async def _undone(self, mind: Mind, table: TableView, now: float) -> frozenset[str]:
        """Deeds that could be done here again, of which it has forgotten that they were done."""
        done = [option.text for option in table.over]
        for who in table.people:
            done += [deed for deed in table.done if who in deed]
        deeds = await self.store.get([deed_id(deed) for deed in dict.fromkeys(done)])
        forgot = await misremembered(mind, deeds, now, [SCENE], self.store)
        return frozenset(belief.audit[0].truth for belief in forgot)

    async def trail(
        self, party: Party, root: MemoryFact, day: float, session: int
    ) -> tuple[list[MemoryFact], list[Belief]]:
        """A fact with all that was claimed of it, and of that in turn; and how each player who may
        know of it has it on that day."""
        now = memory_day(day, session)
        groups = list(dict.fromkeys([CAMPAIGN, root.group]))
        about = await self.store.as_of(
            groups, When(known_at=now), root.subject, root.predicate, EVERYTHING
        )
        chain, told = [root], {root.id}
        for fact in sorted(about, key=lambda fact: (fact.created_at, fact.id)):
            if fact.claim_of in told:
                chain.append(fact)
                told.add(fact.id)
        held = []
        for seat in party.seats:
            own = [*groups_of(seat), SCENE]
            if root.group in own:
                held += await believe(mind_of(party, seat), [root], now, own, self.store)
        return chain, held

    async def of_claims(
        self, party: Party, seat: Seat, ids: Sequence[str], day: float, session: int
    ) -> list[Memory]:
        """What a player remembers of things that somebody else has just told; nothing of what it
        may not know."""
        groups = groups_of(seat)
        known = [fact for fact in await self.store.get(ids) if fact.group in groups]
        return await self._remembered(party, seat, known, memory_day(day, session))

    async def _remembered(
        self, party: Party, seat: Seat, facts: Sequence[MemoryFact], now: float
    ) -> list[Memory]:
        by_id = {fact.id: fact for fact in facts}
        beliefs = await believe(
            mind_of(party, seat), list(by_id.values()), now, groups_of(seat), self.store
        )
        return _as_memories(beliefs, by_id)

    async def look(
        self, party: Party, table: TableView, session: int, deeds: Mapping[str, str]
    ) -> None:
        """Writes down what was done, by turn, and what is in sight. Who comes back to a place sees
        it again; who stays there notes what is new."""
        day, agents = memory_day(table.day, session), [seat.agent for seat in party.seats]
        done = [deed_fact(deed, turn, day, session) for turn, deed in deeds.items()]
        wanted = [fact.id for fact in done]
        before = {fact.id for fact in await self.store.get(wanted)}
        await learn(done, self.store, agents)
        again = [fact.id for fact in done if fact.id in before]
        await self.store.rehearse(
            [_seen_again(id, a, day, session) for id in again for a in agents]
        )
        facts = sightings(table, day, session)
        if table.stay:
            await self.store.add(facts)
        else:
            await learn(facts, self.store, agents)

    async def keep(
        self,
        party: Party,
        round: int,
        session: int,
        day: float,
        facts: Sequence[MemoryFact],
        ooc: list[dict[str, Any]],
    ) -> dict[str, int]:
        """Writes what happened, and what telling a memory did to it. Doing it twice changes
        nothing."""
        now, agents = memory_day(day, session), [seat.agent for seat in party.seats]
        await learn(facts, self.store, agents)
        wrong = told = 0
        self._note(facts)
        for row in ooc:
            seat = party.seat(row["agent"])
            told_of = row["memory"] or row.get("disputes", "")
            ids = [told_of] if told_of else spoken_of(row["content"], row.get("memories", []))[:1]
            held = await self.store.get(ids)
            for belief in await believe(
                mind_of(party, seat), held, now, groups_of(seat), self.store
            ):
                claims, rehearsals = say_aloud(
                    belief, held[0], speaker=seat.agent, name=seat.persona.name, hearers=agents,
                    day=now, episode=Episode(session=session), group=CAMPAIGN,
                    id=f"r{round}.{row['round']}.{seat.agent}.said", no=round * 100 + row["round"] * 10,
                )  # fmt: skip
                await self.store.add(claims)
                self._note(claims)
                await self.store.rehearse(rehearsals)
                told, wrong = told + 1, wrong + (not belief.correct)
        return {"facts": len(facts), "told": told, "told_wrong": wrong}

    async def consolidate(self, party: Party, session: int, day: float) -> None:
        """The end of a game night: what mattered is told again, and becomes one summary."""
        await end_of_session(
            session, memory_day(day, session), [seat.agent for seat in party.seats], self.store
        )
        self._unread = None

    def _note(self, facts: Sequence[MemoryFact]) -> None:
        if self._unread is not None:
            self._unread += facts

    async def _read_up(self, party: Party) -> None:
        """Gives new facts their vectors, where there is an embedder: all that lack one the first
        time, then the rest."""
        if self._embedder is None:
            return
        if self._unread is None:
            groups = dict.fromkeys(group for seat in party.seats for group in groups_of(seat))
            await embed_facts(list(groups), self.store, self._embedder)
        elif self._unread:
            vectors = await self._embedder.embed([fact.text for fact in self._unread])
            await self.store.add_vectors(
                self._embedder.name,
                [(fact.id, v) for fact, v in zip(self._unread, vectors, strict=True)],
            )
        self._unread = []

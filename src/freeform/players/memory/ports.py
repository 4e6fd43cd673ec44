"""What memory needs from outside: a store of facts and rehearsals. It knows no beliefs, only what
was true and lived.

Every query names the groups it may look into; a store never looks further, and no groups means no
facts.
"""

from collections.abc import Sequence
from typing import Protocol

from freeform.core.record import Record
from freeform.players.memory.model import Belief, MemoryFact, RecallFigures, Rehearsal
from freeform.retrieval.ports import Hit, Vector


class When(Record):
    """Two moments. `known_at`: facts the holders knew then. `valid_at`: facts that held then; None:
    at any time."""

    known_at: float | None = None
    valid_at: float | None = None


class MemoryStore(Protocol):
    """Keeps facts for good. Adding closes older facts of the same group, subject and predicate;
    nothing is deleted."""

    async def add(self, facts: Sequence[MemoryFact]) -> list[str]:
        """Writes facts in order, all or nothing; ids already there are left as they are. Gives the
        ids of facts that were closed: same group, subject and predicate, another value, neither a
        claim nor `many`."""
        ...

    async def get(self, ids: Sequence[str]) -> list[MemoryFact]:
        """These facts, in this order; unknown ids are left out."""
        ...

    async def in_sessions(
        self, groups: Sequence[str], first: int, last: int, when: When | None = None, most: int = 10
    ) -> list[MemoryFact]:
        """Facts of these sessions: most important first, then newest."""
        ...

    async def recent(
        self, groups: Sequence[str], since: float, when: When | None = None, most: int = 10
    ) -> list[MemoryFact]:
        """Facts learnt since that day: newest first."""
        ...

    async def as_of(
        self,
        groups: Sequence[str],
        when: When,
        subject: str = "",
        predicate: str = "",
        most: int = 100,
    ) -> list[MemoryFact]:
        """Facts as they were known, and as they held, at some moment: those learnt last first."""
        ...

    async def words(
        self, query: str, groups: Sequence[str], when: When | None = None, most: int = 50
    ) -> list[Hit]:
        """The best facts by their words, and less by those of the facts around them in their
        session. Texts of other groups change neither the hits nor their scores."""
        ...

    async def near(
        self,
        vector: Vector,
        model: str,
        groups: Sequence[str],
        when: When | None = None,
        most: int = 50,
        beside: float = 0.0,
    ) -> list[Hit]:
        """The best facts by cosine, exactly; with `beside`, plus that share of the cosines of the
        facts learnt right before and after each in its session."""
        ...

    async def add_vectors(self, model: str, vectors: Sequence[tuple[str, Vector]]) -> None:
        """Vectors by fact id."""
        ...

    async def without_vector(
        self, model: str, groups: Sequence[str], most: int
    ) -> list[MemoryFact]:
        """Some facts that have no vector of that model yet."""
        ...

    async def similar(
        self, fact: MemoryFact, groups: Sequence[str], before: float, most: int = 8
    ) -> list[MemoryFact]:
        """Other facts about the same subject or with the same predicate, learnt up to that day:
        those learnt nearest in time to the fact first. What is learnt later never changes the
        answer for an earlier day."""
        ...

    async def rehearse(self, rehearsals: Sequence[Rehearsal]) -> None:
        """Notes that facts were told again or said. The same rehearsal (agent, fact, day, how, no)
        counts once."""
        ...

    async def rehearsals(
        self, agent: str, fact_ids: Sequence[str], until: float | None = None
    ) -> dict[str, list[Rehearsal]]:
        """An agent's rehearsals of these facts up to that day, oldest first."""
        ...

    async def note(self, beliefs: Sequence[Belief]) -> None:
        """Keeps figures on what an agent last made of each fact: the error, and how sure. Never the
        belief itself."""
        ...

    async def figures(self, agent: str) -> RecallFigures:
        """What became of the facts that were asked for: how many of each error, and sure against
        right."""
        ...

    async def count(self, groups: Sequence[str]) -> int:
        """How many facts these groups hold, closed ones included."""
        ...

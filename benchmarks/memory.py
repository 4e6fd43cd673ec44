"""How fast memory answers: structured questions at 2,500 and 1,000,000 facts, semantic ones at 50,000 of one agent.

    python benchmarks/memory.py [--sizes 2500 1000000] [--semantic 50000] [--models HOME/models] [--json]

A fact is a sentence of a vocabulary with the skew of real language; the seed is fixed. 2,500 facts are the design's
simulated campaign: four agents, fifty sessions. A million are four hundred such agents. Vectors are random unit ones
(embedding 50,000 sentences would measure the embedder); where a model is at hand, the query's own embedding is timed
apart, and within the search, with English questions. `cpu` is the process's own time: on a busy machine the wall clock
says little. Beside our figures stand those the design quotes for Neo4j with its composite indexes, at 2,500 edges.
"""

import argparse
import asyncio
import json
import tempfile
from bisect import bisect
from collections.abc import Awaitable, Callable
from itertools import accumulate
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from freeform.adapters.embeddings.minilm import MiniLmEmbedder, folder_in
from freeform.adapters.sqlite.memory.memories import SqliteMemories
from freeform.core.chance import Chance
from freeform.players.memory.model import Belief, Episode, MemoryFact, Mind, Slot
from freeform.players.memory.ports import When
from freeform.players.memory.recall import believe
from freeform.players.memory.search import AskedBefore, MemoryTuning, rank

SEED = 20912
SESSIONS, PER_SESSION = 50, 50
NEO4J = {
    "agent + sessions": 120,
    "semantic": 180,
    "recent (3 sessions)": 45,
    "corruption analytics": 80,
}
TRIES = 300
MODEL = "random"
ENGLISH = (
    "What did Agent Chen say about the courier?", "Where does Viktor keep the key to the office?",
    "Who paid for the shard, and when?", "When did Jin leave the bar on Monday?", "What is behind the door of the yard?",
)  # fmt: skip
"""Questions as players ask them: about eleven word pieces. Made-up words would break into twice as many."""
_SYLLABLES = (
    "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu sta bre cli dro fle gri".split()
)
_ERRORS = (
    None,
    None,
    None,
    "detail_drift",
    "conflation",
    "simplification",
    "emotional_coloring",
    "false_confidence",
)


class Writer:
    """Sentences of about 12 words out of 20,000, the nth used about 1/n as often as the first."""

    def __init__(self) -> None:
        chance = Chance(SEED, "words")
        self.words = [
            "".join(chance.choose(_SYLLABLES) for _ in range(2 + n % 3)) + str(n % 7 or "")
            for n in range(20_000)
        ]
        self.sums = list(accumulate(1 / (n + 2.7) for n in range(len(self.words))))

    def draw(self, chance: Chance, count: int, skip: int = 0) -> list[str]:
        """Some words; `skip` leaves out the most common, as a question does."""
        low = self.sums[skip - 1] if skip else 0.0
        return [
            self.words[bisect(self.sums, low + chance.fraction() * (self.sums[-1] - low))]
            for _ in range(count)
        ]


def fact(writer: Writer, agent: int, n: int, chance: Chance) -> MemoryFact:
    """The nth fact of an agent: 50 a session, a session a week."""
    session = n // PER_SESSION
    words = writer.draw(chance, 12)
    text = f"{' '.join(words).capitalize()} {n % 90 + 10} coins."
    return MemoryFact(
        id=f"a{agent}.{n}",
        group=f"agent_{agent}",
        subject=f"thing_{chance.die(200)}",
        predicate=chance.choose(
            ("offered", "told", "is_at", "owes", "met", "held_by", "fears", "knows")
        ),
        value=str(n),
        text=text,
        slots=(Slot(name="number_1", kind="number", text=f"{n % 90 + 10} coins"),),
        valid_at=7.0 * session,
        created_at=7.0 * session + (n % PER_SESSION) / PER_SESSION,
        episode=Episode(session=session + 1, turn=n),
        importance=chance.die(100) / 100,
        many=chance.fraction() < 0.7,
    )


async def fill(store: SqliteMemories, facts: int, per_agent: int) -> int:
    """So many facts, agent by agent; how many agents there are."""
    writer, agents = Writer(), max(1, facts // per_agent)
    for agent in range(agents):
        chance = Chance(SEED, "facts", agent)
        rows = [fact(writer, agent, n, chance) for n in range(per_agent)]
        await store.add(rows)
        await store.note([noted(agent, row, chance) for row in rows])
    return agents


def noted(agent: int, row: MemoryFact, chance: Chance) -> Belief:
    """A belief to count."""
    error: Any = chance.choose(_ERRORS)
    sure = chance.die(100) / 100
    return Belief(
        agent=str(agent),
        fact_id=row.id,
        day=400,
        believed="",
        confidence=sure,
        corruption_type=error,
        truth="",
    )


async def timed(
    name: str, ask: Callable[[Chance], Awaitable[Any]], tries: int = TRIES
) -> dict[str, Any]:
    """p50 and p95 of the wall clock and of the process's own time, in ms."""
    chance = Chance(SEED, "ask", name)
    for _ in range(10):
        await ask(chance)
    wall, cpu = [], []
    for _ in range(tries):
        began, spent = perf_counter(), process_time()
        await ask(chance)
        wall.append(1000 * (perf_counter() - began))
        cpu.append(1000 * (process_time() - spent))
    row = {"query": name, "neo4j_ms_2500": NEO4J.get(name)}
    for label, values in (("wall", wall), ("cpu", cpu)):
        row |= {
            f"{label}_{p}": round(sorted(values)[int(len(values) * p / 100)], 3) for p in (50, 95)
        }
    return row


async def structured(facts: int, folder: Path) -> dict[str, Any]:
    """The structured classes over so many facts."""
    store = SqliteMemories(folder / f"m{facts}.db")
    per_agent = SESSIONS * PER_SESSION // 4 if facts <= 10_000 else SESSIONS * PER_SESSION
    began = perf_counter()
    agents = await fill(store, facts, per_agent)
    loaded = perf_counter() - began
    last = per_agent // PER_SESSION
    now = 7.0 * last

    def who(chance: Chance) -> list[str]:
        return [f"agent_{chance.die(agents) - 1}"]

    async def sessions(chance: Chance) -> None:
        first = chance.die(max(1, last - 5))
        await store.in_sessions(who(chance), first, first + 5, When(known_at=now))

    async def recent(chance: Chance) -> None:
        await store.recent(who(chance), 7.0 * (last - 3), When(known_at=now))

    async def as_of(chance: Chance) -> None:
        await store.as_of(
            who(chance),
            When(known_at=7.0 * chance.die(last), valid_at=7.0 * chance.die(last)),
            most=10,
        )

    async def about(chance: Chance) -> None:
        await store.as_of(
            who(chance), When(known_at=now), subject=f"thing_{chance.die(200)}", most=10
        )

    async def analytics(chance: Chance) -> None:
        await store.figures(str(chance.die(agents) - 1))

    async def alike(chance: Chance) -> None:
        (one,) = await store.get([f"a{chance.die(agents) - 1}.{chance.die(per_agent) - 1}"])
        await store.similar(one, [one.group], before=now)

    async def believed(chance: Chance) -> None:
        group = who(chance)
        mind = Mind(agent=group[0], strength=1.0)
        await believe(mind, await store.recent(group, 0, most=10), now + 90, group, store)

    rows = [
        await timed("agent + sessions", sessions),
        await timed("recent (3 sessions)", recent),
        await timed("as-of day and validity", as_of),
        await timed("as-of one subject", about),
        await timed("corruption analytics", analytics),
        await timed("similar facts", alike),
        await timed("10 beliefs, with neighbours", believed),
    ]
    size = (folder / f"m{facts}.db").stat().st_size
    await store.close()
    return {
        "facts": facts,
        "agents": agents,
        "load_s": round(loaded, 1),
        "mb": round(size / 1e6, 1),
        "rows": rows,
    }


async def semantic(facts: int, folder: Path, models: Path | None) -> dict[str, Any]:
    """Words, vectors and both over so many facts of one agent."""
    store = SqliteMemories(folder / f"s{facts}.db")
    writer = Writer()
    chance = Chance(SEED, "facts", 0)
    rows = [fact(writer, 0, n, chance) for n in range(facts)]
    await store.add(rows)
    numbers = np.random.default_rng(SEED).standard_normal((facts, 384), dtype=np.float32)
    numbers /= np.linalg.norm(numbers, axis=1, keepdims=True)
    await store.add_vectors(MODEL, [(row.id, numbers[n].tobytes()) for n, row in enumerate(rows)])
    group, when = ["agent_0"], When(known_at=1e9)

    class Ready:
        """Gives vectors at once: the model's own time is another row."""

        name = MODEL

        async def embed(self, texts: Any) -> list[bytes]:
            return [numbers[len(text) % facts].tobytes() for text in texts]

    def question(chance: Chance) -> str:
        return " ".join(writer.draw(chance, 6, skip=40))

    async def words(chance: Chance) -> None:
        await store.words(question(chance), group, when, 200)

    async def near(chance: Chance) -> None:
        await store.near(numbers[chance.die(facts) - 1].tobytes(), MODEL, group, when, 200, 0.5)

    async def both(chance: Chance) -> None:
        await rank(question(chance), group, store, Ready(), when, MemoryTuning())

    rows_ = [
        await timed("words", words),
        await timed("vectors", near),
        await timed("semantic", both),
    ]
    if models is not None:
        embedder = MiniLmEmbedder(folder_in(models))

        async def embedding(chance: Chance) -> None:
            await embedder.embed([chance.choose(ENGLISH)])

        rows_.append(await timed("embedding the query", embedding, 60))

        class Real:
            """The vectors in the store are random, the time it takes to make one is not."""

            name = MODEL

            async def embed(self, texts: Any) -> list[bytes]:
                return await embedder.embed([ENGLISH[len(text) % len(ENGLISH)] for text in texts])

        async def asked_first(chance: Chance) -> None:
            await rank(question(chance), group, store, Real(), when, MemoryTuning())

        again = AskedBefore(Real())

        async def asked_by_four(chance: Chance) -> None:
            words = question(chance)
            for _ in range(4):
                await rank(words, group, store, again, when, MemoryTuning())

        rows_.append(await timed("semantic, question embedded", asked_first, 100))
        rows_.append(await timed("the same for four agents", asked_by_four, 40))
    await store.close()
    return {"facts": facts, "rows": rows_}


async def main() -> None:
    """Prints a table, or JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[2_500, 1_000_000])
    parser.add_argument("--semantic", type=int, nargs="*", default=[2_500, 50_000])
    parser.add_argument("--models", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = {
            "structured": [await structured(size, Path(folder)) for size in given.sizes],
            "semantic": [
                await semantic(size, Path(folder), given.models) for size in given.semantic
            ],
        }
    if given.json:
        print(json.dumps(found, indent=2))
        return
    for kind, results in found.items():
        for result in results:
            about = {key: value for key, value in result.items() if key != "rows"}
            print(
                f"\n{kind}: {about}\n{'query':<30}{'p50 ms':>9}{'p95 ms':>9}{'cpu p50':>9}{'cpu p95':>9}{'Neo4j*':>9}"
            )
            for row in result["rows"]:
                figures = "".join(
                    f"{row[key]:>9.3f}" for key in ("wall_50", "wall_95", "cpu_50", "cpu_95")
                )
                print(f"{row['query']:<30}{figures}{row['neo4j_ms_2500'] or '':>9}")
    print("\n* as the design quotes it for 2,500 edges with composite indexes; not measured here")


if __name__ == "__main__":
    asyncio.run(main())

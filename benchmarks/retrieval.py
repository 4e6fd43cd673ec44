"""How fast the index is at 1,000, 10,000 and 100,000 passages: indexing, queries with their embedding, memory.

    python benchmarks/retrieval.py --models MODELS_FOLDER [--sizes 1000 10000] [--json]

Texts are made of a vocabulary with the skew of real language; the seed is fixed. Passages get random unit vectors
(embedding 100,000 would only measure the embedder, which has its own line); queries are embedded for real. On a busy
machine the wall clock says little: the `cpu` rows are the process's own time, all threads together.
"""

import argparse
import asyncio
import json
import resource
import sys
import tempfile
from bisect import bisect
from itertools import accumulate
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from freeform.adapters.embeddings.minilm import MiniLmEmbedder, folder_in
from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.chance import Chance
from freeform.core.clock import SystemClock
from freeform.retrieval.chunking import chunk_document
from freeform.retrieval.indexing import index_documents
from freeform.retrieval.model import GM, PLAYER, Document, DocumentSection, LoreRetrievalQuery
from freeform.retrieval.search import Search

SEED = 20911
CLOCK = SystemClock()


def vocabulary(models: Path) -> list[str]:
    """Some 21,000 English words, the most common first: the whole words the embedder knows."""
    pieces = (folder_in(models) / "vocab.txt").read_text(encoding="utf-8").split()
    return [word for word in pieces if word.isascii() and word.isalpha() and len(word) > 2]


class Writer:
    """Draws words as language does: the nth word is used about 1/n as often as the first."""

    def __init__(self, words: list[str]) -> None:
        self.chance = Chance(SEED, "retrieval")
        self.words = words
        self.sums = list(accumulate(1 / (rank + 2.7) for rank in range(len(self.words))))

    def draw(self, chance: Chance, count: int, skip: int = 0) -> list[str]:
        """Some words; `skip` leaves out the most common, as a question does."""
        low = self.sums[skip - 1] if skip else 0.0
        return [
            self.words[bisect(self.sums, low + chance.fraction() * (self.sums[-1] - low))]
            for _ in range(count)
        ]

    def document(self, number: int) -> Document:
        """An entry with an overview and three sections, one of them for the game master."""
        chance = self.chance.at("document", number)
        name = " ".join(self.draw(chance, 2, skip=200)).title()
        sections = [
            DocumentSection(
                path=f"{name} > {heading}" if heading else name,
                heading=heading or name,
                level=2 if heading else 1,
                text=" ".join(self.draw(chance, 120 + chance.die(120))) + ".",
                gm_only=heading == "Secrets",
            )
            for heading in ("", "History", "People", "Secrets")
        ]
        return Document(
            pack_id="bench",
            id=f"entry_{number}",
            type=chance.choose(["location", "npc", "faction", "history"]),
            name=name,
            tags=self.draw(chance, 3, skip=1000),
            related_entities=[f"entry_{chance.die(number + 1)}"],
            file_path=f"entry_{number}.md",
            sections=sections,
        )

    def question(self, number: int) -> str:
        """Three to nine words, some of them common."""
        chance = self.chance.at("question", number)
        return " ".join(
            self.draw(chance, 2 + chance.die(4), skip=300) + self.draw(chance, chance.die(3))
        )


def percentile(values: list[float], share: float) -> float:
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))], 2)


async def measure(
    size: int, writer: Writer, embedder: MiniLmEmbedder, queries: int
) -> dict[str, Any]:
    """One row of the table."""
    documents = [writer.document(n) for n in range(size // 4)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "index.db"
        index = SqlitePassages(file)
        began, cpu = CLOCK.ticks(), process_time()
        made = await index_documents(documents, "bench", index, CLOCK)
        words_seconds, cpu_seconds = CLOCK.ticks() - began, process_time() - cpu
        rng = np.random.default_rng(SEED)
        ids = [chunk.embedding_id for document in documents for chunk in chunk_document(document)]
        for start in range(0, len(ids), 5000):
            part = ids[start : start + 5000]
            rows = rng.standard_normal((len(part), 384), dtype=np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            await index.write(
                [],
                [],
                {id: row.tobytes() for id, row in zip(part, rows, strict=True)},
                embedder.name,
            )
        search = Search(index, CLOCK, embedder)
        began = CLOCK.ticks()
        await search.search(LoreRetrievalQuery(keywords="warm up"), GM)
        first = CLOCK.ticks() - began
        times: dict[str, list[float]] = {"all": [], "player": [], "scene": [], "pack": []}
        cpu_times: dict[str, list[float]] = {kind: [] for kind in times}
        for n in range(queries):
            text = writer.question(n)
            asked = {
                "all": (LoreRetrievalQuery(keywords=text), GM),
                "player": (LoreRetrievalQuery(keywords=f"{text} now"), PLAYER),
                "scene": (
                    LoreRetrievalQuery(
                        keywords=f"{text} here",
                        location_id=f"entry_{n}",
                        entity_ids=[f"entry_{n + 1}"],
                    ),
                    GM,
                ),
                "pack": (
                    LoreRetrievalQuery(keywords=f"{text} there", packs=["bench"], types=["npc"]),
                    GM,
                ),
            }
            for kind, (query, viewer) in asked.items():
                began, cpu = CLOCK.ticks(), process_time()
                await search.search(query, viewer)
                times[kind].append((CLOCK.ticks() - began) * 1000)
                cpu_times[kind].append((process_time() - cpu) * 1000)
        return {
            "chunks": made.chunks,
            "tokens": made.tokens,
            "index_per_s": round(made.chunks / words_seconds),
            "index_per_cpu_s": round(made.chunks / cpu_seconds),
            "file_mb": round(file.stat().st_size / 1e6, 1),
            "first_query_ms": round(first * 1000, 1),
            **{f"{kind}_p50_ms": percentile(values, 0.5) for kind, values in times.items()},
            **{f"{kind}_p95_ms": percentile(values, 0.95) for kind, values in times.items()},
            **{
                f"{kind}_cpu_p95_ms": percentile(values, 0.95) for kind, values in cpu_times.items()
            },
            "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        }


async def embedding_rate(writer: Writer, embedder: MiniLmEmbedder, count: int) -> dict[str, Any]:
    """How long the embedder takes by itself."""
    texts = [c.embedded_text for n in range(count) for c in chunk_document(writer.document(n))][
        :count
    ]
    await embedder.embed(["warm up"])
    began = CLOCK.ticks()
    await embedder.embed(texts)
    rate = count / (CLOCK.ticks() - began)
    times = []
    for n in range(100):
        began = CLOCK.ticks()
        await embedder.embed([writer.question(n)])
        times.append((CLOCK.ticks() - began) * 1000)
    return {
        "embed_chunks_per_s": round(rate, 1),
        "query_embed_p50_ms": percentile(times, 0.5),
        "query_embed_p95_ms": percentile(times, 0.95),
    }


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", type=Path, default=Path(".models"))
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument(
        "--embed", type=int, default=100, help="passages embedded to measure the embedder"
    )
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    folder = folder_in(asked.models)
    if reason := MiniLmEmbedder.missing(folder):
        sys.exit(reason)
    embedder, writer = MiniLmEmbedder(folder), Writer(vocabulary(asked.models))
    report = {
        "seed": SEED,
        "embedder": await embedding_rate(writer, embedder, asked.embed),
        "sizes": [],
    }
    report["sizes"] = [await measure(size, writer, embedder, asked.queries) for size in asked.sizes]
    if asked.json:
        print(json.dumps(report, indent=2))
        return
    print("  ".join(f"{key} {value}" for key, value in report["embedder"].items()))
    for key in report["sizes"][0]:
        print(f"{key:20}" + "".join(f"{row[key]:>14}" for row in report["sizes"]))


if __name__ == "__main__":
    asyncio.run(main())

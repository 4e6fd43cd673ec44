"""Vectors in Chroma beside vectors in SQLite: loading, first question, questions with and without filters, recall.

    python benchmarks/chroma.py [--size 10000] [--queries 50] [--json]

Vectors are made: `even` ones point anywhere (the hardest for an approximate search), `topics` gather around 200
centres and are asked about near one of them, as texts are. The seed is fixed.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from freeform.adapters.chroma.passages import ChromaPassages
from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.clock import SystemClock
from freeform.retrieval.chunking import chunk_document
from freeform.retrieval.indexing import index_documents
from freeform.retrieval.model import GM, PLAYER, Document, DocumentSection
from freeform.retrieval.ports import PassageIndex, Where

SEED, WIDTH, MODEL, BEST = 20911, 384, "made", 10
CLOCK = SystemClock()
ASKED = {
    "all": Where(viewer=GM),
    "player": Where(viewer=PLAYER),
    "type": Where(viewer=GM, types=("npc",)),
}


def document(number: int) -> Document:
    """An entry of four short sections, one of them for the game master."""
    sections = [
        DocumentSection(path=f"{heading} {number}", heading=heading, level=2, text=f"Text {number} of {heading}. " * 12,
                gm_only=heading == "Secrets")
        for heading in ("History", "People", "Places", "Secrets")
    ]  # fmt: skip
    kind = ("location", "npc", "faction", "history")[number % 4]
    return Document(
        pack_id="bench",
        id=f"e{number}",
        type=kind,
        name=f"E{number}",
        file_path="e.md",
        sections=sections,
    )


def unit(rows: Any) -> Any:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype("<f4")


def made(kind: str) -> Callable[[int], Any]:
    """Draws that many vectors of a kind."""
    rng = np.random.default_rng(SEED)
    centres = unit(rng.standard_normal((200, WIDTH)))
    if kind == "even":
        return lambda count: unit(rng.standard_normal((count, WIDTH)))
    return lambda count: unit(
        centres[rng.integers(0, 200, count)] + unit(rng.standard_normal((count, WIDTH)))
    )


async def ask(index: PassageIndex, questions: Any, where: Where) -> tuple[float, list[set[str]]]:
    """Milliseconds in the middle, and what was found."""
    times, found = [], []
    for question in questions:
        began = CLOCK.ticks()
        hits = await index.near(question.tobytes(), MODEL, where, BEST)
        times.append((CLOCK.ticks() - began) * 1000)
        found.append({hit.id for hit in hits})
    return round(sorted(times)[len(times) // 2], 1), found


async def measure(kind: str, size: int, queries: int) -> dict[str, Any]:
    """One column."""
    draw, documents = made(kind), [document(n) for n in range(size // 4)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        held = SqlitePassages(Path(folder) / "a.db")
        await index_documents(documents, "bench", held, CLOCK)
        ids = [chunk.embedding_id for entry in documents for chunk in chunk_document(entry)]
        vectors = {id: row.tobytes() for id, row in zip(ids, draw(len(ids)), strict=True)}
        await held.write([], [], vectors, MODEL)
        questions, row = draw(queries), {"vectors": kind, "passages": len(ids)}
        over = ChromaPassages(held, Path(folder) / "chroma", "a")
        for name, index in (("sqlite", held), ("chroma", over)):
            began, cpu = CLOCK.ticks(), process_time()
            await index.near(questions[0].tobytes(), MODEL, ASKED["all"], BEST)
            row[f"{name}_load_s"] = round(CLOCK.ticks() - began, 2)
            row[f"{name}_load_cpu_s"] = round(process_time() - cpu, 2)
        again = ChromaPassages(held, Path(folder) / "chroma", "a")
        row["chroma_reopen_s"] = (await ask(again, questions[:1], ASKED["all"]))[0] / 1000
        for asked, where in ASKED.items():
            row[f"sqlite_{asked}_p50_ms"], true = await ask(held, questions, where)
            row[f"chroma_{asked}_p50_ms"], found = await ask(over, questions, where)
            shared = sum(len(a & b) for a, b in zip(true, found, strict=True))
            row[f"chroma_{asked}_recall"] = round(shared / sum(map(len, true)), 3)
        await over.close()
        return row


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    report = [await measure(kind, asked.size, asked.queries) for kind in ("even", "topics")]
    if asked.json:
        print(json.dumps(report, indent=2))
        return
    for key in report[0]:
        print(f"{key:22}" + "".join(f"{row[key]:>12}" for row in report))


if __name__ == "__main__":
    asyncio.run(main())

"""What `ask` costs besides the model, and two passes side by side against three routers one after the other.

Over the SRD, one sheet and fifty sessions of notes. Prints a table and JSON.
Run: python benchmarks/ask.py --data DIR [--home DIR] [--rounds 3] [--latency-ms 400]
`--home` takes a home with the SRD installed (and an embedder, if it has one); else one is made for the run, words only.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from freeform.assistant.ask import AskPorts, ask, known_names
from freeform.assistant.entities.gazetteer import Gazetteer
from freeform.assistant.intentions import catalogue
from freeform.assistant.model import TOOLS, Asking
from freeform.assistant.passes import EXTRACTOR, SELECTOR, SelectorInput
from freeform.assistant.rulebook.bring import read_rulebook, write_rulebook
from freeform.core.clock import SystemClock
from freeform.core.llm.gateway import Call
from freeform.core.llm.live_gateway import LiveGateway as Gate
from freeform.core.llm.live_gateway import ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.tape import MemoryTapes
from freeform.engine.authored.library import content_folder
from freeform.engine.shelf import pack_install
from freeform.offline.model import OfflineModel
from freeform.services.librarian import AskWish, Librarian
from freeform.settings import Settings
from freeform.wiring import opened

QUESTIONS = (
    "What combat abilities do I have tied to Eldaryth of Regret?",
    "Remind me who Elara is and what persuasion abilities I have",
    "How does grappling work and what's my athletics bonus?",
    "What does Fireball do?",
    "Which 1st level wizard spells need concentration?",
    "What happened in session 17?",
    "Who is Captain Ferren?",
    "What's the AC of an owlbear?",
    "Compare Fireball and Lightning Bolt",
    "What does being restrained do to my attacks?",
    "How much gold do I have?",
    "Which quests are still open?",
    "What did we decide about the harbor tax?",
    "How far can I jump with my strength?",
    "What is countrspell?",
    "Do Bless and Guidance stack?",
    "What does a level 5 fighter get?",
    "How do legendary actions work?",
    "Which spells do I have prepared?",
    "What do I regain on a long rest?",
)
PEOPLE = "Ferren Odalys Brimm Tasker Yorrel Quenby Halvard Isra Marrow Pellam Sunder Wick Corvane Dray Emmet".split()
TOWNS = "Millbrook Highmoor Saltmere Thornwall Greyhaven Blackfen Oakrest".split()


class Slow:
    """The offline model, as far away as a real one."""

    name = "slow"

    def __init__(self, seconds: float) -> None:
        self.seconds, self.calls, self.inner = seconds, 0, OfflineModel()

    async def reply(self, question, listen=None):  # type: ignore[no-untyped-def]
        self.calls += 1
        await asyncio.sleep(self.seconds)
        return await self.inner.reply(question, listen)


def fifty_sessions(folder: Path) -> None:
    """Notes in the usual shape, fifty evenings of them, always the same."""
    for n in range(1, 51):
        who, other, town = (
            PEOPLE[n % len(PEOPLE)],
            PEOPLE[(n * 7 + 3) % len(PEOPLE)],
            TOWNS[n % len(TOWNS)],
        )
        (folder / f"session-{n:02}.md").write_text(
            f"---\nsession: {n}\n---\n# Session {n}: The road to {town}\n\n"
            f"We came to {town} in the rain and found Captain {who} waiting at the gate. {other} had sold the map.\n\n"
            f"## NPCs\n- **Captain {who}**: keeps the gate of {town}, owes us {n * 3} silver.\n- **{other}**: a trader.\n\n"
            f"## Places\n- **{town}**: a market town with a leaning tower.\n\n"
            f"## Combat\n- Wolves on the road, {n % 5 + 2} of them. {other} hid under the cart.\n\n"
            f"## Decisions\n- We agreed to pay the harbor tax of {town} once and never again.\n\n"
            f"## Quests\n- **The {n}th letter** ({'done' if n % 3 else 'open'}): bring it to {who}.\n",
            encoding="utf-8",
        )


@contextmanager
def home_of(given: str) -> Iterator[Path]:
    if given:
        yield Path(given)
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


async def measure(args: argparse.Namespace, home: Path) -> dict[str, object]:
    settings = Settings.model_validate({"home": home, "model": "offline"})
    demo = content_folder("demo") / "brannoc"
    with tempfile.TemporaryDirectory() as scratch:
        notes = Path(scratch) / "notes"
        notes.mkdir()
        fifty_sessions(notes)
        async with opened(settings) as table:
            librarian = Librarian(settings, table)
            if not any(
                pack.manifest.id.startswith("srd") for pack in librarian.books.shelf.packs()
            ):
                source = Path(args.data) / "srd" / "json"
                made = write_rulebook(read_rulebook(source), Path(scratch) / "srd")
                await pack_install.install(librarian.books, made)
            wish = AskWish(character=str(demo / "sheet.json"), notes=str(notes))
            sources, name = await librarian.sources(wish)
            tapes = MemoryTapes()
            offline, clock = OfflineModel(), SystemClock()
            gate = Gate(ModelsByRole(offline, offline), prompts=bundled(), tapes=tapes, clock=clock)
            ports, asking = AskPorts(gate, clock, Gazetteer()), Asking(character_name=name)
            for question in QUESTIONS:
                await ask(question, sources, ports, asking)
            times: list[float] = []
            cpu: list[float] = []
            stages: dict[str, list[float]] = {}
            for _ in range(args.rounds):
                for question in QUESTIONS:
                    began, spent = time.perf_counter(), time.process_time()
                    answer = await ask(question, sources, ports, asking)
                    times.append((time.perf_counter() - began) * 1000)
                    cpu.append((time.process_time() - spent) * 1000)
                    for stage, ms in answer.timings_ms.items():
                        stages.setdefault(stage, []).append(ms)
            times.sort()
            cpu.sort()
            tables, _ = await ports.gazetteer.tables(sources, "player")
            seconds = args.latency_ms / 1000
            ours, theirs = Slow(seconds), Slow(seconds)
            two = replace(
                ports,
                gateway=Gate(
                    ModelsByRole(ours, offline), prompts=bundled(), tapes=tapes, clock=clock
                ),
            )
            old = Gate(ModelsByRole(theirs, offline), prompts=bundled(), tapes=tapes, clock=clock)
            began = time.perf_counter()
            for question in QUESTIONS[:6]:
                await ask(question, sources, two, asking)
            two_wall = (time.perf_counter() - began) / 6
            began = time.perf_counter()
            for question in QUESTIONS[:6]:
                await routers_then_answer(question, sources, tables, old, ports, asking)
            old_wall = (time.perf_counter() - began) / 6
    return {
        "benchmark": "ask",
        "embedder": librarian.books.embedder is not None,
        "questions": len(times),
        "p50_ms": round(statistics.median(times), 1),
        "p95_ms": round(times[int(0.95 * len(times))], 1),
        "cpu_p50_ms": round(statistics.median(cpu), 1),
        "cpu_p95_ms": round(cpu[int(0.95 * len(cpu))], 1),
        "stages_p50_ms": {stage: round(statistics.median(ms), 2) for stage, ms in stages.items()},
        "latency_ms": args.latency_ms,
        "two_passes": {"calls": ours.calls / 6, "seconds": round(two_wall, 3)},
        "three_routers": {"calls": theirs.calls / 6, "seconds": round(old_wall, 3)},
    }


async def routers_then_answer(question, sources, tables, old, ports, asking) -> None:  # type: ignore[no-untyped-def]
    """The design before: a router for each tool, one after the other, each hearing the names anew; then the answer."""
    for tool in TOOLS:
        known = known_names(question, {tool: tables[tool]} if tool in tables else {})
        await old.ask(
            SELECTOR,
            SelectorInput(
                question=question, present=[tool], known_names=known, intentions=catalogue()
            ),
            Call(),
        )

    class Heard:
        """The routers have chosen and heard already: only the answer is asked of the model."""

        async def ask(self, pass_, input, call, listen=None):  # type: ignore[no-untyped-def]
            gate = ports.gateway if pass_.id in (SELECTOR.id, EXTRACTOR.id) else old
            return await gate.ask(pass_, input, call, listen)

    await ask(question, sources, replace(ports, gateway=Heard()), asking)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--home", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency-ms", type=float, default=400)
    args = parser.parse_args()
    with home_of(args.home) as home:
        row = asyncio.run(measure(args, home))
    print(
        f"{'overhead of ask':24} p50 {row['p50_ms']} ms   p95 {row['p95_ms']} ms   ({row['questions']} questions)"
    )
    print(f"{'of that, CPU':24} p50 {row['cpu_p50_ms']} ms   p95 {row['cpu_p95_ms']} ms")
    for design in ("two_passes", "three_routers"):
        print(f"{design:24} {row[design]['calls']:g} calls   {row[design]['seconds']} s a question")  # type: ignore[index]
    print(json.dumps(row))


if __name__ == "__main__":
    main()

"""The suite `memory`: which turns of very long conversations hold the answer, found without any
model of language.

Each LoCoMo conversation goes into a real store, turn by turn, as an agent would hear it. A
question's gold evidence is a list of turns. Recall at ten is the share of them among the ten best;
for sessions, among the ten best sessions (by their best turn). The search was tuned on the first
two conversations; the figures are of the other eight.
"""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, NamedTuple

from freeform.core.errors import BadFile
from freeform.evals.report import SuiteReport, find_data, mean
from freeform.players.memory.model import Episode, MemoryFact
from freeform.players.memory.ports import MemoryStore
from freeform.players.memory.search import MemoryTuning, embed_facts, rank
from freeform.retrieval.ports import Embedder

TUNED_ON = 2
GROUP = "agent_listener"
AT = (5, 10, 25, 50)
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
OpenStore = Callable[[], AbstractAsyncContextManager[MemoryStore]]


class Turn(NamedTuple):
    """One thing said: `D3:7` is the seventh of the third session."""

    id: str
    session: int
    text: str


class RecallQuestion(NamedTuple):
    """A question and the turns that hold its answer."""

    question: str
    kind: int
    evidence: frozenset[str]


class Conversation(NamedTuple):
    """A whole conversation over months."""

    name: str
    turns: list[Turn]
    asked: list[RecallQuestion]


async def run_memory(
    data: Path | None, open_store: OpenStore, embedder: Embedder | None
) -> SuiteReport:
    """Every scorable question; figures of the eight conversations that were not tuned on."""
    (path, *_) = find_data(data, "locomo", "locomo10.json", "LoCoMo conversations (locomo10.json)")
    cases: list[dict[str, Any]] = []
    for n, talk in enumerate(read_conversations(path)):
        cases += await listen(talk, open_store, embedder, held=n >= TUNED_ON)
    held = [case for case in cases if case["held"]]
    ways = ("words", "both") if embedder else ("words",)
    best = ways[-1]
    metrics: dict[str, Any] = {
        "turn_recall_10": mean(case[best]["turn"]["10"] for case in held),
        "session_recall_10": mean(case[best]["session"]["10"] for case in held),
    }
    for way in ways:
        metrics[way] = {
            **{f"turn_recall_{k}": mean(case[way]["turn"][str(k)] for case in held) for k in AT},
            **{
                f"session_recall_{k}": mean(case[way]["session"][str(k)] for case in held)
                for k in (5, 10)
            },
        }
    metrics["tuned_on"] = {
        "questions": len(cases) - len(held),
        "turn_recall_10": mean(case[best]["turn"]["10"] for case in cases if not case["held"]),
    }
    metrics["all_ten"] = {
        way: {
            "turn_recall_10": mean(case[way]["turn"]["10"] for case in cases),
            "session_recall_10": mean(case[way]["session"]["10"] for case in cases),
        }
        for way in ways
    }
    kinds = sorted({case["kind"] for case in held})
    metrics["by_category"] = {
        str(k): mean(c[best]["turn"]["10"] for c in held if c["kind"] == k) for k in kinds
    }
    notes = [
        f"{len(cases)} questions can be scored, {len(held)} of them in the eight conversations held back"
    ]
    if embedder is None:
        notes.append("by words alone: `freeform-rpg models get-embedder` adds vectors")
    return SuiteReport(suite="memory", n=len(held), metrics=metrics, cases=cases, notes=notes)


async def listen(
    talk: Conversation, open_store: OpenStore, embedder: Embedder | None, held: bool
) -> list[dict[str, Any]]:
    """One conversation heard, then asked about."""
    sessions = {turn.id: turn.session for turn in talk.turns}
    async with open_store() as store:
        await store.add([_heard(turn, n) for n, turn in enumerate(talk.turns)])
        if embedder:
            await embed_facts([GROUP], store, embedder)
        cases = []
        for asked in talk.asked:
            row: dict[str, Any] = {"conversation": talk.name, "kind": asked.kind, "held": held}
            row["words"] = scored(list(await rank(asked.question, [GROUP], store)), asked, sessions)
            if embedder:
                both = await rank(asked.question, [GROUP], store, embedder, tuning=MemoryTuning())
                row["both"] = scored(list(both), asked, sessions)
            cases.append(row)
        return cases


def scored(
    found: Sequence[str], asked: RecallQuestion, sessions: dict[str, int]
) -> dict[str, dict[str, float]]:
    """Recall of the evidence among the best turns, and among the best sessions."""
    order = list(dict.fromkeys(sessions[id] for id in found))
    wanted = {sessions[id] for id in asked.evidence}

    def share(have: Sequence[Any], want: frozenset[Any] | set[Any]) -> float:
        return len(want & set(have)) / len(want)

    return {
        "turn": {str(k): round(share(found[:k], asked.evidence), 4) for k in AT},
        "session": {str(k): round(share(order[:k], wanted), 4) for k in (5, 10)},
    }


def read_conversations(path: Path) -> list[Conversation]:
    """The file's conversations. Evidence ids are written in several ways; those that name no turn
    are left out."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [_conversation(row, n) for n, row in enumerate(rows)]
    except (ValueError, KeyError, TypeError) as wrong:
        raise BadFile(str(path), f"is no LoCoMo file ({type(wrong).__name__}: {wrong})") from None


def _conversation(row: dict[str, Any], n: int) -> Conversation:
    spoken, turns = row["conversation"], list[Turn]()
    numbers = sorted(
        int(found[1]) for key in spoken if (found := re.fullmatch(r"session_(\d+)", key))
    )
    for number in numbers:
        for said in spoken[f"session_{number}"]:
            picture = f" [{said['blip_caption']}]" if said.get("blip_caption") else ""
            turns.append(
                Turn(said["dia_id"], number, f"{said['speaker']}: {said['text']}{picture}")
            )
    there = {turn.id for turn in turns}
    asked = []
    for question in row["qa"]:
        named = {
            f"D{int(a)}:{int(b)}"
            for text in question.get("evidence", [])
            for a, b in _EVIDENCE.findall(text)
        }
        if named & there:
            asked.append(
                RecallQuestion(
                    question["question"], int(question["category"]), frozenset(named & there)
                )
            )
    return Conversation(str(row.get("sample_id", n)), turns, asked)


def _heard(turn: Turn, n: int) -> MemoryFact:
    return MemoryFact(
        id=turn.id,
        group=GROUP,
        subject=turn.text.partition(":")[0],
        predicate="said",
        value=turn.id,
        text=turn.text,
        valid_at=float(turn.session),
        created_at=float(turn.session),
        episode=Episode(session=turn.session, turn=n),
        source="talk",
        many=True,
    )

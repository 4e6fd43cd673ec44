"""Memory for screens and notebooks: the forgetting curve as points, true against believed word by word, rows to export."""

import json
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from freeform.players.memory.forgetting import (
    blended,
    first_trace,
    person,
    retrievability,
)
from freeform.players.memory.model import Belief, Kind, MemoryFact, Mind, Rehearsal
from freeform.players.memory.recall import recall


def curve(
    mind: Mind, kind: Kind = "name", until: float = 180, points: int = 60
) -> list[dict[str, float]]:
    """What is kept of an unrehearsed detail of that kind, day by day: by this mind, and by a person of its percentile."""
    plain = MemoryFact(
        id="", group="", subject="", predicate="", value="", text="", valid_at=0, created_at=0
    )
    trace, decay = first_trace(mind, plain, kind), person(mind.percentile)[1]
    rows = []
    for n in range(points + 1):
        day = until * (n / points) ** 2
        human = retrievability(day, trace.stability, decay)
        rows.append(
            {
                "day": round(day, 3),
                "kept": round(blended(human, mind.strength), 5),
                "human": round(human, 5),
            }
        )
    return rows


def life_of(
    mind: Mind,
    fact: MemoryFact,
    rehearsals: Sequence[Rehearsal],
    neighbours: Sequence[MemoryFact],
    until: float,
    points: int = 60,
) -> dict[str, Any]:
    """One memory from the day it was made: how firmly it is held, and each time what is believed changes."""
    span = max(0.0, until - fact.created_at)
    days = {fact.created_at + span * n / points for n in range(points + 1)}
    days |= {
        r.day for r in rehearsals if r.agent == mind.agent and fact.created_at <= r.day <= until
    }
    held: list[dict[str, Any]] = []
    changes: list[dict[str, Any]] = []
    for day in sorted(days):
        belief = recall(mind, fact, day, rehearsals, neighbours)
        held.append(
            {"day": round(day, 3), "confidence": belief.confidence, "correct": belief.correct}
        )
        if not changes or changes[-1]["believed"] != belief.believed:
            changes.append(
                {"day": round(day, 3), "believed": belief.believed, "type": belief.corruption_type}
            )
    return {
        "fact_id": fact.id,
        "truth": fact.text,
        "points": held,
        "changes": changes,
        "rehearsals": [
            {"day": r.day, "how": r.how}
            for r in rehearsals
            if r.agent == mind.agent and r.day <= until
        ],
    }


def word_diff(truth: str, believed: str) -> list[dict[str, str]]:
    """The two sentences as runs of words: `same`, `lost` (only true) and `wrong` (only believed), in reading order."""
    a, b = truth.split(), believed.split()
    runs: list[dict[str, str]] = []
    for tag, i, j, k, m in SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes():
        if tag == "equal":
            runs.append({"op": "same", "text": " ".join(a[i:j])})
            continue
        if j > i:
            runs.append({"op": "lost", "text": " ".join(a[i:j])})
        if m > k:
            runs.append({"op": "wrong", "text": " ".join(b[k:m])})
    return runs


def belief_rows(beliefs: Iterable[Belief], facts: Iterable[MemoryFact]) -> list[dict[str, Any]]:
    """One tidy row for each detail of each belief: what notebooks want."""
    by_id = {fact.id: fact for fact in facts}
    rows = []
    for belief in beliefs:
        fact = by_id[belief.fact_id]
        for audit in belief.audit:
            rows.append(
                {
                    "agent": belief.agent,
                    "day": belief.day,
                    "fact_id": fact.id,
                    "group": fact.group,
                    "session": fact.episode.session,
                    "turn": fact.episode.turn,
                    "learnt": fact.created_at,
                    "importance": fact.importance,
                    "feeling": fact.feeling,
                    "truth": belief.truth,
                    "believed": belief.believed,
                    "confidence": belief.confidence,
                    "corruption_type": belief.corruption_type or "",
                    "field": audit.field,
                    "kind": audit.kind,
                    "field_truth": audit.truth,
                    "field_believed": audit.believed,
                    "field_error": audit.error or "",
                    "level": audit.level,
                    "retrievability": audit.retrievability,
                    "threshold": audit.threshold,
                    "stability": audit.stability,
                    "difficulty": audit.difficulty,
                    "percentile": audit.percentile,
                    "epoch": audit.epoch,
                    "cause": audit.cause,
                }
            )
    return rows


def jsonl(rows: Iterable[dict[str, Any]]) -> str:
    """One JSON document a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

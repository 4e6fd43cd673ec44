"""Memory for screens and notebooks: true against believed word by word, rows to export."""

import json
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any

from freeform.players.memory.model import Belief, MemoryFact


def word_diff(truth: str, believed: str) -> list[dict[str, str]]:
    """The two sentences as runs of words: `same`, `lost` (only true) and `wrong` (only believed),
    in reading order."""
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

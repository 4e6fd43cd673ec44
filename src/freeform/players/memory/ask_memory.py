"""`party memory PARTY AGENT`: what an agent believes, as the JSON of the contracts. The verb calls
`ask_memory` alone.

    groups = [agent_group(agent), character_group(character), CAMPAIGN]      # what this agent may see; nothing else is
    document = await ask_memory(MemoryQuestion(query="the merchant", at=90), mind, groups, store,
    embedder, now=day)

`now` is the in-world day of the campaign (`learning.day_of_scene`); `at` looks back, or ahead, as
if it were that day. Asking is no rehearsal: it changes nothing that anyone remembers.
`memory_lines` gives the same for a terminal.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field as Described

from freeform.core.record import Record
from freeform.players.memory.model import Belief, Bin, MemoryFact, Mind, RecallFigures
from freeform.players.memory.ports import MemoryStore, When
from freeform.players.memory.recall import believe
from freeform.players.memory.search import find
from freeform.retrieval.ports import Embedder

BINS = 10


class Count:
    """Beliefs counted by error ('' for none) and by bin of confidence; what a store adds up."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], tuple[int, float, float]] = {}

    def add(self, error: str, confidence: float, times: int = 1) -> None:
        """One more belief; `times` -1 takes one away."""
        n, sure, squared = self.rows.get((error, bin_of(confidence)), (0, 0.0, 0.0))
        self.rows[error, bin_of(confidence)] = (
            n + times,
            sure + times * confidence,
            squared + times * (confidence - (0.0 if error else 1.0)) ** 2,
        )


def bin_of(confidence: float) -> int:
    """Which of the ten bins; the last holds 1 too."""
    return min(BINS - 1, int(confidence * BINS))


def figures(agent: str, rows: Iterable[tuple[str, int, int, float, float]]) -> RecallFigures:
    """From rows of (error or '', bin, how many, sum of confidence, sum of squared misses)."""
    by_type: dict[str, int] = {}
    bins: dict[int, tuple[int, int, float]] = {}
    n = right = 0
    sure = squared = 0.0
    for error, place, count, confidence, misses in rows:
        if not count:
            continue
        hits = 0 if error else count
        if error:
            by_type[error] = by_type.get(error, 0) + count
        had = bins.get(place, (0, 0, 0.0))
        bins[place] = (had[0] + count, had[1] + hits, had[2] + confidence)
        n, right, sure, squared = n + count, right + hits, sure + confidence, squared + misses
    if not n:
        return RecallFigures(agent=agent)
    return RecallFigures(
        agent=agent,
        recalled=n,
        right=right,
        by_type=dict(sorted(by_type.items(), key=lambda row: (-row[1], row[0]))),
        confidence=round(sure / n, 4),
        brier=round(squared / n, 4),
        ece=round(sum(abs(c - r) for _, r, c in bins.values()) / n, 4),
        bins=tuple(
            Bin(n=c, right=r, confidence=round(s / c, 4)) for _, (c, r, s) in sorted(bins.items())
        ),
    )


def figures_of(agent: str, beliefs: Iterable[Belief]) -> RecallFigures:
    """The same, of beliefs at hand."""
    return figures_of_rows(
        agent, [(belief.corruption_type or "", belief.confidence) for belief in beliefs]
    )


def figures_of_rows(agent: str, rows: Iterable[tuple[str, float]]) -> RecallFigures:
    """The same, of (error or '', confidence)."""
    count = Count()
    for error, confidence in rows:
        count.add(error, confidence)
    return figures(agent, [(error, place, *sums) for (error, place), sums in count.rows.items()])


Tell = Callable[[Sequence[Belief]], Awaitable[Mapping[str, str]]]
"""Beliefs in a player's own words, by fact."""


class MemoryQuestion(Record):
    """What is asked. `at`: the in-world day; None is now. `explain` shows the truth and why it is
    believed so."""

    query: str = ""
    at: float | None = Described(default=None, ge=0)
    session: int | None = Described(default=None, ge=1)
    explain: bool = False
    most: int = Described(default=20, ge=1, le=1000)


async def ask_memory(
    question: MemoryQuestion,
    mind: Mind,
    groups: Sequence[str],
    store: MemoryStore,
    embedder: Embedder | None = None,
    now: float = 0.0,
    tell: Tell | None = None,
) -> dict[str, Any]:
    """The document that `party memory --json` prints. `tell` adds each belief in the player's own
    words."""
    day = now if question.at is None else question.at
    when = When(known_at=day)
    scores: dict[str, float] = {}
    if question.query.strip():
        deep = question.most if question.session is None else 10 * question.most
        found = await find(question.query, groups, store, embedder, when, deep)
        if question.session is not None:
            found = [
                (fact, score) for fact, score in found if fact.episode.session == question.session
            ]
        scores = {fact.id: score for fact, score in found[: question.most]}
        facts = [fact for fact, _ in found[: question.most]]
    elif question.session is not None:
        facts = await store.in_sessions(
            groups, question.session, question.session, when, question.most
        )
    else:
        facts = await store.as_of(groups, when, most=question.most)
    beliefs = await believe(mind, facts, day, groups, store)
    by_id = {fact.id: fact for fact in facts}
    rows = [shown(b, by_id[b.fact_id], question.explain, scores.get(b.fact_id)) for b in beliefs]
    if tell is not None:
        told = await tell(beliefs)
        rows = [row | {"own_words": told[row["fact_id"]]} for row in rows]
    return {
        "agent": mind.agent,
        "day": day,
        "strength": mind.strength,
        "percentile": round(mind.percentile, 1),
        "law": mind.law,
        "memories": rows,
        **(
            {"figures": figures_of(mind.agent, beliefs).model_dump(mode="json")}
            if question.explain
            else {}
        ),
    }


def shown(
    belief: Belief, fact: MemoryFact, explain: bool, score: float | None = None
) -> dict[str, Any]:
    """One memory. Without `explain` nothing in it gives the truth away: not the fact's value, nor
    whether it is wrong."""
    row: dict[str, Any] = {
        "fact_id": belief.fact_id,
        "believed": belief.believed,
        "confidence": belief.confidence,
        "valid_at": fact.valid_at,
        "invalid_at": fact.invalid_at
        if fact.invalid_at is not None and fact.invalid_at <= belief.day
        else None,
        "corruption_type": belief.corruption_type,
        "session": fact.episode.session,
        "turn": fact.episode.turn,
        "group": fact.group,
        "source": fact.source,
    }
    if score is not None:
        row["score"] = score
    if explain:
        row["truth"] = belief.truth
        row["importance"] = fact.importance
        row["claim_of"] = fact.claim_of
        row["audit"] = [audit.model_dump(mode="json") for audit in belief.audit]
    return row


def memory_lines(document: dict[str, Any]) -> list[str]:
    """The same for a person at a terminal."""
    lines = [
        f"{document['agent']} on day {document['day']:g}: {len(document['memories'])} memories"
    ]
    for row in document["memories"]:
        lines.append(
            f"  {row['believed']}  ({row['confidence']:.0%} sure, session {row['session']})"
        )
        if "own_words" in row:
            lines.append(f"      in their words: {row['own_words']}")
        if row.get("truth", row["believed"]) != row["believed"]:
            lines.append(f"      in truth: {row['truth']}  [{row['corruption_type']}]")
        for audit in row.get("audit", ()):
            lines.append(
                f"      {audit['kind']:<8}{audit['believed'][:40]!r}: held {audit['retrievability']:.2f}, "
                f"threshold {audit['threshold']:.2f}, {audit['cause']}"
            )
    return lines

"""READ THIS FIRST. What an agent believes of a true fact on a day: a pure function, so it can be
asked again and audited.

    fact + rehearsals so far ──> per detail: stability, retrievability R(t) ──┐
    seed, agent, fact, detail, epoch ──> threshold u in [0, 1) ───────────────┴─ u < R ? intact :
    which error, how far

R only falls until the next rehearsal, and u is fixed until then: so an error is stable, and can
only get worse. Being told the truth again mends a detail (an FSRS lapse if it was lost). Saying it
wrong makes the wrong version firmer.
"""

from collections.abc import Sequence
from typing import NamedTuple

from freeform.players.memory.errors import choose, distorted, draw, mixed_up_with, possible
from freeform.players.memory.forgetting import (
    AGAIN,
    GOOD,
    Trace,
    after_review,
    blended,
    day_of,
    first_trace,
    person,
    retrievability,
    seed_law,
    seed_law_day,
)
from freeform.players.memory.model import (
    Belief,
    CorruptionType,
    MemoryFact,
    Mind,
    Rehearsal,
    Slot,
    SlotAudit,
)
from freeform.players.memory.ports import MemoryStore
from freeform.players.memory.wording import put_in


async def believe(
    mind: Mind, facts: Sequence[MemoryFact], day: float, groups: Sequence[str], store: MemoryStore
) -> list[Belief]:
    """What this mind believes of each fact on that day. `groups` are those it may see: it mixes
    memories up only with others of its own. A fact learnt after that day is not believed at all: it
    is left out."""
    known = [fact for fact in facts if fact.created_at <= day]
    lived = await store.rehearsals(mind.agent, [fact.id for fact in known], until=day)
    beliefs = []
    for fact in known:
        belief = recall(mind, fact, day, lived.get(fact.id, ()))
        lost = [audit.since for audit in belief.audit if audit.since is not None]
        if lost:
            # Only a lost detail can be mixed up, and only with what was known on the day it was
            # lost.
            alike: dict[str, MemoryFact] = {}
            for since in sorted(set(lost)):
                alike |= {
                    other.id: other for other in await store.similar(fact, groups, before=since)
                }
            if alike:
                belief = recall(mind, fact, day, lived.get(fact.id, ()), list(alike.values()))
        beliefs.append(belief)
    return beliefs


async def misremembered(
    mind: Mind, facts: Sequence[MemoryFact], day: float, groups: Sequence[str], store: MemoryStore
) -> list[Belief]:
    """The same, of those facts alone of which it has lost something: many are asked for, and most
    are as they were."""
    if not mind.strength:
        return []
    known = [fact for fact in facts if fact.created_at <= day]
    lived = await store.rehearsals(mind.agent, [fact.id for fact in known], until=day)
    doubtful = [f for f in known if lived.get(f.id) or mind.law == "seed" or _lost(mind, f, day)]
    return [b for b in await believe(mind, doubtful, day, groups, store) if not b.correct]


def _lost(mind: Mind, fact: MemoryFact, day: float) -> bool:
    """Whether a fact that was never called up again has lost a detail."""
    days, decay = day - fact.created_at + in_passing(mind, fact), person(mind.percentile)[1]
    for slot in fact.slots:
        held = retrievability(days, first_trace(mind, fact, slot.kind).stability, decay)
        if draw(mind, fact.id, slot.name, 0, "lost") >= blended(held, mind.strength):
            return True
    return not fact.slots


DEEPEST = 3
SURE = 0.8
"""Who is this sure of something wrong has false confidence, where something made them sure (see
`_type_of`)."""


def recall(
    mind: Mind,
    fact: MemoryFact,
    day: float,
    rehearsals: Sequence[Rehearsal] = (),
    neighbours: Sequence[MemoryFact] = (),
) -> Belief:
    """The belief. `rehearsals` are this agent's of this fact; those after `day` are not looked at.
    `neighbours` are similar facts that the agent knows; one learnt after a detail went wrong never
    changes what it went wrong to."""
    lived = sorted(
        (
            r
            for r in rehearsals
            if r.agent == mind.agent and r.fact_id == fact.id and fact.created_at <= r.day <= day
        ),
        key=lambda r: (r.day, r.no),
    )
    slots = fact.slots or (Slot(name="gist", kind="gist", text=fact.text),)
    if mind.law == "seed":
        held = _seed_lived(mind, fact, slots, day, len(lived), neighbours)
    else:
        held = [_live(mind, fact, slot, day, lived, neighbours) for slot in slots]
    believed = _rewritten(
        fact.text, [(h.slot.text, h.believed) for h in held if h.slot.kind != "gist"]
    )
    for h in held:
        if h.slot.kind == "gist" and h.error and h.level:
            # What is left of the sentence, with the details as they are believed in it.
            rest = h.slot.model_copy(update={"text": believed})
            believed = distorted(fact, rest, h.error.kind, h.level, h.error.u, h.error.taken)
    sure = 1.0
    for h in held:
        sure *= h.retrievable
    confidence = round(float(sure ** (2 * (1 - mind.confidence))), 4)
    audit = tuple(_audited(mind, h) for h in held)
    wrong = believed != fact.text
    return Belief(
        agent=mind.agent,
        fact_id=fact.id,
        day=day,
        believed=believed,
        confidence=confidence,
        corruption_type=_type_of(mind, held, confidence) if wrong else None,
        truth=fact.text,
        audit=audit,
    )


class _Error(NamedTuple):
    """What a detail became, and when: decided once, then only deepened."""

    kind: CorruptionType
    since: float
    u: float
    taken: str = ""
    neighbour: str = ""


class _Held(NamedTuple):
    """A detail as it is held at some moment."""

    slot: Slot
    trace: Trace
    since: float
    """When this epoch began: the fact was learnt, told again or said."""
    lag: float = 0.0
    """Days that count as gone when it began: what was lived through in passing."""
    epoch: int = 0
    base: int = 0
    """The level that was said aloud, and so made firm."""
    error: _Error | None = None
    level: int = 0
    retrievable: float = 1.0
    threshold: float = 0.0
    believed: str = ""


def _live(
    mind: Mind,
    fact: MemoryFact,
    slot: Slot,
    day: float,
    lived: Sequence[Rehearsal],
    neighbours: Sequence[MemoryFact],
) -> _Held:
    """Follows one detail through its rehearsals up to the day."""
    decay = person(mind.percentile)[1]
    lag = in_passing(mind, fact)
    held = _Held(slot, first_trace(mind, fact, slot.kind), fact.created_at, lag)
    for rehearsal in lived:
        held = _faded(mind, fact, held, rehearsal.day, neighbours)
        told = rehearsal.how == "told"
        grade = AGAIN if told and held.level else GOOD
        held = held._replace(
            trace=after_review(held.trace, grade, rehearsal.day - held.since, decay),
            since=rehearsal.day,
            lag=0.0,
            epoch=held.epoch + 1,
            base=0 if told else held.level,
            error=None if told else held.error,
        )
    return _faded(mind, fact, held, day, neighbours)


def _faded(
    mind: Mind, fact: MemoryFact, held: _Held, day: float, neighbours: Sequence[MemoryFact]
) -> _Held:
    """The detail on a day of its epoch: still there, or lost, and then as what."""
    slot, decay = held.slot, person(mind.percentile)[1]
    u = draw(mind, fact.id, slot.name, held.epoch, "lost")
    natural = retrievability(day - held.since + held.lag, held.trace.stability, decay)
    kept = blended(natural, mind.strength)
    level, error = held.base, held.error
    if u >= kept:
        # A trace that is weak all over loses more than the slip: how weak it must be differs from
        # detail to detail.
        depth = draw(mind, fact.id, slot.name, held.epoch, "depth")
        level = min(DEEPEST, level + 1 + (natural <= 0.65 * depth) + (natural <= 0.35 * depth))
        if error is None:
            lost = day_of(max(1 - (1 - u) / mind.strength, 1e-9), held.trace.stability, decay)
            gone = min(held.since + max(0.0, lost - held.lag), day)
            error = _gone_wrong(mind, fact, held, gone, neighbours)
    return _as_held(fact, held, error, level, kept, u)


def in_passing(mind: Mind, fact: MemoryFact) -> float:
    """How many days count as gone at once: none for what one did or said oneself, or summed up."""
    own = mind.agent in fact.source_id.split(".")
    return 0.0 if own or fact.source == "summary" else mind.passing


def _seed_lived(
    mind: Mind,
    fact: MemoryFact,
    slots: Sequence[Slot],
    day: float,
    rehearsed: int,
    neighbours: Sequence[MemoryFact],
) -> list[_Held]:
    """By the original formula: one chance for the whole memory, and one detail that goes wrong."""
    u = draw(mind, fact.id, "", 0, "lost")
    kept = 1.0 - seed_law(mind, fact, day - fact.created_at, rehearsed)
    which = int(draw(mind, fact.id, "", 0, "which") * len(slots))
    found = []
    for n, slot in enumerate(slots):
        held = _Held(slot, first_trace(mind, fact, slot.kind), fact.created_at)
        if n != which:
            found.append(_as_held(fact, held, None, 0, 1.0, u))
        elif u < kept:
            found.append(_as_held(fact, held, None, 0, kept, u))
        else:
            lost = min(fact.created_at + seed_law_day(mind, fact, 1 - u, rehearsed), day)
            found.append(
                _as_held(fact, held, _gone_wrong(mind, fact, held, lost, neighbours), 1, kept, u)
            )
    return found


def _as_held(
    fact: MemoryFact, held: _Held, error: _Error | None, level: int, kept: float, u: float
) -> _Held:
    slot = held.slot
    text = (
        distorted(fact, slot, error.kind, level, error.u, error.taken)
        if error and level
        else slot.text
    )
    return held._replace(error=error, level=level, retrievable=kept, threshold=u, believed=text)


def _gone_wrong(
    mind: Mind, fact: MemoryFact, held: _Held, day: float, neighbours: Sequence[MemoryFact]
) -> _Error:
    """Which error it is: decided by what was possible on the day it was made, and a second draw."""
    slot = held.slot
    found = mixed_up_with(mind, fact, slot, held.epoch, neighbours, day)
    options = possible(fact, slot, found[0] if found else None)
    kind = choose(mind, options, draw(mind, fact.id, slot.name, held.epoch, "type"))
    how = draw(mind, fact.id, slot.name, held.epoch, "how")
    if kind == "conflation" and found:
        return _Error(kind, day, how, found[1].text, found[0].id)
    return _Error(kind, day, how)


def _type_of(mind: Mind, held: Sequence[_Held], confidence: float) -> CorruptionType | None:
    """The error of the worst detail; `false_confidence` if they are sure of it: because they have
    said it that way before, or because they are always sure."""
    wrong = [h for h in held if h.error and h.level and h.believed != h.slot.text]
    if not wrong:
        return None
    worst = max(wrong, key=lambda h: h.level)
    if confidence >= SURE and (worst.base or mind.confidence > 0.7):
        return "false_confidence"
    return worst.error.kind if worst.error else None


def _audited(mind: Mind, held: _Held) -> SlotAudit:
    error = held.error if held.level else None
    if error is None:
        cause = (
            "intact" if not held.epoch else f"intact since it was called up on day {held.since:g}"
        )
    else:
        cause = f"mixed up with {error.neighbour}" if error.neighbour else "faded"
        missed = held.lag and error.since <= held.since
        cause += " as it happened" if missed else f" on day {error.since:.1f}"
        if held.base:
            cause += f", said so on day {held.since:g}"
    return SlotAudit(
        field=held.slot.name,
        kind=held.slot.kind,
        truth=held.slot.text,
        believed=held.believed,
        retrievability=round(held.retrievable, 6),
        threshold=round(held.threshold, 6),
        stability=round(held.trace.stability, 4),
        difficulty=round(held.trace.difficulty, 4),
        percentile=mind.percentile,
        cause=cause,
        error=error.kind if error else None,
        level=held.level,
        epoch=held.epoch,
        since=round(error.since, 3) if error else None,
        neighbour=error.neighbour if error else "",
    )


def _rewritten(text: str, changes: Sequence[tuple[str, str]]) -> str:
    """The sentence with details replaced. Places are found in the true sentence, so no change
    touches another."""
    spans: list[tuple[int, int, str]] = []
    for old, new in changes:
        at = text.find(old) if old and new != old else -1
        while at >= 0:
            end = at + len(old)
            whole = not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum())
            if whole and all(end <= s or at >= e for s, e, _ in spans):
                spans.append((at, end, new))
            at = text.find(old, end)
    for start, end, new in sorted(spans, reverse=True):
        text = put_in(text, start, end, new)
    return text

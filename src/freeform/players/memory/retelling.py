"""Saying what one remembers: right, it is told to those who hear; wrong, it becomes a claim beside
the truth; and what is behind a claim."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from freeform.core.text import plain_form
from freeform.language.words import telling_words
from freeform.players.memory.model import Belief, Episode, MemoryFact, Rehearsal, Slot
from freeform.players.memory.ports import MemoryStore

ENOUGH = 0.6
"""The share of a belief's weighty words that must be said before it counts as said."""
_SHORTEST = 3


def spoken_of(text: str, memories: Sequence[Mapping[str, Any]]) -> list[str]:
    """The facts that these words tell, by what their speaker was told it remembers; those told most
    fully first."""
    said = _weighty(text)
    shares = [
        (len(words & said) / len(words), n)
        for n, m in enumerate(memories)
        if (words := _weighty(m["believed"]))
    ]
    best = sorted(shares, key=lambda row: (-row[0], row[1]))
    return [memories[n]["fact_id"] for share, n in best if share >= ENOUGH]


def say_aloud(
    belief: Belief,
    fact: MemoryFact,
    *,
    speaker: str,
    name: str,
    hearers: Sequence[str],
    day: float,
    episode: Episode,
    group: str,
    id: str,
    no: int = 0,
) -> tuple[list[MemoryFact], list[Rehearsal]]:
    """What saying a belief leaves behind. The speaker rehearses their own version, right or wrong.
    If it is right and all know of it the hearers are told the fact again; if it is wrong, or only
    the speaker knew, they hear a claim, with a pointer to the fact behind it. The truth is not touched either way. `speaker` and `hearers` are
    agents, `name` is who speaks at the table."""
    session = episode.session
    own = Rehearsal(agent=speaker, fact_id=fact.id, day=day, how="said", session=session, no=no)
    if belief.correct and fact.group == group:
        told = [
            Rehearsal(agent=hearer, fact_id=fact.id, day=day, how="told", session=session, no=no)
            for hearer in hearers
            if hearer != speaker
        ]
        return [], [own, *told]
    wrong = [audit for audit in belief.audit if audit.level]
    changed = {audit.truth: audit.believed for audit in wrong if audit.kind != "gist"}
    said = tuple(
        slot.model_copy(update={"text": changed.get(slot.text, slot.text)})
        for slot in fact.slots
        if slot.kind != "gist"
    )
    text = f"{name} said: {belief.believed}"
    claim = fact.model_copy(
        update={
            "id": id,
            "group": group,
            "value": wrong[0].believed if wrong else belief.believed,
            "text": text,
            "slots": (
                Slot(name="source", kind="source", text=name),
                *(slot for slot in said if slot.text and slot.text in belief.believed),
                Slot(name="gist", kind="gist", text=text),
            ),
            "valid_at": day,
            "created_at": day,
            "invalid_at": None,
            "expired_at": None,
            "episode": episode,
            "source": "claim",
            "source_id": id,
            "claim_of": fact.id,
            "many": True,
        }
    )
    return [claim], [own]


async def root_of(fact: MemoryFact, store: MemoryStore) -> MemoryFact:
    """The fact behind a claim, and behind a claim of that; any other fact itself. Where one of them
    is gone, the last that is there."""
    seen = {fact.id}
    while fact.claim_of and fact.claim_of not in seen:
        found = await store.get([fact.claim_of])
        if not found:
            break
        (fact,) = found
        seen.add(fact.id)
    return fact


async def what_was_so(
    beliefs: Sequence[Belief], facts: Mapping[str, MemoryFact], store: MemoryStore
) -> dict[str, str]:
    """By fact, what was so, of those beliefs that are wrong. What was heard is wrong where it says
    something else than what it goes back to, however well it is remembered."""
    truths = {}
    for belief in beliefs:
        fact = facts[belief.fact_id]
        root = await root_of(fact, store)
        if root.id != fact.id and plain_form(root.text) not in plain_form(belief.believed):
            truths[belief.fact_id] = root.text
        elif root.id == fact.id and not belief.correct:
            truths[belief.fact_id] = belief.truth
    return truths


@lru_cache(maxsize=512)
def _weighty(text: str) -> frozenset[str]:
    return frozenset(word for word in telling_words(text, "vague") if len(word) >= _SHORTEST)

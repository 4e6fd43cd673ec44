"""The numbers of a log: each turn is looked at once, each metric is a share of what was found. See
docs/metrics.md."""

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import Field

from freeform.core.record import Record
from freeform.core.text import words_in
from freeform.engine.log import Begun, Entry
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.validate import validate
from freeform.engine.rules.wishes.foreseen import foresee
from freeform.engine.world.model import AllowedAction, BlockedAction, ValidatorOutput
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import PLAYER, GameState
from freeform.evals.against import ANSWERS, answers_beside, prose_against_state, refusals_unfounded
from freeform.evals.audit import impossible
from freeform.evals.prose import contradictions, leaks, repeated
from freeform.evals.walk import TurnStep, walk
from freeform.language.meaning.sense import RememberedSense

REMEMBERED = 40
"""Turns back within which the same sentence counts as a repetition."""


class Finding(Record):
    """What one turn adds to the metrics."""

    turn_no: int
    contradicted: list[str] = Field(default_factory=list)
    """Facts that prose or a narrator's claim ran against."""
    accepted: list[str] = Field(default_factory=list)
    """Impossible actions that were let through, with the reason."""
    refused: int = 0
    refused_wrongly: list[str] = Field(default_factory=list)
    """Actions that were blocked though the rules allow them."""
    asked: bool = False
    words: int | None = None
    lore_chunks: int = 0
    lore_relevant: int = 0
    lore_hit: bool | None = None
    leaked: list[str] = Field(default_factory=list)
    not_so: list[str] = Field(default_factory=list)
    """Sentences of the prose that the state denies, with why."""
    beside: list[str] = Field(default_factory=list)
    """Answers that have little to do with what was asked."""
    answers: int = 0
    unfounded: list[str] = Field(default_factory=list)
    """Refusals behind which no fact stands."""
    sentences: int = 0
    repeated: int = 0


def measure(
    begun: Begun, entries: Iterable[Entry], first: int = 1, last: int | None = None
) -> dict[str, Any]:
    """Every metric of a log."""
    return sum_up(findings(begun, entries, first, last))


def findings(
    begun: Begun,
    entries: Iterable[Entry],
    first: int = 1,
    last: int | None = None,
    sense: RememberedSense | None = None,
) -> list[Finding]:
    """What each turn adds."""
    told, found = list[str](), list[Finding]()
    for moment in walk(begun, entries, sense=sense):
        if first <= moment.turn_no and (last is None or moment.turn_no <= last):
            found.append(look_at(moment, told))
        told.append(moment.text)
    return found


def look_at(moment: TurnStep, told_before: Sequence[str] = ()) -> Finding:
    """One turn."""
    facts, words = moment.resolved, moment.narrated
    accepted, wrongly = _judged_again(moment)
    again, of = repeated(moment.text, told_before[-REMEMBERED:])
    chunks = [str(source) for source in facts.lore.get("sources", [])]
    claims = [claim.because for claim in words.rejected if claim.because] if words else []
    return Finding(
        turn_no=moment.turn_no,
        contradicted=list(dict.fromkeys([*claims, *contradictions(moment.text, moment.after)])),
        accepted=accepted,
        refused=len(facts.validator.blocked_actions),
        refused_wrongly=wrongly,
        asked=facts.validator.clarification_needed,
        words=words_in(moment.text) if words else None,
        lore_chunks=len(chunks),
        lore_relevant=_relevant(chunks, moment),
        lore_hit=bool(facts.lore.get("hit")) if facts.lore.get("scene") else None,
        leaked=leaks(moment.text, moment.after),
        not_so=prose_against_state(moment),
        beside=answers_beside(moment),
        answers=sum(event.type in (*ANSWERS, "spoke") for event in facts.engine_events),
        unfounded=refusals_unfounded(moment),
        sentences=of,
        repeated=again,
    )


def sum_up(found: Sequence[Finding]) -> dict[str, Any]:
    """All metrics. A share of nothing is None: there was nothing to get wrong."""
    return {
        "turns": len(found),
        "contradiction_rate": contradiction_rate(found),
        "invalid_action_acceptance": invalid_action_acceptance(found),
        "clarification_rate": clarification_rate(found),
        "length_stats": length_stats(found),
        "lore_relevance_rate": lore_relevance_rate(found),
        "lore_cache_hit_rate": lore_cache_hit_rate(found),
        "secret_leak_rate": secret_leak_rate(found),
        "refusal_precision": refusal_precision(found),
        "repetition_rate": repetition_rate(found),
        "prose_against_state": share(
            sum(len(turn.not_so) for turn in found), sum(turn.sentences for turn in found)
        ),
        "answers_beside": share(
            sum(len(turn.beside) for turn in found), sum(turn.answers for turn in found)
        ),
        "refusals_unfounded": share(
            sum(len(turn.unfounded) for turn in found), sum(turn.refused for turn in found)
        ),
    }


def contradiction_rate(found: Sequence[Finding]) -> float | None:
    """Turns in which something told or claimed runs against canon, of all turns."""
    return share(sum(bool(turn.contradicted) for turn in found), len(found))


def invalid_action_acceptance(found: Sequence[Finding]) -> float | None:
    """Impossible actions let through, of all impossible actions met."""
    accepted = sum(len(turn.accepted) for turn in found)
    refused = sum(turn.refused - len(turn.refused_wrongly) for turn in found)
    return share(accepted, accepted + refused)


def clarification_rate(found: Sequence[Finding]) -> float | None:
    """Turns answered with a question, of all turns."""
    return share(sum(turn.asked for turn in found), len(found))


def length_stats(found: Sequence[Finding]) -> dict[str, float]:
    """Words of prose in a turn: the fewest, the mean, the most."""
    counts = [turn.words for turn in found if turn.words is not None] or [0]
    return {"min": min(counts), "avg": round(sum(counts) / len(counts), 2), "max": max(counts)}


def lore_relevance_rate(found: Sequence[Finding]) -> float | None:
    """Retrieved passages about someone, somewhere or something in play, of all retrieved."""
    return share(sum(turn.lore_relevant for turn in found), sum(turn.lore_chunks for turn in found))


def lore_cache_hit_rate(found: Sequence[Finding]) -> float | None:
    """Turns whose notes were at hand already, of the turns that had notes."""
    hits = [turn.lore_hit for turn in found if turn.lore_hit is not None]
    return share(sum(hits), len(hits))


def secret_leak_rate(found: Sequence[Finding]) -> float | None:
    """Turns whose prose tells what the player must not know, of all turns."""
    return share(sum(bool(turn.leaked) for turn in found), len(found))


def refusal_precision(found: Sequence[Finding]) -> float | None:
    """Refusals that were right, of all refusals."""
    refused = sum(turn.refused for turn in found)
    return share(refused - sum(len(turn.refused_wrongly) for turn in found), refused)


def repetition_rate(found: Sequence[Finding]) -> float | None:
    """Sentences told before, word for word, of all sentences."""
    return share(sum(turn.repeated for turn in found), sum(turn.sentences for turn in found))


def share(part: int, whole: int) -> float | None:
    """A share to four places; None of nothing."""
    return round(part / whole, 4) if whole else None


def _judged_again(moment: TurnStep) -> tuple[list[str], list[str]]:
    """Impossible actions that were accepted, and possible ones that were refused."""
    facts = moment.resolved
    fresh = validate(facts.interpreter, moment.before, moment.rules, facts.player_input)
    open_now = {_key(action) for action in fresh.allowed_actions}
    wrongly = [
        f"{b.action} {b.target_id}: {b.reason}"
        for b in facts.validator.blocked_actions
        if _key(b) in open_now and b.rule != "line"  # the table's own wish, by meaning too
    ]
    page, accepted = Ledger(moment.before), []
    for action in facts.validator.allowed_actions:
        reason = impossible(action, page.state, moment.rules) or _refused(action, fresh)
        if reason:
            accepted.append(f"{action.action} {action.target_id}: {reason}")
        else:
            foresee(action, page, moment.rules)
    return accepted, wrongly


def _refused(action: AllowedAction, fresh: ValidatorOutput) -> str:
    return next((b.reason for b in fresh.blocked_actions if _key(b) == _key(action)), "")


def _key(action: AllowedAction | BlockedAction) -> tuple[str, str]:
    return action.action, action.target_id


def _relevant(chunks: Sequence[str], moment: TurnStep) -> int:
    """How many passages `pack:entry:section` are about who, where or what the turn was about."""
    if not chunks:
        return 0
    about = {id.rpartition(":")[2] for id in _in_play(moment)}
    return sum((chunk.split(":")[1] if ":" in chunk else chunk) in about for chunk in chunks)


def _in_play(moment: TurnStep) -> set[str]:
    state: GameState = moment.before
    scene = state.scene
    threads = (t for t in state.threads.values() if t.status in ("active", "hidden"))
    held = (h.item_id for owner in (PLAYER, scene.location_id) for h in state.held(owner))
    named = mentioned(
        f"{moment.resolved.player_input} {moment.text}",
        state,
        ("npc", "location", "item", "object", "faction"),
    )
    ways = (way.to for way in moment.rules.exits(scene.location_id, state))
    related = (id for thread in threads for id in thread.related_entity_ids)
    return {scene.location_id, *scene.present_entity_ids, *held, *named, *ways, *related}

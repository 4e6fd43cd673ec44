"""What may not be said against what is so: the claims of players and narrators, held against the
facts."""

import re
from typing import Any

from freeform.core.text import plain_form
from freeform.engine.world.names import mentioned, names_of, words
from freeform.engine.world.scales import scales, word_on_scale
from freeform.engine.world.state import Fact, GameState

SETTLED = frozenset(
    (
        "status state at owner name is life condition locked open identity killer sex species "
        "job employer"
    ).split()
)
"""Predicates that have one value at a time."""
_NEGATION = re.compile(r"\b(?:not|isn't|aren't|wasn't|no longer|never|n't)\b")


def denies(claim: str, value: Any) -> bool:
    """Whether a claim's words cannot be true while a fact has this value."""
    so = word_on_scale(value)
    if not so:
        return False
    said = f" {plain_form(claim)} "
    negated = bool(_NEGATION.search(said))
    for left, right in scales():
        for mine, other in ((left, right), (right, left)):
            if so in mine:
                if not negated and any(f" {word} " in _padded(said) for word in other - mine):
                    return True
                if negated and any(f" {word} " in _padded(said) for word in mine):
                    return True
    return False


def contradicted(claim: str, state: GameState) -> Fact | None:
    """The known fact that a player's claim runs against.

    What the player does not know denies nothing here.
    """
    for subject in mentioned(claim, state, ("npc", "pc", "location", "item", "object", "faction")):
        claimed = claim_about(claim, subject, state)
        for fact in state.weighed_of(subject):
            if _plain_to_see(fact) and denies(claimed, _in_words(fact)):
                return fact
        whereabouts = state.fact(subject, "at")
        if (
            whereabouts
            and subject in state.scene.present_entity_ids
            and _lives(subject, state)
            and denies(claimed, "alive")
        ):
            return whereabouts  # whoever stands here unhurt is alive
    return None


def _plain_to_see(fact: Fact) -> bool:
    """Known, or a plain yes or no that the rules keep of a thing, such as that a door is locked."""
    return fact.visibility == "known" or (
        fact.visibility == "engine" and fact.object.get("value") is True
    )


def _in_words(fact: Fact) -> Any:
    return fact.predicate if fact.object.get("value") is True else fact.object.get("value")


def _lives(subject: str, state: GameState) -> bool:
    return not any(state.fact(subject, predicate) for predicate in ("status", "condition", "state"))


def claim_about(claim: str, subject: str, state: GameState) -> str:
    """The claim without the subject's own name, so that a name such as Open Door claims nothing."""
    names = sorted(names_of(state.entities[subject]), key=len, reverse=True)
    plain = plain_form(claim)
    for name in names:
        plain = re.sub(rf"\b{re.escape(plain_form(name))}\b", " ", plain)
    return plain


def clash(subject_id: str, predicate: str, detail: str, state: GameState) -> Fact | None:
    """The fact, known or hidden, that a narrator's claim about a subject runs against."""
    about = {
        fact.id: fact
        for fact in (*state.weighed_of(subject_id), *state.facts_about(subject_id, predicate))
    }
    for fact in about.values():
        if fact.visibility == "engine" and fact.predicate not in SETTLED:
            continue
        value = fact.object.get("value")
        if denies(f"{predicate} {detail}", value):
            return fact
        if fact.predicate == predicate and predicate in SETTLED and isinstance(value, str):
            if not _agrees(detail, fact, state):
                return fact
    return None


def _agrees(detail: str, fact: Fact, state: GameState) -> bool:
    """Whether a claim has a fact's own value: its word, its whole text, or the name of whom or what
    it means; a word in common is not enough."""
    value, said = str(fact.object.get("value", "")), words(detail)
    text = words(str(fact.object.get("text", "")))
    entity = state.entities.get(value)
    if entity:
        return any(name and name <= said for name in map(words, names_of(entity)))
    scaled = word_on_scale(value)
    if scaled:
        return scaled in said or (bool(text) and said <= text)
    return bool(said) and (words(value) <= said or said <= (text or words(value)))


def _padded(text: str) -> str:
    return re.sub(r"[^\w']+", " ", f" {text} ")

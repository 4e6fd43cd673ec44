"""Judges an improvised deed by the state before and after it and by the prose: no model, no taste.

`effect`: something the author of the case named is so now and was not before; or the dice fell
badly and that had a price. `claimed`: the prose tells the deed as done, by its own words, or says
what became so. Then the effect, or a fact that tells the deed, must be in the state, and only
then. Words that someone keeps in mind and answers are told by the answer. A refusal is wrong unless
the case says that hard facts forbid the deed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from freeform.core.record import Record
from freeform.engine.minds.reply import HEARD
from freeform.engine.rules.rolls import at_least
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import PLAYER, Fact, GameState
from freeform.evals.suites.deeds.gold import GoldDeed
from freeform.language.inflection import lemma
from freeform.language.words import lemmas, words

_TOLD = 0.4
"""Share of a deed's telling words from which on prose tells it."""
_ANSWERS = frozenset({"told", "withheld", "spoke"})
"""Events by which someone answers words."""
_WAITED = 5
_YOU = "you"
_NOT_SO = re.compile(r"\b(?:not|no longer)\b")


class DeedVerdict(Record):
    """What became of one deed."""

    id: str
    effect: bool
    agrees: bool
    refused: bool
    asked: bool
    failed: bool
    """The dice fell badly."""
    text: str


@dataclass(frozen=True)
class PlayedDeed:
    """A case, the state before and after it, and the turn."""

    case: GoldDeed
    before: GameState
    after: GameState
    result: TurnResult


def judge(played: PlayedDeed) -> DeedVerdict:
    """One deed."""
    result = played.result
    refused = bool(result.validator.blocked_actions) and not result.validator.allowed_actions
    failed = any(not at_least(roll.outcome, "mixed") for roll in result.rolls)
    became = any(_holds(wanted, played) for wanted in played.case.becomes)
    priced = failed and bool(result.state_diff.clocks or result.state_diff.facts_add)
    nothing = any(event.type == "no_effect" for event in result.engine_events)
    undone = refused or failed or nothing or bool(result.clarification_question)
    said = _is_told(played) or _says_what_became(played) or _is_answered(played)
    claimed = said and not undone
    return DeedVerdict(
        id=played.case.id,
        effect=became or priced,
        agrees=claimed == (became or _is_kept(played) or _says_what_became(played)),
        refused=refused,
        asked=bool(result.clarification_question),
        failed=failed,
        text=result.final_text,
    )


def _is_told(played: PlayedDeed) -> bool:
    """Whether the prose speaks of the deed."""
    deed = set(lemmas(played.case.say, "talk"))
    told = set(lemmas(played.result.final_text, "talk"))
    return bool(deed) and len(deed & told) >= _TOLD * len(deed)


def _is_answered(played: PlayedDeed) -> bool:
    """Whether the deed was words, someone keeps them in mind, and the prose has them answer: it
    need not say the player's own words over."""
    answers = (event for event in played.result.engine_events if event.type in _ANSWERS)
    return bool(_heard(played)) and _is_kept(played) and any(answers)


def _says_what_became(played: PlayedDeed) -> bool:
    """Whether the prose says a fact of this turn in its own words: `the photograph is clean`."""
    told = set(lemmas(played.result.final_text))
    facts = (set(lemmas(str(fact.object.get("text", "")))) for fact in _new_facts(played))
    return any(said and said <= told for said in facts)


def _is_kept(played: PlayedDeed) -> bool:
    """Whether a fact of this turn says that the deed was done, or someone keeps in mind the words
    that were said to them."""
    deed = set(lemmas(played.case.say, "talk"))
    told = [str(fact.object.get("text", "")) for fact in _new_facts(played)] + _heard(played)
    kept = (set(lemmas(text, "talk")) for text in told)
    return any(len(deed & said) >= _TOLD * len(deed) for said in kept)


def _heard(played: PlayedDeed) -> list[str]:
    """What people were told this turn."""
    before = played.before.facts
    return [
        str(fact.object.get("value", ""))
        for fact in played.after.facts.values()
        if fact.predicate.startswith(HEARD) and before.get(fact.id) != fact
    ]


def _holds(wanted: str, played: PlayedDeed) -> bool:
    kind, _, rest = wanted.partition(" ")
    check = _KINDS[kind]
    return check(played, rest)


def _new_facts(played: PlayedDeed) -> list[Fact]:
    """Facts the player knows that this turn made or changed."""
    before = played.before.facts
    return [
        fact
        for fact in played.after.facts.values()
        if fact.visibility == "known" and before.get(fact.id) != fact
    ]


def _is(played: PlayedDeed, word: str) -> bool:
    """A fact of this turn says so of what the deed is about."""
    wanted = lemma(word)
    for fact in _new_facts(played):
        said = f"{fact.predicate} {fact.object.get('value')} {fact.object.get('text', '')}"
        if wanted in map(lemma, words(said)) and _is_about(fact, played):
            return not _NOT_SO.search(str(fact.object.get("text", "")))
    return False


def _is_about(fact: Fact, played: PlayedDeed) -> bool:
    """Whether a fact speaks of one of the names of the case."""
    name = _YOU if fact.subject_id == PLAYER else played.after.name(fact.subject_id)
    said = set(lemmas(f"{name} {fact.object.get('text', '')}")) | {name.lower()}
    return any(set(lemmas(about)) & said or about in said for about in played.case.about)


def _held(played: PlayedDeed, rest: str) -> bool:
    """One of the things is with someone who did not have it."""
    name = rest.removeprefix("by ")
    for (owner, item), holding in played.after.inventory.items():
        gained = played.before.inventory.get((owner, item)) != holding
        named = owner == PLAYER if name == _YOU else name in played.after.name(owner)
        if gained and named and _names(played.after.name(item), played.case.about):
            return True
    return False


def _lies(played: PlayedDeed, rest: str) -> bool:
    """A fact of this turn says where it lies; or the place holds what the hero held."""
    return any(
        set(lemmas(rest)) <= set(lemmas(str(fact.object.get("text", ""))))
        and _is_about(fact, played)
        for fact in _new_facts(played)
    )


def _follows(played: PlayedDeed, rest: str) -> bool:
    return any(
        played.after.value(id, "follows") == PLAYER
        and _names(played.after.name(id), played.case.about)
        for id in played.after.entities
    )


def _promised(played: PlayedDeed, rest: str) -> bool:
    return any("promise" in fact.tags for fact in _new_facts(played))


def _warmer(played: PlayedDeed, rest: str) -> bool:
    for key, tie in played.after.relationships.items():
        stood = played.before.relationships.get(key)
        was = stood.intensity if stood else 0
        if tie.b_id == PLAYER and tie.intensity > was:
            return True
    return False


def _taught(played: PlayedDeed, rest: str) -> bool:
    return _is(played, "taught")


def _waits(played: PlayedDeed, rest: str) -> bool:
    was, now = (int(s.scene.time.get("minute", 0)) for s in (played.before, played.after))
    return now - was >= _WAITED or _is(played, "waiting")


def _distracted(played: PlayedDeed, rest: str) -> bool:
    return _is(played, "distracted")


def _moved(played: PlayedDeed, rest: str) -> bool:
    return played.before.scene.location_id != played.after.scene.location_id


def _names(name: str, about: list[str]) -> bool:
    said = set(lemmas(name))
    return any(set(lemmas(one)) & said for one in about)


_KINDS: dict[str, Callable[[PlayedDeed, str], bool]] = {
    "is": _is,
    "held": _held,
    "lies": _lies,
    "follows": _follows,
    "promised": _promised,
    "warmer": _warmer,
    "taught": _taught,
    "waits": _waits,
    "distracted": _distracted,
    "moved": _moved,
}

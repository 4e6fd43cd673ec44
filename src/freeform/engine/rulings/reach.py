"""What a ruling may speak of: what exists, what is perceived, what holds someone fast."""

import re
from functools import lru_cache

from freeform.engine.authored.conditions import check
from freeform.engine.authored.script import Appear
from freeform.engine.rules.checks import is_at_hand, is_free_to_handle
from freeform.engine.table import Rules
from freeform.engine.world.names import words
from freeform.engine.world.scales import scales
from freeform.engine.world.state import PLAYER, Fact, GameState
from freeform.language.words import word_class

GONE = frozenset({"dead", "killed", "deceased", "destroyed", "unconscious", "out", "drowned"})
BROKEN = "broken"
MOVED = frozenset({"carried", "moved", "pulled", "lifted", "led away", "safe", "free", "freed"})
"""What nobody is who is held fast."""
_FREE_SIDE = "free"
_FAST = frozenset({"stuck", "trapped", "pinned"})
_CONDITIONS = ("status", "condition", "state")
_MATERIAL = re.compile(r"\b(?:from|out of|with|using)\s+(?!scratch|nothing|thin air)\w")
"""What a thing is made of, as a deed says it."""


def is_perceived(id: str, state: GameState, rules: Rules) -> bool:
    """Whether the player's character has it before them: oneself, someone present, a thing at hand,
    the place, its ways out, and a crowd that is one of the details it shows."""
    here = state.scene.location_id
    if id in (PLAYER, here) or id in state.scene.present_entity_ids:
        return True
    entity = state.entities.get(id)
    if entity is None:
        return False
    if entity.type == "location":
        return any(way.to == id for way in rules.exits(here, state))
    if entity.type == "faction":
        return is_detail(entity.name, state, rules)
    return is_at_hand(id, state)


def is_gone(id: str, state: GameState) -> bool:
    """Whether someone is dead or out, or something destroyed."""
    return any(str(state.value(id, predicate)) in GONE for predicate in _CONDITIONS)


def holds_fast(id: str, state: GameState) -> Fact | None:
    """The known fact that keeps someone where they are: bound, stuck, jailed."""
    held = _FAST | captive_words()
    for fact in state.facts_of(id):
        value = fact.object.get("value")
        word = fact.predicate if value is True else str(value)
        if word in held and fact.visibility == "known":
            return fact
    return None


@lru_cache(maxsize=1)
def captive_words() -> frozenset[str]:
    """The words for being kept, from the scale whose other side is free."""
    for left, right in scales():
        if _FREE_SIDE in left:
            return right
    return frozenset()


_GUARDED = frozenset({"alive", "open", "unlocked", "awake", "working", "friend"})
"""One word of each scale on which nothing moves by a ruling."""


@lru_cache(maxsize=1)
def guarded_words() -> frozenset[str]:
    """Words of life, death, locks, doors and breaking: such things change by deeds of their own."""
    found: set[str] = set()
    for left, right in scales():
        if _GUARDED & left:
            found |= left | right
    return frozenset(found)


def is_detail(name: str, state: GameState, rules: Rules) -> bool:
    """Whether it is one of the details the place shows."""
    said = words(name)
    for detail in rules.place(state.scene.location_id).details:
        names = map(words, (detail.name, *detail.aliases))
        if check(detail.when, state).holds and any(known and known <= said for known in names):
            return True
    return False


def is_scenery(name: str, state: GameState, rules: Rules) -> bool:
    """Whether the place's own text speaks of it, or every place has such a thing."""
    said = words(name)
    everywhere = bool(said) and said <= word_class("every_place")
    return everywhere or is_free_to_handle(name, state, rules)


def is_gear(name: str, rules: Rules) -> bool:
    """Whether it serves in a fight or at a lock."""
    return any(words(word) & words(name) for word in rules.system.gear_words)


def missing_for_gear(new: Appear, reading: str) -> str:
    """Why gear is not to be had; '' where it is made, and of something."""
    if new.comes == "made":
        of_nothing = f"There is nothing here that would simply make a {new.name}."
        return "" if _MATERIAL.search(reading.lower()) else of_nothing
    return f"There is no {new.name} to be had here."


def is_breakable(id: str, made: bool, state: GameState, rules: Rules) -> bool:
    """Whether something is only part of the place, now (`made`) or by an earlier deed, and no way
    out goes by its name."""
    entity = state.entities.get(id)
    ways = rules.exits(state.scene.location_id, state)
    led = {word for way in ways for word in words(f"{way.name} {state.name(way.to)}")}
    leads = words(id.rpartition("/")[2].replace("-", " ").replace("_", " ")) & led
    return not leads and (made or bool(entity and entity.attrs.get("scenery")))

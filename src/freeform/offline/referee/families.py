"""How the families that the ear hears and the actions that the rules know belong together."""

from collections.abc import Mapping

from freeform.engine.world.acts import OF_ACTION
from freeform.language.ear import HeardAct

ACTION_OF = {
    "use": "use",
    "open_close": "open",
    "unlock_break": "break",
    "sneak_hide": "hide",
    "help_heal": "help",
    "make_improvise": "improvise",
    "wait_rest": "wait",
    "gm_question": "look",
    "plan_only": "plan",
    "none": "plan",
}
"""The action a family means where the rules heard none; the others go by the same name."""

SPEECH = frozenset({"talk", "ask", "persuade", "deceive", "threaten"})
LOOKS = frozenset({"look", "search"})

_KIN: Mapping[str, tuple[str, ...]] = {
    "talk": ("talk", "ask", "persuade", "threaten", "deceive", "express"),
    "ask": ("ask", "talk", "persuade"),
    "persuade": ("persuade", "talk", "ask", "give"),
    "deceive": ("deceive", "talk", "persuade"),
    "threaten": ("threaten", "persuade"),
    "look": ("look", "search", "gm_question"),
    "search": ("search", "look"),
    "recall": ("gm_question", "look"),
    "move": ("move", "sneak_hide"),
    "flee": ("move",),
    "follow": ("move", "sneak_hide"),
    "take": ("take", "use", "sneak_hide"),
    "steal": ("sneak_hide", "take"),
    "give": ("give", "persuade"),
    "show": ("give",),
    "drop": ("use", "give"),
    "use": ("use", "open_close", "unlock_break", "make_improvise", "help_heal"),
    "open": ("open_close", "unlock_break", "use"),
    "close": ("open_close", "use"),
    "unlock": ("unlock_break", "open_close", "use"),
    "break": ("unlock_break",),
    "hack": ("unlock_break",),
    "repair": ("make_improvise",),
    "improvise": ("make_improvise", "help_heal", "use", "express", "unlock_break"),
    "brave": ("make_improvise",),
    "heal": ("help_heal",),
    "hide": ("sneak_hide",),
    "attack": ("attack",),
    "wait": ("wait_rest",),
}
"""Families under which an action of the rules may stand: a request is also talk."""

_PRICE = {
    "attack": 0.7,
    "steal": 0.6,
    "wait": 0.6,
    "break": 0.5,
    "hack": 0.5,
    "threaten": 0.6,
    "flee": 0.5,
    "drop": 0.5,
    "give": 0.45,
    "hide": 0.45,
    "deceive": 0.45,
    "unlock": 0.45,
    "move": 0.35,
    "brave": 0.45,
    "persuade": 0.5,
    "take": 0.35,
}
"""How sure one must be of an action before it is done unasked; what costs little needs little."""
_CHEAP = 0.2


def likely(action: str, families: Mapping[str, float]) -> float:
    """How likely an action of the rules is what was meant, if the ear hears so."""
    return sum(families.get(family, 0.0) for family in _KIN.get(action, ("make_improvise",)))


def is_own_verb(action: str) -> bool:
    """Whether only this rules system has such an action, so that no ear was taught it."""
    return action not in _KIN and action not in OF_ACTION


def needed(action: str) -> float:
    """How sure one must be to do it without asking."""
    return _PRICE.get(action, _CHEAP)


def family_of(action: str, families: Mapping[str, float]) -> str:
    """The likeliest family that an action of the rules can stand under."""
    kin = _KIN.get(action, (OF_ACTION.get(action, "make_improvise"),))
    return max(kin, key=lambda family: families.get(family, 0.0))


def best(families: Mapping[str, float]) -> tuple[str, float]:
    """The likeliest family."""
    family = max(families, key=lambda name: families[name])
    return family, families[family]


def spoken_surely(act: HeardAct) -> float:
    """How surely an act is words to somebody."""
    return sum(act.families.get(one, 0.0) for one in SPEECH)

"""What may be said of whom: the sentence that says what is so, and the states that fit."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import yaml

from freeform.core.chance import Chance
from freeform.engine.rulings.reach import captive_words, guarded_words
from freeform.language.forms import is_participle, is_plural
from freeform.language.inflection import irregular_verb
from freeform.language.meaning.outcome import is_said_of
from freeform.language.words import lemmas, word_class
from freeform.offline.grammar import listed
from freeform.offline.rulings.deed import Effects
from freeform.offline.rulings.subjects import Sighted

YOU = "you"
_SILENT = "silent"
"""The kind of state that is kept and not told."""
_ONES_OWN = frozenset({"taken", "mine", "held", "in hand", "picked up"})
_UNWILLING = (
    "{It} sees what you are about, and is out of reach before it is done.",
    "{It} pushes your hands away.",
    "{It} will not have it, and steps back.",
    "{It} twists out of it, and there is a yard of floor between you again.",
)
_STUBBORN = (
    "It slips from your hands before it is done; {it} is as it was.",
    "You have not the hand for it, and {it} is as it was.",
    "Halfway through you lose your hold, and have to leave {it} as it was.",
)
_SLIPPED = "You lose your balance over it, and have to let it be."


def is_cut(words: str) -> bool:
    """Whether a stretch ends before its noun."""
    last = words.split()[-1].lower()
    small = ("determiners", "deed_places", "deed_ends")
    return any(last in word_class(name) for name in small)


def may_be_said(state: str, subject: Sighted) -> bool:
    """Whether a ruling may bring a state about: it is said of such, no lock is opened by it, and
    nobody is `on`."""
    of = "me" if subject.name == YOU else "person" if subject.kind == "person" else "thing"
    of_things = state in word_class("deed_particles") and subject.kind in ("own", "person")
    if subject.kind == "mine" and state in _ONES_OWN:
        return False  # it is one's own already
    return is_said_of(state, of) and not of_things and state not in guarded_words()


def so(subject: Sighted, states: list[str]) -> str:
    """The sentence that says what is so."""
    name = subject.told
    many = subject.kind != "person" and is_plural(name)
    are = "are" if name == YOU or many else "is"
    return f"{name[:1].upper()}{name[1:]} {are} {listed(states)}."


def seen(subject: Sighted, states: Sequence[str], told: str, chance: Chance) -> str:
    """What one sees besides the deed that is told: nothing that its own words say already, nothing
    of oneself, and no verb handed back as a state."""
    if not told:
        return so(subject, list(states))
    if subject.kind == "own":
        return ""
    known = set(lemmas(told.partition(" to ")[0]))  # what it is for need not have come about
    new = [state for state in states if not set(lemmas(state)) <= known and not is_silent(state)]
    for state in new:
        if lines := _sights().get(state):
            return _of(chance.at("seen", state).choose(lines), subject)
    return so(subject, new) if new else ""


def is_worth_seeing(text: str) -> bool:
    """Whether a sentence that says what is so says more than that a verb was done to it."""
    before, _, state = text.rstrip(".").partition(" is " if " is " in text else " are ")
    return not before or not state or state in _sights() or _is_plain(state)


def _is_plain(state: str) -> bool:
    """Whether one says that something is so: `wet`, `blocked with a stool`; not `fed`."""
    first = state.split()[0]
    done = is_participle(first) or bool(irregular_verb(first))
    return not done or first in _sights() or state in _sights()


def resisted(whom: Sighted | None, subject: Sighted, chance: Chance) -> str:
    """What stopped a deed: someone who would not have it, or the thing itself."""
    if whom is not None:
        return _of(chance.at("resisted").choose(_UNWILLING), whom)
    return _of(chance.at("resisted").choose(_STUBBORN), subject) if subject.id else _SLIPPED


@cache
def _kinds_of_sight() -> dict[str, dict[str, list[str]]]:
    text = (files("freeform.offline.rulings") / "sights.yaml").read_text(encoding="utf-8")
    read: dict[str, dict[str, list[str]]] = yaml.load(text, Loader=yaml.CBaseLoader)
    return read


@cache
def _sights() -> dict[str, list[str]]:
    """What one sees of a state, by its name."""
    kinds = [kind for name, kind in _kinds_of_sight().items() if name != _SILENT]
    return {state: kind.get("lines", []) for kind in kinds for state in kind["states"]}


def is_silent(state: str) -> bool:
    """Whether a state is kept and not told."""
    return state in _kinds_of_sight()[_SILENT]["states"]


def _of(line: str, subject: Sighted) -> str:
    name = subject.told
    return line.replace("{It}", f"{name[:1].upper()}{name[1:]}").replace("{it}", name)


def once(effects: Effects) -> Effects:
    """Each effect once: what is lifted out of the scenery for one state is there for the next."""
    kept: Effects = []
    for effect in effects:
        if effect not in kept:
            kept.append(effect)
    return kept


def holds_someone(effects: Effects) -> bool:
    """Whether somebody is bound or shut in by it: nobody lets that happen for the asking."""
    became = [effect["become"]["condition"] for effect in effects if "become" in effect]
    return bool(captive_words() & set(became))

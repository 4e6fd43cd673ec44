"""What may be said of whom: the sentence that says what is so, and the states that fit."""

from freeform.engine.rulings.reach import captive_words, guarded_words
from freeform.language.forms import is_plural
from freeform.language.meaning.outcome import is_said_of
from freeform.language.words import word_class
from freeform.offline.grammar import listed
from freeform.offline.rulings.deed import Effects
from freeform.offline.rulings.subjects import Sighted

YOU = "you"


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
    return is_said_of(state, of) and not of_things and state not in guarded_words()


def so(subject: Sighted, states: list[str]) -> str:
    """The sentence that says what is so."""
    name = subject.told
    many = subject.kind != "person" and is_plural(name)
    are = "are" if name == YOU or many else "is"
    return f"{name[:1].upper()}{name[1:]} {are} {listed(states)}."


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

"""Which thing a few words mean: whole names and aliases first, then single telling words."""

import re
from collections.abc import Iterable
from functools import lru_cache
from operator import is_

from freeform.engine.world.state import Entity, GameState
from freeform.language.inflection import singular
from freeform.language.words import telling_words

_SHORT = 120
_CASTS = 256
_ID = re.compile(r"[\w:]+")


def words(text: str) -> frozenset[str]:
    """The telling words of a text, in their plain form, plurals and possessives cut."""
    return _short_words(text) if len(text) <= _SHORT else _long_words(text)


def _words(text: str) -> frozenset[str]:
    return frozenset(singular(word) for word in telling_words(text, "talk"))


_short_words = lru_cache(maxsize=20_000)(_words)
_long_words = lru_cache(maxsize=500)(_words)
"""The same names and the same turns' prose are compared again and again: each is taken apart
once."""


def overlap(spoken: str, listed: Iterable[str]) -> int:
    """How many of the listed words or phrases the spoken text holds; a phrase counts each of its
    words."""
    heard = words(spoken)
    score = 0
    for phrase in listed:
        parts = words(phrase)
        if parts and parts <= heard:
            score += len(parts)
    return score


def names_of(entity: Entity) -> list[str]:
    """What people may call an entity."""
    aliases = [str(alias) for alias in entity.attrs.get("aliases", [])]
    return [entity.name, *aliases, entity.id.rpartition(":")[2].replace("_", " ")]


class _Names:
    """Whom the words of a text may mean, word by word: made once for as long as the cast stays the
    same."""

    def __init__(self, cast: tuple[Entity, ...]) -> None:
        self._forms: dict[str, list[tuple[frozenset[str], str, str]]] = {}
        self._ids = {entity.id: entity.type for entity in cast}
        for entity in cast:
            for form in {words(name) for name in names_of(entity)} - {frozenset()}:
                self._forms.setdefault(min(form), []).append((form, entity.id, entity.type))

    def find(self, text: str, types: tuple[str, ...]) -> dict[str, int]:
        """Each one named, with how many words of a name were said; 99 for an id in full."""
        heard = words(text)
        scores: dict[str, int] = {}
        for word in heard:
            for form, id, type in self._forms.get(word, ()):
                if type in types and len(form) > scores.get(id, 0) and form <= heard:
                    scores[id] = len(form)
        for id in _ID.findall(text):
            if self._ids.get(id) in types:
                scores[id] = 99
        return scores


class _Casts:
    """The names of the casts that play lately.

    A state's entities are values: the same ones have the same names.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[Entity, ...], _Names]] = {}

    def names(self, state: GameState) -> _Names:
        cast = tuple(state.entities.values())
        known, names = self._known.pop(state.campaign_id, ((), None))
        if names is None or len(known) != len(cast) or not all(map(is_, known, cast)):
            names = _Names(cast)
        self._known[state.campaign_id] = cast, names
        if len(self._known) > _CASTS:
            del self._known[next(iter(self._known))]
        return names


_RECENT_CASTS = _Casts()


def mentioned(text: str, state: GameState, types: tuple[str, ...]) -> list[str]:
    """The entities of those types that a text names, best match first."""
    if not text:
        return []
    scores = _RECENT_CASTS.names(state).find(text, types)
    return sorted(scores, key=lambda id: (-scores[id], id))


def is_named(id: str, text: str, state: GameState) -> bool:
    """Whether a text names that one; the same as being among `mentioned`, at the price of one
    look."""
    entity = state.entities.get(id)
    if entity is None or not text:
        return False
    if id in text and re.search(rf"(?<![\w:]){re.escape(id)}(?![\w:])", text):
        return True
    heard = words(text)
    names = map(words, names_of(entity))
    return any(name and name <= heard for name in names)


def meant(text: str, state: GameState, types: tuple[str, ...]) -> list[str]:
    """Those that a text names, without such as are named only inside a longer name: a red box is
    not the box."""
    heard = words(text)
    said = {id: _said_of(id, heard, state) for id in mentioned(text, state, types)}
    return [id for id in said if not _is_part(said[id], said.values())]


def _is_part(name: frozenset[str], others: Iterable[frozenset[str]]) -> bool:
    return any(name < other for other in others)


def _said_of(id: str, heard: frozenset[str], state: GameState) -> frozenset[str]:
    """The most words that were said of any of its names."""
    return max((words(name) & heard for name in names_of(state.entities[id])), key=len)

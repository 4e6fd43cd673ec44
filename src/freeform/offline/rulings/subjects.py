"""What a deed is done to: a person, a thing, a part of the place; nothing that is not in sight."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from freeform.core.text import slug
from freeform.engine.world.names import words
from freeform.engine.world.state import PLAYER
from freeform.language.inflection import lemma, singular
from freeform.language.words import word_class
from freeform.language.words import words as every_word
from freeform.offline.grammar import turned, with_article
from freeform.offline.interpreter.names import Named
from freeform.offline.rulings.clause import DeedClause, WordRun

Kind = Literal["person", "mine", "thing", "scenery", "place", "own"]
_LONGEST = 4
_MARKS = ".,;:!?\"“”'()"
_ANYONE = frozenset({"whoever", "whomever", "anyone", "anybody", "someone", "somebody"})
_SMALL = frozenset({"of", "one", "rest", "all", "whole", "other"})


@dataclass(frozen=True)
class Sighted:
    """Someone or something in sight. `own`: what everyone has, a coat or a sleeve."""

    kind: Kind
    id: str
    name: str

    @property
    def told(self) -> str:
        """As it stands inside a sentence."""
        return self.name if self.kind in ("person", "own") else with_article(self.name)

    def effects(self) -> list[dict[str, Any]]:
        """What lifts it out of the scenery, if it is only part of that."""
        if self.kind != "scenery":
            return []
        return [{"appear": {"id": self.id, "name": self.name}}]


class Sight:
    """Everything in sight, for one input."""

    def __init__(self, clause: DeedClause) -> None:
        self._clause = clause
        self._packet = clause.hearing.packet
        self.here = clause.hearing.cast.here
        rows = self._packet.inventory
        self._mine = {str(row["item_id"]) for row in rows if row.get("owner_id") == PLAYER}
        self._types = {str(row.get("id")): str(row.get("type")) for row in self._packet.entities}

    def of(self, span: WordRun | None) -> Sighted | None:
        """What a stretch of words names, if that is in sight: the first that fits."""
        if span is None or span.first >= span.last:
            return None
        if self._clause.plain_words(span)[:1] == ["myself"]:
            return Sighted("own", PLAYER, "yourself")
        for ref in self._clause.hearing.references(span.first, span.last):
            if self._clause.hearing.plain(ref.first) in _ANYONE:
                continue
            found = self._named(ref.named, WordRun(ref.first, ref.last)) if ref.named else None
            if found:
                return found
        return self._own(span) or self._scenery(span)

    def person(self, span: WordRun | None) -> Sighted | None:
        """Someone present whom the words name, or whose hand or coat they name."""
        if span is None:
            return None
        for ref in self._clause.hearing.references(span.first, span.last, "person"):
            named = ref.fits("person")
            if named is not None and named.kind == "person" and named.near:
                return Sighted("person", named.id, named.name)
        return None

    def people(self) -> list[Sighted]:
        """Everyone present."""
        named = {str(row.get("id")): str(row.get("name")) for row in self._packet.entities}
        return [
            Sighted("person", id, named[id])
            for id in self._packet.present_entities
            if id != PLAYER and id in named
        ]

    def _named(self, named: Named, said: WordRun) -> Sighted | None:
        if named.kind == "person":
            return Sighted("person", named.id, named.name) if named.near else None
        if named.id in self._mine:
            return Sighted("mine", named.id, named.name)
        if named.kind == "thing" and (named.near or self._types.get(named.id) == "object"):
            return Sighted("thing", named.id, named.name)
        if named.kind == "place" and not _is_part_of_name(self._clause.words(said), named.name):
            if not (named.way or named.id == self.here):
                return None
            return Sighted("place", named.id, self._clause.words(said) if named.way else named.name)
        if named.kind == "detail":
            return Sighted("scenery", self._part(named.name).id, self._clause.words(said).lower())
        return None

    def _part(self, name: str) -> Sighted:
        return Sighted("scenery", f"{self.here}/{slug(name)}", name.lower())

    def _own(self, span: WordRun) -> Sighted | None:
        """One's own coat, or something that is nobody's: no thing of the world."""
        said = self._clause.plain_words(span)
        if "my" in said and any(singular(word) in word_class("ones_own") for word in said):
            return Sighted("own", "", turned(self._clause.words(span)))
        return None

    def _scenery(self, span: WordRun) -> Sighted | None:
        """Something the place's own text speaks of."""
        kept = self._noun_words(span)
        every, texts = word_class("every_place"), self._told_of_here()
        for name in _names_in(kept):
            known = words(name) and words(name) <= every
            if known or (words(name) and any(_stands_in(name, text) for text in texts)):
                return None if _is_proper(name, texts) else self._part(name)
        return None

    def _noun_words(self, span: WordRun) -> list[str]:
        """The words of a stretch up to its first mark that may be a name, without what joins it to
        the rest."""
        kept: list[str] = []
        joins = word_class("deed_places") | word_class("deed_particles")
        for word in self._clause.plain_words(span):
            if not word[:1].isalnum():
                break
            small = word in self._clause.hearing.words.determiners or word in _SMALL
            if word.isalpha() and not small and word not in word_class("pointing_back"):
                kept.append(word)
        while kept and kept[-1] in joins:
            kept.pop()
        return kept

    def _told_of_here(self) -> list[str]:
        """The place's own text, what those present do, and what was told last."""
        scene = self._packet.scene
        texts = [str(scene.get("description", "")), *map(str, scene.get("atmosphere") or [])]
        for lines in (scene.get("idle") or {}).values():
            texts += map(str, lines)
        for turn in self._packet.recent_events:
            texts += [line for line in str(turn.get("text", "")).split("\n") if line[:1] != ">"]
        return texts


@lru_cache(maxsize=256)
def _spelled(text: str) -> str:
    return f" {' '.join(map(lemma, every_word(text)))} "


def _stands_in(name: str, text: str) -> bool:
    """Whether a text has the words side by side: a door that is shut is no `door shut`."""
    return _spelled(name) in _spelled(text)


def _is_part_of_name(said: str, name: str) -> bool:
    """Whether words are only the first part of a name: a newspaper is no newspaper morgue."""
    called = list(map(singular, every_word(name)))
    shared = [word for word in map(singular, every_word(said)) if word in called]
    return bool(called and shared) and called[-1] not in shared and bool(words(" ".join(shared)))


def _is_proper(name: str, texts: list[str]) -> bool:
    """Whether a text has it with a capital only, as the name of someone: `Marcus`."""
    found = [word for text in texts for word in text.split() if word.strip(_MARKS).lower() == name]
    return bool(found) and all(word.strip(_MARKS)[:1].isupper() for word in found)


def _names_in(kept: list[str]) -> list[str]:
    """What a stretch may call a thing: all its words, the last of them, the first of a long one.
    The last word of a short stretch is its noun, so a name ends with it."""
    if len(kept) <= _LONGEST:
        return [" ".join(kept[first:]) for first in range(len(kept))]
    names: list[str] = []
    for first in range(len(kept)):
        names += [" ".join(kept[first : first + _LONGEST]), kept[first]]
    return names

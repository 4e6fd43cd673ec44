"""What wikis call things: labels and headings to our predicates, categories to our kinds
(`vocabulary.yaml`)."""

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from freeform.core.record import Record
from freeform.language.forms import is_plural
from freeform.language.meaning.natures import noun_kind
from freeform.language.words import words
from freeform.lore.model import Kind

_ENDS = frozenset({"in", "at", "on", "to", "with", "from", "near", "towards"})
_JOINTS = _ENDS | {"by", "of", "for", "number", "former", "formerly", "old", "previous", "and"}
"""A label with one of these inside says more than its last word does."""
_REMEMBERED = 8192
"""Labels and categories whose kind is kept: a wiki says the same ones on page after page."""
ValueType = Literal["set", "one", "number", "text"]


class Predicate(Record):
    """What can be said of a kind of thing. `names`: the kind its values are, '' for plain
    values."""

    id: str
    type: ValueType = "one"
    names: str = ""


class Vocabulary(Record):
    """The file, read."""

    kinds: dict[str, list[str]]
    places: list[str]
    eras: list[str]
    times: list[str]
    past: list[str]
    predicates: dict[str, dict[str, Predicate]]
    labels: dict[str, dict[str, str]]
    """Kind of subject -> label in plain form -> predicate."""


@cache
def vocabulary() -> Vocabulary:
    """The words we know."""
    raw: dict[str, Any] = yaml.load(
        (files("freeform.lore.read") / "vocabulary.yaml").read_text(encoding="utf-8"),
        Loader=yaml.CSafeLoader,
    )
    predicates: dict[str, dict[str, Predicate]] = {}
    labels: dict[str, dict[str, str]] = {}
    for kind, known in raw["predicates"].items():
        predicates[kind] = {
            name: Predicate(id=name, type=spec["type"], names=spec.get("names", ""))
            for name, spec in known.items()
        }
        labels[kind] = {
            label_form(word): name
            for name, spec in known.items()
            for word in [name, *spec["words"]]
        }
    return Vocabulary(
        kinds=raw["kinds"],
        places=raw["places"],
        eras=raw["eras"],
        times=raw["times"],
        past=raw["past"],
        predicates=predicates,
        labels=labels,
    )


def label_form(text: str) -> str:
    """A label as it is looked up: small letters, no marks."""
    return " ".join(words(text))


def predicate_of(kind: Kind, label: str) -> Predicate | None:
    """The predicate a label means for a kind of subject: as it is written, without the small word
    at its end (`Exits to`, `Found at`), or by the noun it turns on (`Major settlements`)."""
    labels, form = vocabulary().labels[kind], label_form(label)
    known = vocabulary().predicates[kind]
    ends = {_without_end(word): told for word, told in labels.items()}
    name = labels.get(form) or ends.get(_without_end(form), "")
    if name:
        return known[name]
    # `Armor class` is no class: only what names things goes by its noun alone.
    turned_on = known.get(labels.get(_head(form), ""))
    return turned_on if turned_on and turned_on.names else None


def _without_end(form: str) -> str:
    """A label without the preposition it ends with; `by` says who does it and stays."""
    first, _, last = form.rpartition(" ")
    return first if first and last in _ENDS else form


def _head(form: str) -> str:
    """The noun a label turns on: before `of`, else behind an adjective or two."""
    found = form.partition(" of ")[0].split()
    if " of " in form and len(found) == 1:
        return found[0]
    plain = 1 < len(found) <= 3 and not set(found) & _JOINTS
    return found[-1] if plain else form


_BY_KIND: dict[tuple[str, str], str] = {
    ("zone", "zone"): "connects_to", ("zone", "lore"): "place", ("zone", "npc"): "npc",
    ("zone", "faction"): "factions", ("zone", "narrative_item"): "item",
    ("npc", "zone"): "zone", ("npc", "lore"): "zone", ("npc", "faction"): "faction", ("npc", "npc"): "relation",
    ("faction", "zone"): "homeworld", ("faction", "lore"): "homeworld", ("faction", "npc"): "member",
    ("lore", "zone"): "zone", ("lore", "faction"): "faction",
    ("narrative_item", "zone"): "zone", ("narrative_item", "lore"): "zone", ("narrative_item", "npc"): "wielder",
}  # fmt: skip
"""What a label most likely says where only the kinds of subject and values are known."""


def by_kinds(subject: Kind, values: Kind) -> Predicate | None:
    """The predicate that things of one kind most likely have to things of another."""
    name = _BY_KIND.get((subject, values))
    return predicate(subject, name) if name else None


def by_head(subject: Kind, label: str) -> Predicate | None:
    """The predicate of an unknown label by the noun it turns on: `Towns` of a zone are places. A
    noun that only the table of nouns knows must be of several, and what it is said of must have
    several: an `Entrance` may lead anywhere, and nobody is in all their `Posts`."""
    form = label_form(label)
    if not form or len(form.split()) > 3 or set(form.split()) & _JOINTS:
        return None
    noun = form.split()[-1]
    if not is_plural(noun) and not _is_known(noun):
        return None
    named = kind_under(noun)
    known = by_kinds(subject, named) if named else None
    if known is None or (named == "lore" and not is_place(form)):
        return None
    return known if known.type == "set" or _is_known(noun) else None


def predicate(kind: Kind, id: str) -> Predicate:
    """The predicate of that id; an unknown one is a plain fact that sources should agree on."""
    return vocabulary().predicates[kind].get(id) or Predicate(id=id)


@cache
def _kind_words() -> list[tuple[str, Kind]]:
    known: list[tuple[str, Any]] = [
        (word, kind) for kind, words in vocabulary().kinds.items() for word in words
    ]
    return sorted(known, key=lambda pair: -len(pair[0]))


def _is_known(noun: str) -> bool:
    return any(word == noun for word, _ in _kind_words())


@lru_cache(maxsize=_REMEMBERED)
def kind_of_words(text: str) -> Kind | None:
    """The kind of thing a category or an infobox's name speaks of; its last word counts most."""
    form = label_form(text)
    found = [
        (form.rfind(word), len(word), kind)
        for word, kind in _kind_words()
        if re.search(rf"\b{word}\b", form)
    ]
    # In "Star systems of the Empire" the head stands before "of"; else it stands last.
    head = _before_of(form)
    first = [each for each in found if each[0] >= 0 and each[0] < len(head)]
    if first:
        return max(first)[2]
    # A Warden of the Fens is a person, though only the Fens are a word we know.
    return _NOUNS.get(_noun_of(form)) or (max(found)[2] if found else None)


@lru_cache(maxsize=_REMEMBERED)
def kind_under(label: str) -> Kind | None:
    """The kind of the things under a label or the head of a column, by its own words. That a noun
    the table alone knows is a person's or a company's says nothing of whose world they are of:
    wikis list who wrote, voiced and sold a game as they list its wardens."""
    named = kind_of_words(label)
    head = _before_of(label_form(label))
    listed = any(re.search(rf"\b{word}\b", head) for word, _ in _kind_words())
    return named if listed or named == "lore" else None


_NOUNS: dict[str, Kind] = {"place": "lore", "person": "npc", "faction": "faction"}


def _before_of(form: str) -> str:
    return label_form(re.split(r"\b(?:of|in|from|by)\b", form)[0])


def _noun_of(form: str) -> str:
    """What the noun that some words turn on names, of the nouns the table does not have."""
    words = (_before_of(form) or form).split()
    return noun_kind(words[-1]) if words else ""


def is_place(text: str) -> bool:
    """Whether a category or infobox name speaks of a place inside a zone."""
    form = label_form(text)
    known = any(re.search(rf"\b{word}\b", form) for word in vocabulary().places)
    return known or _noun_of(form) == "place"


def is_era(label: str) -> bool:
    """Whether a label says for which time its page holds."""
    return label_form(label) in vocabulary().eras

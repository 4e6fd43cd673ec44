"""What a noun names, a person, a place, a thing or a matter: by a table, its ending, its place."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Literal, NamedTuple

from freeform.forge.data import plain_yaml
from freeform.language.inflection import lemma, singular

NounKind = Literal["person", "place", "thing", "matter"]
_PERSON = (
    "er",
    "or",
    "ist",
    "man",
    "woman",
    "ess",
    "smith",
    "wright",
    "monger",
    "eer",
    "ian",
    "ant",
    "mate",
)
_PLACE = (
    "house",
    "yard",
    "ton",
    "ville",
    "shire",
    "land",
    "port",
    "hall",
    "mill",
    "wood",
    "ford",
    "haven",
    "burgh",
    "stead",
    "side",
    "mouth",
    "field",
    "fell",
    "moor",
    "point",
)
_MATTER = (
    "ness",
    "tion",
    "sion",
    "ment",
    "ity",
    "dom",
    "ism",
    "ance",
    "ence",
    "ship",
    "hood",
    "cy",
)


_NOBODY = (*_MATTER, "ery", "ing", "age")


class WordTables(NamedTuple):
    """The tables, ready to be asked."""

    kinds: dict[str, tuple[NounKind, str]]
    kin: frozenset[str]
    vast: frozenset[str]
    times: frozenset[str]
    verbs: frozenset[str]
    """Lemmas."""
    adjectives: frozenset[str]
    small: frozenset[str]
    groups: frozenset[str]
    bodies: frozenset[str]
    body: frozenset[str]
    wide: frozenset[str]
    said_on: frozenset[str]
    said_at: frozenset[str]
    outposts: frozenset[str]
    coaches: frozenset[str]
    cars: frozenset[str]
    counts: frozenset[str]
    determiners: frozenset[str]
    where: frozenset[str]
    airy: frozenset[str]
    """Things nobody can pick up."""
    gone: frozenset[str]
    gone_before: frozenset[str]
    gone_links: frozenset[str]


@cache
def word_tables() -> WordTables:
    """The tables of `words.yaml`, read once."""
    with as_file(files("freeform.forge.premise") / "words.yaml") as file:
        table: dict[str, Any] = plain_yaml(Path(file))
    kinds: dict[str, tuple[NounKind, str]] = {}
    for word in table["matters"].split():
        kinds[word] = ("matter", "")
    for word in table["things"].split():
        kinds[word] = ("thing", "")
    for sub, words in table["places"].items():
        kinds.update({word: ("place", sub) for word in words.split()})
    for word in f"{table['people']} {table['kin']}".split():
        kinds[word] = ("person", "")
    plain = {
        name: frozenset(str(table[name]).split())
        for name in WordTables._fields
        if name not in ("kinds", "verbs")
    }
    verbs = frozenset(lemma(word) for word in table["verbs"].split())
    return WordTables(kinds=kinds, verbs=verbs, **plain)


def known_kind(word: str) -> tuple[NounKind, str] | None:
    """What a common noun names, by the table."""
    plain = word.lower()
    kinds = word_tables().kinds
    return kinds.get(plain) or kinds.get(singular(plain))


def ends_as_people(head: str) -> bool:
    """Whether a noun ends as words for people do: keeper, tailor, florist."""
    return head.lower().endswith(_PERSON) and len(head) > 4 and not ends_as_nobody(head)


def ends_as_nobody(head: str) -> bool:
    """Whether a noun ends as words for people never do: bravery, seniority, championship."""
    return head.lower().endswith(_NOBODY) and len(head) > 5


def kind_of_noun(head: str, before: str, is_name: bool) -> tuple[NounKind, str]:
    """What any noun names, and of which sort a place is; `before` is the word before its phrase."""
    known = known_kind(head)
    if known:
        return known
    plain = singular(head.lower())
    if before in word_tables().where:
        return "place", "settlement" if is_name else "building"
    if plain.endswith(_PLACE) and len(plain) > 5:
        return "place", "settlement" if is_name else "building"
    if plain.endswith(_MATTER) and len(plain) > 5:
        return "matter", ""
    if is_name or (plain.endswith(_PERSON) and len(plain) > 4):
        return "person", ""
    return "thing", ""

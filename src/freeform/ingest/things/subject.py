"""What a section's own sentences say it is about: a place, a person or a group. Pure.

For books that have no catalogue shape: keyed rooms of an adventure, a gazetteer, people with a
heading each. Common words of the language decide, and how the prose speaks of its subject (she, it,
they); no game's names are known here.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from freeform.core.text import plain_form, words_in
from freeform.ingest.model import ChapterIntent
from freeform.ingest.things.kinds import Kind
from freeform.ingest.things.names import GROUP, PLACE, TITLES
from freeform.language.sentences import sentences

KEYED = re.compile(
    r"^(?:(?:[Aa]rea |[Rr]oom |[Ll]ocation )?([A-Za-z]{0,2}\d{1,4}[a-z]?)[.:)]?|"
    r"([A-Z])[.:)]?)\s+(?=\S*[A-Za-z])"
)
_SITES = PLACE | frozenset(
    "room chamber corridor passage door stairs cellar tomb crypt shaft well pit pool dock wharf pier lighthouse chapel "
    "house houses hut farm mill tunnel entrance wreck tor barrow point cove bank spit cliff garden library vault "
    "cavern shrine altar courtyard ward block camp outpost colony ship deck".split()
)
_GROUPS = GROUP | frozenset(
    "club family families band lodge sect cabal faction school crew clergy".split()
)
_STANDS = re.compile(
    r"\b(?:lies?|stands?|hangs?|sits?|rises?|overlooks?|runs?|sprawls?|nestles?|leads?)\b"
)
_INSIDE = re.compile(
    r"\b(?:north|south|east|west|northern|southern|eastern|western|floor|wall|walls|ceiling|"
    r"doors?|windows?|shaft|"
    r"beneath|above|below|corner|streets?|feet|paces|fathoms|harbou?r|courtyards?)\b",
    re.I,
)
_ONE = re.compile(r"\b(?:he|she|him|his|her|hers)\b", re.I)
_THING = re.compile(r"\b(?:it|its)\b", re.I)
_MANY = re.compile(r"\b(?:they|their|them|members?|elders?|founded|led by|sworn)\b", re.I)
_SPOKEN_TO = re.compile(r"\b(?:you|your)\b", re.I)
SURE, CLEAR = 3.0, 1.0
#: Where a section may be lore; elsewhere prose explains rules.
LORE = frozenset(
    {ChapterIntent.SETTING, ChapterIntent.FACTIONS, ChapterIntent.NARRATIVE, ChapterIntent.BESTIARY}
)


def told_kind(title: str, text: str, intent: ChapterIntent, keyed: bool) -> Kind | None:
    """The kind, when the sentences are clear about it. `keyed`: the heading is one of a numbered
    series."""
    words = words_in(text)
    if words < 12 or len(_SPOKEN_TO.findall(text)) > 0.04 * words:
        return None
    name = KEYED.sub("", title)
    plain = plain_form(name).split()
    if not plain or not (keyed or _is_proper(name, text)):
        return None
    first = " ".join(sentences(re.sub(r"[*_]", "", text))[:2])
    scores: dict[Kind, float] = {"place": 0.0, "faction": 0.0, "person": 0.0}
    scores["place"] += 3.0 * keyed + 1.0 * (intent is ChapterIntent.SETTING)
    scores["place"] += 2.5 * bool(set(plain) & _SITES) + 2.0 * bool(_STANDS.search(first))
    scores["place"] += min(2.0, 0.5 * len(_INSIDE.findall(text))) + 1.5 * _opens_with(first, _SITES)
    scores["faction"] += 3.0 * bool(set(plain) & _GROUPS) + 1.0 * (intent is ChapterIntent.FACTIONS)
    scores["faction"] += 1.5 * _opens_with(first, _GROUPS) + min(
        1.5, 0.4 * len(_MANY.findall(text))
    )
    ones, things = len(_ONE.findall(text)), len(_THING.findall(text))
    if ones >= 2 and ones > things and not keyed:
        scores["person"] += (
            min(3.0, 1.0 * ones)
            + 1.0 * (not things)
            + 1.0 * (len(plain) in (2, 3) and plain[0] != "the")
        )
    scores["person"] += 4.0 * (len(plain) > 1 and plain[0].rstrip(".") in TITLES)
    (best, most), (_, second) = sorted(scores.items(), key=lambda row: -row[1])[:2]
    return best if most >= SURE and most - second >= CLEAR else None


def keyed_series(titles: Sequence[str]) -> bool:
    """Whether these headings, side by side, are numbered one after the other."""
    numbers = [place for title in titles if (place := _place(title)) is not None]
    rising = sum(1 for a, b in pairwise(numbers) if b == a + 1)
    return (
        len(numbers) >= 3
        and rising >= 0.7 * (len(numbers) - 1)
        and len(numbers) >= 0.5 * len(titles)
    )


def _place(title: str) -> int | None:
    """Where a key stands in its series: by its number, or by its letter."""
    found = KEYED.match(title)
    if found is None:
        return None
    return ord(found[2]) - ord("A") if found[2] else int(re.sub(r"\D", "", found[1]))


def _is_proper(name: str, text: str) -> bool:
    """Whether the heading is a name: the text says it, too, or its words are a title or a sort of
    place or group."""
    words = [
        word
        for word in re.findall(r"[A-Z][\w’']+", name)
        if word.lower() not in ("the", "of", "and", "a")
    ]
    known = _SITES | _GROUPS | TITLES
    if len(words) >= 2 and (any(word.lower() in known for word in words) or len(name.split()) <= 4):
        return True
    return any(re.search(rf"(?<![.!?] )\b{re.escape(word)}\b", text) for word in words)


def _opens_with(first: str, nouns: frozenset[str]) -> bool:
    """`A lighthouse on a spit`, `Vesper is a city of`: the noun comes early in the first
    sentence."""
    return bool(set(re.findall(r"[a-z]+", first.lower())[:14]) & nouns)

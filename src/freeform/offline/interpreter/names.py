"""Who and what can be named here: people, places, things and details, found by name, alias or near
miss."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from freeform.core.text import plain_form
from freeform.engine.world.model import ContextPacket
from freeform.engine.world.state import PLAYER
from freeform.language.ear import KnowsWord
from freeform.language.forms import other_number
from freeform.language.words import word_class
from freeform.offline.interpreter.lexicon import lexicon
from freeform.offline.interpreter.words import Typed

Kind = Literal["self", "person", "place", "thing", "detail", "other"]
_KINDS: dict[str, Kind] = {
    "npc": "person", "person": "person", "character": "person", "creature": "person", "monster": "person",
    "animal": "person", "location": "place", "place": "place", "item": "thing", "object": "thing",
    "thing": "thing", "device": "thing", "vehicle": "thing", "pc": "self",
}  # fmt: skip
_OF = re.compile(
    r" (?:of|from|to|for|with|in|on|at|over|under|above|below|behind|beneath|beside|near|by) "
)
_WHO_ALSO = re.compile(r" (?:who|whose|that|and|but) |[.;:,]")
"""Where a concept has said what somebody is: `a courier | who owes money`."""
_ARTICLES = ("the ", "a ", "an ")
_POINTS = frozenset({"the", "that", "this"})
LONGEST_NAME = 5
_SHORTEST_TAIL, _SHORTEST_FRONT = 4, 3
"""Letters of `book` and of `log` where a logbook is called the book."""
_PLAIN = 0.75
_OF_COMPOUND = 0.8
Called = tuple[tuple[str, ...], tuple[str, ...], Kind]
"""Someone's names, aliases and kind."""


class Named(NamedTuple):
    """Someone or something that can be meant. A detail of the place has no id."""

    id: str
    name: str
    kind: Kind
    near: bool = False
    way: bool = False
    pronouns: str = ""
    recency: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that name something: tokens `first` up to `last`, and what they can mean, likeliest
    first."""

    first: int
    last: int
    means: tuple[tuple[Named, float], ...]
    owner: bool = False
    slip: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is named by more than a lesser word: `old` is not The Old Forge."""
        return self.means[0][1] >= _PLAIN

    def best(self, want: str = "") -> Named:
        """What is meant, if an action wants that kind of thing."""

        def fit(option: tuple[Named, float]) -> float:
            named, weight = option
            score = weight + 0.15 * (named.near or named.way) + 0.01 * min(named.recency, 9)
            if want:
                wanted = named.kind == want or (want == "thing" and named.kind == "detail")
                score += 0.35 * wanted
            return score - 0.05 * (named.kind == "detail") - 0.6 * (named.kind == "self")

        return max(self.means, key=fit)[0]


@dataclass
class Cast:
    """Every name that counts now, by the forms people use for it."""

    here: str = ""
    named: list[Named] = field(default_factory=list)
    told: frozenset[str] = frozenset()
    """Words that were told lately."""
    _called: list[Called] = field(default_factory=list)
    _looked_for: dict[Any, tuple[Container[str], list[Mention]]] = field(default_factory=dict)
    """What was found in each text, beside these verbs: a hearing looks several times."""

    def add(self, named: Named, names: Iterable[str], aliases: Iterable[str] = ()) -> None:
        """Makes something findable by its names, their parts, and its aliases."""
        self.named.append(named)
        self._called.append((tuple(names), tuple(aliases), named.kind))

    @cached_property
    def _index(self) -> "_Index":
        return _index(tuple(self._called))

    def meanings(self, form: str) -> list[tuple[Named, float]]:
        """What a spelling can mean, and how surely."""
        return [(self.named[number], weight) for number, weight in self._index.forms.get(form, ())]

    def mentions(
        self, typed: Typed, verbs: Container[str] = (), knows: KnowsWord | None = None
    ) -> list[Mention]:
        """Every name in the text, longest first at each place; then near misses in what is left."""
        key = typed.text, id(verbs), knows
        if key not in self._looked_for:
            self._looked_for[key] = verbs, self._found(typed, verbs, knows)
        return [*self._looked_for[key][1]]

    def _found(self, typed: Typed, verbs: Container[str], knows: KnowsWord | None) -> list[Mention]:
        found: list[Mention] = []
        at, end = 0, len(typed.tokens)
        while at < end:
            mention = self._exact(typed, at, end)
            if mention is None or mention.means[0][1] < 0.9:
                near = self._near_miss(typed, at, verbs, mention is not None)
                mention = near if near and not _is_english(typed, near, knows) else mention
            mention = mention or self._compound(typed, at)
            if mention:
                found.append(mention)
            at = mention.last if mention else at + 1
        return found

    def _exact(self, typed: Typed, at: int, end: int) -> Mention | None:
        for last in range(min(at + LONGEST_NAME, end), at, -1):
            run = typed.tokens[at:last]
            if any(token.kind != "word" for token in run):
                continue
            key = " ".join(token.plain for token in run)
            if key in self._index.forms and not (len(run) == 1 and key in _NEVER):
                return self._mention(at, last, self.meanings(key), run[-1].owner)
        return None

    def _near_miss(
        self, typed: Typed, at: int, verbs: Container[str], longer: bool
    ) -> Mention | None:
        """A name one or two slips away; `longer` where the first word alone is already part of a
        name."""
        token = typed.tokens[at]
        if token.kind != "word" or token.plain in _NEVER:
            return None
        for length in (3, 2) if longer else (3, 2, 1):
            run = typed.tokens[at : at + length]
            if len(run) < length or any(part.kind != "word" for part in run):
                continue
            key = " ".join(part.plain for part in run)
            if length == 1 and (key in lexicon().common or key in verbs or key in everyday()):
                return None
            slips = 0 if len(key) < 5 else 1 if len(key) < 8 else 2
            if not slips:
                continue
            hit = process.extractOne(key, self._index.long, scorer=OSA.distance, score_cutoff=slips)
            if hit and (hit[0][0] == key[0] or sorted(hit[0]) == sorted(key)):
                options = [(named, weight - 0.1) for named, weight in self.meanings(hit[0])]
                return replace(self._mention(at, at + length, options, run[-1].owner), slip=True)
        return None

    def _compound(self, typed: Typed, at: int) -> Mention | None:
        """The end of one thing's name, where it is pointed at: the book for the logbook. A paper
        that was just told of is no newspaper."""
        token, before = typed.tokens[at], typed.tokens[at - 1] if at else None
        if token.kind != "word" or before is None or before.plain not in _POINTS:
            return None
        if token.plain in self.told:
            return None
        numbers = self._index.tails.get(token.plain, set())
        if len(numbers) != 1:
            return None
        named = self.named[next(iter(numbers))]
        if not named.near:
            return None
        return self._mention(at, at + 1, [(named, _OF_COMPOUND)], token.owner)

    def _mention(
        self, first: int, last: int, options: list[tuple[Named, float]], owner: bool
    ) -> Mention:
        return Mention(first, last, tuple(sorted(options, key=lambda option: -option[1])), owner)


def _is_english(typed: Typed, mention: Mention, knows: KnowsWord | None) -> bool:
    """Whether each word is one that everybody writes: `bones` is no slip for the box."""
    run = typed.tokens[mention.first : mention.last]
    return knows is not None and all(knows(token.plain) for token in run)


_NEVER = frozenset(
    lexicon().determiners | lexicon().prepositions | lexicon().pronouns | lexicon().question_words
    | lexicon().question_starts | word_class("no_misspelt_names")
)  # fmt: skip


@lru_cache(maxsize=1)
def everyday() -> frozenset[str]:
    """Words that people use every day, which are no misspelt names: `lives` is not the line."""
    return frozenset(lexicon().everyday)


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """A name without its article, as it is compared."""
    form = plain_form(name).replace("_", " ").replace("'s ", " ").strip()
    for article in _ARTICLES:
        form = form.removeprefix(article)
    return form


@lru_cache(maxsize=4096)
def _parts(name: str) -> tuple[str, ...]:
    """The words of a name that can stand for it: not `Jin` in `photo of Jin`, not `Viktor` in
    `Viktor's office`."""
    plain = plain_form(name)
    head = bare(_OF.split(plain, maxsplit=1)[0])
    return tuple(word for word in head.split() if len(word) > 2 and word + "'s" not in plain)


@lru_cache(maxsize=4096)
def _forms(
    names: tuple[str, ...], aliases: tuple[str, ...], kind: Kind
) -> tuple[tuple[str, float], ...]:
    """Every spelling that can mean something of these names, with how surely. The same from turn to
    turn."""
    weights: dict[str, float] = {}

    def note(form: str, weight: float) -> None:
        spellings = [form, form.replace("-", " "), form.replace(" ", ""), form.replace("'", "")]
        if kind in ("thing", "detail"):
            spellings.append(other_number(form))
        for spelling in spellings:
            weights[spelling] = max(
                weight if spelling == form else weight - 0.05, weights.get(spelling, 0.0)
            )

    for name in names:
        if form := bare(name):
            note(form, 1.0)
            words = _parts(name)
            for place, word in enumerate(words if " " in form else ()):
                if word not in lexicon().prepositions and word not in lexicon().determiners:
                    last = place == len(words) - 1
                    note(word, 0.85 if last or kind in ("person", "self") else 0.65)
    for alias in aliases:
        if form := bare(alias):
            note(form, 0.98)
    return tuple(weights.items())


class _Index(NamedTuple):
    """Who can be meant by a spelling, by their numbers in the cast; and the spellings long enough
    for slips."""

    forms: dict[str, list[tuple[int, float]]]
    long: list[str]
    tails: dict[str, set[int]]
    """Whose name's last word ends so."""


@lru_cache(maxsize=512)
def _index(called: tuple[Called, ...]) -> _Index:
    """The same for as long as the same are there."""
    forms: dict[str, list[tuple[int, float]]] = {}
    tails: dict[str, set[int]] = {}
    for number, (names, aliases, kind) in enumerate(called):
        for form, weight in _forms(names, aliases, kind):
            forms.setdefault(form, []).append((number, weight))
        for tail in _tails(names) if kind in ("thing", "detail") else ():
            tails.setdefault(tail, set()).add(number)
    return _Index(forms, [form for form in forms if len(form) > 4], tails)


def _tails(names: Iterable[str]) -> Iterable[str]:
    """How the last word of each name may end: `book` of a logbook."""
    for name in names:
        last = _parts(name)[-1:]
        for word in last:
            for start in range(_SHORTEST_FRONT, len(word) - _SHORTEST_TAIL + 1):
                yield word[start:]


class _LastCast:
    """The cast of the packet that was asked for last: one hearing asks for it several times, and
    suggestions that are tried on one moment share a packet. Packets and casts are values."""

    def __init__(self) -> None:
        self._kept: tuple[ContextPacket, Cast] | None = None

    def of(self, packet: ContextPacket) -> Cast:
        kept = self._kept
        if kept is None or kept[0] is not packet:
            kept = packet, _cast_of(packet)
            self._kept = kept
        return kept[1]


_LAST_CAST = _LastCast()


def cast_of(packet: ContextPacket) -> Cast:
    """Everyone and everything the packet shows."""
    return _LAST_CAST.of(packet)


def _cast_of(packet: ContextPacket) -> Cast:
    cast = Cast(here=str(packet.scene.get("location_id", "")), told=_told_lately(packet))
    focus = recent_focus(packet)
    held = {
        str(row.get("item_id", "")) for row in packet.inventory if row.get("owner_id") == PLAYER
    }
    near = held | set(packet.present_entities) | {cast.here}
    near |= {str(row.get("item_id", "")) for row in packet.inventory if row.get("owner_id") in near}
    ways = {
        str(way.get("to", "")): way
        for way in packet.scene.get("exits", [])
        if isinstance(way, dict)
    }
    seen: set[str] = set()
    for row in packet.entities:
        id = str(row.get("id", ""))
        attrs = row.get("attrs") or {}
        kind: Kind = "self" if id == PLAYER else _KINDS.get(str(row.get("type", "")), "other")
        named = Named(
            id, str(row.get("name") or id), kind, id in near, id in ways,
            str(attrs.get("pronouns") or attrs.get("gender") or ""), focus.get(id, 0),
        )  # fmt: skip
        way_names = _ways_names(ways.get(id, {}))
        tail = id.split(":")[-1].split("/")[-1].replace("_", " ")
        roles = [
            str(attrs[key]) for key in ("role", "occupation", "title", "species") if attrs.get(key)
        ]
        if kind == "self" and attrs.get("concept"):
            roles.append(_WHO_ALSO.split(str(attrs["concept"]))[0])
        cast.add(
            named,
            [named.name, *([tail] if kind != "self" else [])],
            [*_texts(attrs.get("aliases")), *roles, *map(_head, roles), *way_names],
        )
        seen.add(id)
    for id, way in ways.items():
        if id not in seen:
            name = str(way.get("name") or id.split(":")[-1].replace("_", " "))
            tail = id.split(":")[-1].replace("_", " ")
            cast.add(Named(id, name, "place", way=True), [name, tail], _ways_names(way))
    for item in sorted((held | _items(packet)) - seen - {""}):
        name = item.split(":")[-1].replace("_", " ")
        cast.add(Named(item, name, "thing", near=True), [name])
    for detail in packet.scene.get("details", []):
        name, aliases = _detail(detail)
        if name:
            cast.add(Named("", name, "detail", near=True), [name], aliases)
    return cast


def _told_lately(packet: ContextPacket) -> frozenset[str]:
    """Every word of the last turns."""
    said = " ".join(str(event.get("text") or "") for event in packet.recent_events)
    return frozenset(re.findall(r"[a-z]+", said.lower()))


def recent_focus(packet: ContextPacket) -> dict[str, int]:
    """Ids lately in play, the latest with the highest number."""
    latest: dict[str, int] = {}
    turns = sorted(packet.recent_events, key=lambda event: int(event.get("turn_no", 0) or 0))
    for number, event in enumerate(turns, start=1):
        for id in event.get("focus") or []:
            latest[str(id)] = number
    return latest


def _items(packet: ContextPacket) -> set[str]:
    return {str(row.get("item_id", "")) for row in packet.inventory}


def _ways_names(way: dict[str, Any]) -> list[str]:
    return [text for text in [str(way.get("name") or ""), *_texts(way.get("aliases"))] if text]


def _detail(detail: Any) -> tuple[str, list[str]]:
    if isinstance(detail, dict):
        return str(detail.get("name") or ""), _texts(detail.get("aliases"))
    return str(detail), []


def _head(role: str) -> str:
    """What a role calls someone for short: a police lieutenant is a lieutenant."""
    return re.split(r" (?:of|at|in|from|for|with|to) |,", role)[0].split()[-1]


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(text) for text in value] if isinstance(value, (list, tuple)) else []

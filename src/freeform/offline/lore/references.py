"""Whom a pronoun or a short form means: `She`, `its ruler`, `the town`. Each becomes a slot of the
name it stands for, so that a reader of pairs sees names only."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from freeform.lore.read.vocabulary import is_place, kind_of_words
from freeform.offline.lore.mentions import NamedThing

PLACES, PEOPLE, FACTIONS, UNKNOWN = "zp", "n", "f", "uk"
_NAMED = re.compile(r"\[(?P<slot>\d+)[a-z]\]")
_MEANT = re.compile(
    r"\[(?P<slot>\d+)[a-z]\]"
    r"|\b(?P<person>[Hh]e|[Ss]he|[Hh]im|[Hh]is|[Hh]er)\b"
    r"|\b(?P<thing>^It|[Ii]ts)\b"
    r"|\b(?P<many>^They|[Tt]heir)\b"
    r"|\b(?P<here>[Hh]ere)\b(?!\s+(?:is|are|lies?|comes?)\b)"
    r"|\b(?:[Tt]he|[Tt]his)\s+(?P<noun>[a-z]+)\b(?!\s+(?:of\b|\[|called\b|named\b))"
)
_OWNS = frozenset({"his", "her", "its", "their"})


@dataclass
class TalkSoFar:
    """What was talked of so far. `own`: what the page is about; `topic`: whom the last sentence
    began with; `last`: the newest name of each kind."""

    own: NamedThing
    topic: NamedThing
    last: dict[str, NamedThing] = field(default_factory=dict)

    def of(self, kinds: str) -> NamedThing | None:
        """The name that something of these kinds most likely means: the topic, else the newest."""
        if self.topic.name and self.topic.kind in kinds:
            return self.topic
        found = [self.last[kind] for kind in kinds if kind in self.last]
        return found[0] if len(found) == 1 else None

    def heard(self, slotted: str, named: Sequence[NamedThing]) -> None:
        """A sentence is over: what it began with is talked of now."""
        for mention in named:
            self.last[mention.kind] = mention
        if re.match(r"(?:The\s+|An?\s+)?\[0", slotted):
            self.topic = named[0]


def with_references(
    slotted: str, named: list[NamedThing], talk: TalkSoFar
) -> tuple[str, list[NamedThing]]:
    """The sentence with a slot for every word that stands for a name, and all names."""
    found, inside = list(named), list[NamedThing]()
    pieces: list[str] = []
    position = 0
    for match in _MEANT.finditer(slotted):
        if match["slot"]:
            inside.append(named[int(match["slot"])])
            continue
        meant = _meant(match, inside, talk)
        if meant is None:
            continue
        owns = match[0].lower() in _OWNS and not _is_object(match, slotted)
        slot = f"[{len(found)}{meant.kind}]" + ("'s" if owns else "")
        pieces += [slotted[position : match.start()], slot]
        found.append(meant)
        position = match.end()
    return "".join([*pieces, slotted[position:]]), found


def _is_object(match: re.Match[str], slotted: str) -> bool:
    """`her` at the end of a clause is no owner."""
    return match[0].lower() == "her" and not re.match(r"\s+\w", slotted[match.end() :])


def _meant(match: re.Match[str], inside: list[NamedThing], talk: TalkSoFar) -> NamedThing | None:
    if match["person"]:
        return _nearest(inside, PEOPLE + UNKNOWN) or talk.of(PEOPLE) or _topic(talk, UNKNOWN)
    if match["thing"]:
        return _first(inside, PLACES + FACTIONS + "i") or _topic(talk, PLACES + FACTIONS + "i")
    if match["many"]:
        return _first(inside, FACTIONS) or _topic(talk, FACTIONS)
    if match["here"]:
        return _nearest(inside, PLACES) or _topic(talk, PLACES) or _is(talk.own, PLACES)
    return _of_noun(match["noun"], inside, talk)


def _of_noun(noun: str, inside: list[NamedThing], talk: TalkSoFar) -> NamedThing | None:
    kind = kind_of_words(noun)
    if kind == "zone" or (kind == "lore" and is_place(noun)):
        return _nearest(inside, PLACES) or talk.of(PLACES)
    if kind == "faction":
        return _nearest(inside, FACTIONS) or talk.of(FACTIONS)
    return None


def _nearest(inside: list[NamedThing], kinds: str) -> NamedThing | None:
    return next((mention for mention in reversed(inside) if mention.kind in kinds), None)


def _first(inside: list[NamedThing], kinds: str) -> NamedThing | None:
    return next((mention for mention in inside if mention.kind in kinds), None)


def _topic(talk: TalkSoFar, kinds: str) -> NamedThing | None:
    return _is(talk.topic, kinds)


def _is(mention: NamedThing, kinds: str) -> NamedThing | None:
    return mention if mention.name and mention.kind in kinds else None

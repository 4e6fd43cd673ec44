"""Whom a pronoun or a short form means: `She`, `its ruler`, `the town`, `here`. Each becomes a slot
of the name it stands for; where two would do it stays a word."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from freeform.language.forms import is_plural, one_of
from freeform.language.inflection import singular
from freeform.lore.read.vocabulary import kind_of_words
from freeform.offline.lore.mentions import NamedThing, NameForms

PLACES, PEOPLE, FACTIONS = "zp", "n", "f"
_MEANT = re.compile(
    r"\[(?P<slot>\d+)[a-z]\]"
    r"|\b(?P<person>[Hh]e|[Ss]he|[Hh]im|[Hh]is|[Hh]er)\b"
    r"|\b(?P<thing>[Ii]t|[Ii]ts)\b"
    r"|\b(?P<many>They|they|[Tt]heir|them)\b"
    r"|\b(?P<here>[Hh]ere)\b"
    r"|\b(?:[Tt]he|[Tt]his)\s+(?P<noun>[a-z]+)\b"
    r"(?!\s+(?:of\b|\[|called\b|named\b|[a-z]+\s+\[)|,\s+\[)"
)
_SAME = {"its": "it", "their": "they", "them": "they"}
_DIRECTIONS = frozenset("north south east west".split())
_OWNS = frozenset({"his", "her", "its", "their"})
_GENERIC = frozenset("region area zone place realm land lands".split())
_STARTS = re.compile(r"(?:The\s+|An?\s+)?\[(\d+)")


@dataclass
class PageTalk:
    """What a page talks of. `own`: what it is about, `called`: the nouns it calls that by; `topic`:
    whom the last sentence began with; `before`: the names of that sentence."""

    own: NamedThing
    topic: NamedThing
    called: frozenset[str] = frozenset()
    short: dict[str, NamedThing] = field(default_factory=dict)
    """Nouns that end the name of one known thing and of no other."""
    before: list[NamedThing] = field(default_factory=list)
    peoples: dict[str, NamedThing] = field(default_factory=dict)
    """What one of a people is called: an orc is one of the Orcs."""

    def heard(self, slotted: str, named: Sequence[NamedThing]) -> None:
        """A sentence is over: what it began with is talked of now."""
        begun = _STARTS.match(slotted)
        if begun:
            self.topic = named[int(begun[1])]
        elif re.match(r"(?:He|She)\b", slotted) and self.topic.kind not in "nu":
            self.topic = NamedThing("")
        self.before = list(named)

    def new_paragraph(self) -> None:
        """The page's own subject is talked of again; `He` may still be who was talked of last."""
        last = [self.topic] if self.topic.kind in PEOPLE else self.before
        self.topic, self.before = self.own, last


def begin_talk(own: NamedThing, text: str, lexicon: NameForms) -> PageTalk:
    """A page at its first sentence."""
    return PageTalk(
        own=own,
        topic=own,
        called=_called(own, text),
        short=_short_nouns(lexicon),
        peoples=_peoples(lexicon),
    )


def _peoples(lexicon: NameForms) -> dict[str, NamedThing]:
    return {
        one_of(form).lower(): mention
        for form, mention in lexicon.forms.items()
        if mention.kind in FACTIONS and is_plural(form) and form == mention.name
    }


def with_references(
    slotted: str, named: list[NamedThing], talk: PageTalk
) -> tuple[str, list[NamedThing]]:
    """The sentence with a slot for every word that stands for a name, and all names."""
    found, inside = list(named), list[NamedThing]()
    pieces: list[str] = []
    position = 0
    said: dict[str, NamedThing] = {}
    begun = _STARTS.match(slotted)
    subject = named[int(begun[1])] if begun else None
    for match in _MEANT.finditer(slotted):
        if match["slot"]:
            inside.append(named[int(match["slot"])])
            continue
        owns = match[0].lower() in _OWNS and not _is_object(match, slotted)
        if _is_empty(match, slotted):
            continue
        # "The Guild runs it": what one does something to is not oneself.
        other = not owns and match.start() > 0 and _clause_has(subject, slotted[: match.start()])
        word = _SAME.get(match[0].lower(), match[0].lower())
        same = said.get(word)
        others = [each for each in inside if each != subject] if other else inside
        near = _in_last_part(slotted[: match.start()], named)
        meant = same or _meant(match, others, near, None if other else subject, talk)
        if meant is None or (other and meant == subject and match["thing"]):
            continue
        # A capital tells it from a name that stands there.
        slot = f"[{len(found)}{meant.kind.upper()}]" + ("'s" if owns else "")
        if match["here"] and not re.search(
            r"\b(?:from|to|near|around)\s+$", slotted[: match.start()]
        ):
            slot = f"in {slot}"
        pieces += [slotted[position : match.start()], slot]
        found.append(meant)
        said[word] = meant
        if subject is None and match.start() == 0 and not owns:
            subject = meant
        position = match.end()
    return "".join([*pieces, slotted[position:]]), found


def _in_last_part(before: str, named: list[NamedThing]) -> list[NamedThing]:
    """The names behind the last comma or semicolon."""
    part = re.split(r"[,;:]", before)[-1]
    return [named[int(number)] for number in re.findall(r"\[(\d+)[a-z]\]", part)]


def _is_empty(match: re.Match[str], slotted: str) -> bool:
    """`It is Nell who decides` speaks of nothing else."""
    rest = slotted[match.end() :]
    return bool(match["thing"]) and bool(re.match(r"\s+(?:is|was)\b[^.;]*\b(?:who|that)\b", rest))


def _clause_has(subject: NamedThing | None, before: str) -> bool:
    """Whether the clause that a word stands in began with the sentence's subject."""
    return subject is not None and not re.search(r"[,;:]|\b(?:because|that|and|but|when)\b", before)


def _is_object(match: re.Match[str], slotted: str) -> bool:
    """`her` at the end of a clause is no owner."""
    rest = slotted[match.end() :]
    return match[0].lower() == "her" and not re.match(r"\s+[a-z\[]", rest)


def _meant(
    match: re.Match[str],
    inside: list[NamedThing],
    near: list[NamedThing],
    subject: NamedThing | None,
    talk: PageTalk,
) -> NamedThing | None:
    if match["person"]:
        return _person(inside, near, subject, talk)
    if match["thing"]:
        return _of_kind(inside, subject, talk, PLACES + FACTIONS + "i")
    if match["many"]:
        group = _of_kind(inside, subject, talk, FACTIONS) or _couple(match, inside, talk)
        return group or _only(talk.before, inside)
    if match["here"]:
        return talk.own if talk.own.kind in PLACES else None
    return _of_noun(match["noun"], talk)


def _person(
    inside: list[NamedThing], near: list[NamedThing], subject: NamedThing | None, talk: PageTalk
) -> NamedThing | None:
    """The one person of the sentence so far, or of its last part (`near`), else its subject; else
    whom the last sentence spoke of."""
    people = distinct(inside, PEOPLE)
    if distinct(inside, "uk") and not people:
        return None  # It may be whoever that is.
    if len(people) == 1:
        return people[0]
    if people:
        here = distinct(near, PEOPLE)
        if len(here) == 1:
            return here[0]
        return subject if subject and subject.kind in PEOPLE else None
    if talk.topic.kind in PEOPLE:
        return talk.topic
    earlier = distinct(talk.before, PEOPLE)
    return earlier[0] if len(earlier) == 1 else None


def _of_kind(
    inside: list[NamedThing], subject: NamedThing | None, talk: PageTalk, kinds: str
) -> NamedThing | None:
    """The sentence's subject where it is of such a kind, else what was talked of; none where the
    sentence has named something else of the kind meanwhile."""
    if subject is not None and subject.kind in kinds:
        return subject
    if distinct(inside, kinds):
        return None
    return talk.topic if talk.topic.name and talk.topic.kind in kinds else None


def _couple(match: re.Match[str], inside: list[NamedThing], talk: PageTalk) -> NamedThing | None:
    """`Their daughter`: of the two people this sentence, else the last one, spoke of, the first."""
    if match[0].lower() != "their" or distinct(inside, "uk"):
        return None
    people = distinct(inside, PEOPLE) or distinct(talk.before, PEOPLE)
    return people[0] if len(people) == 2 else None


def _only(before: list[NamedThing], inside: list[NamedThing]) -> NamedThing | None:
    """The one faction of the sentence before, where that named no people."""
    factions = distinct(before, FACTIONS)
    taken = distinct(before, PEOPLE) or distinct(inside, FACTIONS + PEOPLE)
    return factions[0] if len(factions) == 1 and not taken else None


def _of_noun(noun: str, talk: PageTalk) -> NamedThing | None:
    known = talk.short.get(noun)
    if known is not None:
        return known
    if noun in talk.called:
        return talk.own
    return talk.own if noun in _GENERIC and talk.own.kind in PLACES else None


def distinct(mentions: Iterable[NamedThing], kinds: str) -> list[NamedThing]:
    """Those of such kinds, each once."""
    return list({each.name: each for each in mentions if each.kind in kinds}.values())


def _called(own: NamedThing, text: str) -> frozenset[str]:
    """The nouns a page calls its subject by: those its name ends with, and the one it says it is:
    `Delve is a mining town in the Copper Hills`."""
    words = re.findall(r"[A-Za-z]+", own.name)
    found = {word.lower() for word in words if kind_of_words(word) and own.kind != "n"}
    said = re.search(
        rf"\b{re.escape(own.name)}\b[^.\n]{{0,60}}?\b(?:is|are)\s+(?:an?|the|one of the)\s+"
        r"([^.,;\n]+)",
        text,
    )
    if said:
        heads = re.split(r"\s(?:of|in|at|from|on|who|that|which|under|near|where|with)\s", said[1])
        last = heads[0].split()[-1] if heads[0].split() else ""
        found.add(singular(last) if last.islower() else "")
    return frozenset(found - {""})


def _short_nouns(lexicon: NameForms) -> dict[str, NamedThing]:
    """Nouns that end the name of one known thing only: the cave is the Goblin Cave."""
    ends: dict[str, dict[str, NamedThing]] = {}
    for mention in lexicon.forms.values():
        last = mention.name.split()[-1] if mention.name.split() else ""
        if (
            mention.kind in PLACES + FACTIONS
            and len(mention.name.split()) > 1
            and last[:1].isupper()
        ):
            ends.setdefault(last.lower(), {})[mention.name] = mention
    for direction in _DIRECTIONS:
        ends.pop(direction, None)
    return {noun: next(iter(those.values())) for noun, those in ends.items() if len(those) == 1}

"""Reads pages for the lore researcher without a model: clauses of known shapes over the names that
stand in them; what may be denial or hearsay is left out."""

import re
from collections.abc import Iterator
from functools import lru_cache

from freeform.core.chance import Chance
from freeform.core.text import plain_form, shorten
from freeform.language.sentences import sentences
from freeform.lore.model import Kind
from freeform.lore.read.passes import (
    ConflictLabel,
    ConflictsInput,
    ConflictsOutput,
    FoundFact,
    ReadInput,
    ReadOutput,
)
from freeform.offline.lore_shapes import HEARSAY, ClauseShape, abstain, kin, numbers, shapes
from freeform.offline.mentions import NamedThing, NameForms

_HEROES = r"(?:the\s+)?(?:heroes|adventurers|players?|travellers)"
Phrase = tuple[str, str]
"""A predicate, and the pattern of the words that say so of the page's own subject."""

_OWN: dict[str, tuple[Phrase, ...]] = {
    "z": (
        ("level_range", r"\blevels?\s+(?P<value>\d+\s*(?:-|–|to)\s*\d+)"),
        ("access_gating", r"\b(?:only (?:those|characters|travellers) who|requires?|one must)\s+(?P<value>[^.;]{5,120})"),
    ),
    "n": (
        ("motivation", r"\b(?:wants?|seeks?|hopes|longs|strives|aims|intends|swore)\s+(?P<value>(?:to|revenge|for)\b[^.;]{3,120})"),
        ("quest", rf"\b(?:asks?|sends?|hires?)\s+{_HEROES}\s+(?P<value>to\s+[^.;]{{5,120}})"),
        ("personality", r"\bis\s+(?:known\s+as\s+)?(?P<value>(?:[a-z]+,\s+)*[a-z]+,?\s+(?:and|but)\s+[a-z]+)(?=[.,;])"),
    ),
    "f": (
        ("goal", r"\b(?:seeks?|aims?|strives?|wants?|works?|hopes?)\s+(?P<value>to\s+[^.;]{5,140})"),
        ("goal", r"\bgoal\b[^.;]{0,40}?\bis\s+(?P<value>to\s+[^.;]{5,140})"),
        ("ideology", r"\b(?:believes?|holds?)\s+that\s+(?P<value>[^.;]{5,160})"),
    ),
    "i": (
        ("power", r"\b(?P<value>(?:grants|gives|lets|allows|burns|heals|protects|can)\b[^.;]{5,140})"),
        ("significance", r"\b(?P<value>legendary|mythical|epic|sacred|cursed)\b"),
    ),
}  # fmt: skip
_LETTER: dict[Kind, str] = {
    "zone": "z", "npc": "n", "faction": "f", "narrative_item": "i", "lore": "p"
}  # fmt: skip
_CATEGORY = (
    ("mythology", r"\b(?:myth|legend|god|goddess|deity|prophecy|believed|creation)"),
    ("power_source", r"\b(?:magic|mana|arcane|energy source|power source|ley)"),
    ("cosmology", r"\b(?:cosmos|star|nebula|plane of|heavens|galaxy|void|universe)"),
    ("history", r"\b(?:war|founded|century|year|era|empire|treaty|incident|settled|ancient)"),
)


def zone(asked: ReadInput, chance: Chance) -> ReadOutput:
    """What a page says of zones."""
    facts = _found(asked, "zone")
    if _own(asked).kind == "z":
        for heading, paragraph in _paragraphs(asked.text):
            if re.search(r"\b(?:politic|society|government)", heading, re.I):
                facts.append(_whole(asked.page_title, "political_climate", paragraph))
            elif re.search(r"\b(?:story|plot|narrative|arc)\b", heading, re.I):
                facts.append(_whole(asked.page_title, "narrative_arc", paragraph))
    return ReadOutput(facts=facts)


def npc(asked: ReadInput, chance: Chance) -> ReadOutput:
    """What a page says of people."""
    return ReadOutput(facts=_found(asked, "npc"))


def faction(asked: ReadInput, chance: Chance) -> ReadOutput:
    """What a page says of factions."""
    facts = _found(asked, "faction")
    first = next((text for _, text in _paragraphs(asked.text)), "")
    told = any(fact.predicate == "ideology" for fact in facts)
    if first and not told and _own(asked).kind == "f":
        facts.append(_whole(asked.page_title, "ideology", first))
    return ReadOutput(facts=facts)


def lore(asked: ReadInput, chance: Chance) -> ReadOutput:
    """Where places lie, and which kind of lore a page tells."""
    facts = _found(asked, "lore")
    said = plain_form(asked.text)
    scores = [
        (len(re.findall(pattern, said)), -rank, name)
        for rank, (name, pattern) in enumerate(_CATEGORY)
    ]
    count, _, category = max(scores)
    first = next((sentences(text)[0] for _, text in _paragraphs(asked.text)), "")
    if count and first and _own(asked).kind in "puk":
        told = FoundFact(
            subject=asked.page_title, predicate="category", value=category, quote=first
        )
        facts.append(told)
    return ReadOutput(facts=facts)


def item(asked: ReadInput, chance: Chance) -> ReadOutput:
    """What a page says of things with a story."""
    facts = _found(asked, "narrative_item")
    first = next((text for _, text in _paragraphs(asked.text)), "")
    if first and _own(asked).kind == "i":
        facts.append(_whole(asked.page_title, "story_arc", first))
    return ReadOutput(facts=facts)


def label_conflicts(asked: ConflictsInput, chance: Chance) -> ConflictsOutput:
    """Says for each what it is about."""
    labels = []
    for line in asked.conflicts.splitlines():
        if found := re.match(
            r"(\d+)\. (\S+): '(.*)' \(tier (\d)[^)]*\) against '(.*)' \(tier (\d)", line
        ):
            better = (
                "the first source is of a better kind"
                if found[4] < found[6]
                else "both are of one kind"
            )
            what = found[2].rpartition(".")[2].replace("_", " ")
            labels.append(
                ConflictLabel(
                    number=int(found[1]), why=f"the sources differ on the {what}; {better}"
                )
            )
    return ConflictsOutput(labels=labels)


def _own(asked: ReadInput) -> NamedThing:
    """What the page is about, and of which kind that is."""
    known = NameForms.of(asked.known_names).forms
    bare = re.sub(r"^(?:the|an?)\s+", "", asked.page_title, flags=re.I)
    return known.get(bare) or NamedThing(asked.page_title)


def _found(asked: ReadInput, kind: Kind) -> list[FoundFact]:
    """The facts of one kind; the page is gone through once for all of them."""
    read = _read(asked.page_title, asked.known_names, asked.text)
    # The game's own name is no place in it.
    return [
        fact for of, fact in read if of == kind and asked.game not in (fact.subject, fact.value)
    ]


@lru_cache(maxsize=64)
def _read(title: str, known_names: str, text: str) -> tuple[tuple[Kind, FoundFact], ...]:
    lexicon = NameForms.of(known_names)
    bare = re.sub(r"^(?:the|an?)\s+", "", title, flags=re.I)
    own = lexicon.forms.get(bare) or NamedThing(title)
    found: dict[tuple[str, ...], tuple[Kind, FoundFact]] = {}
    for heading, paragraph in _paragraphs(text):
        if HEARSAY.search(heading):
            continue
        topic = own
        for sentence in sentences(paragraph):
            slotted, named = lexicon.slotted(sentence)
            topic = _topic(sentence, slotted, named, topic)
            if abstain().search(sentence):
                continue
            for kind, fact in _told(sentence, slotted, named, (own, topic)):
                key = (kind, fact.subject, fact.predicate, fact.value)
                found.setdefault(key, (kind, fact))
    return tuple(found.values())


def _topic(sentence: str, slotted: str, named: list[NamedThing], before: NamedThing) -> NamedThing:
    """Whom a sentence speaks of: the name it begins with, or whoever the last one spoke of."""
    if re.match(r"(?:The\s+|An?\s+)?\[0", slotted):
        return named[0]
    if re.match(r"(?:He|She)\b", sentence) and before.kind not in "nu":
        people = [mention for mention in named if mention.kind == "n"]
        return people[0] if len(people) == 1 else NamedThing("")
    return before


def _told(
    sentence: str, slotted: str, named: list[NamedThing], about: tuple[NamedThing, NamedThing]
) -> Iterator[tuple[Kind, FoundFact]]:
    """Each clause against each shape, and what the words say of the page's own subject."""
    own, topic = about
    for clause in re.split(r";|:\s", slotted):
        for shape in shapes():
            for found in shape.pattern.finditer(clause.strip()):
                yield from _facts(shape, found, sentence, named, about)
    if own.kind == "z" and topic.name in (own.name, ""):
        yield from _found_here(sentence, slotted, named, own)
    if topic == own:
        for predicate, pattern in _OWN.get(own.kind, ()):
            for said in re.finditer(pattern, sentence):
                kind = next(kind for kind, letter in _LETTER.items() if letter == own.kind)
                value = said["value"]
                yield (
                    kind,
                    FoundFact(subject=own.name, predicate=predicate, value=value, quote=sentence),
                )


def _found_here(
    sentence: str, slotted: str, named: list[NamedThing], own: NamedThing
) -> Iterator[tuple[Kind, FoundFact]]:
    """What a zone's own page names in passing is there: places by their noun, people where they are
    known as people or spoken of as `who`; not where the sentence speaks of another zone."""
    if any(mention.kind == "z" and mention.name != own.name for mention in named):
        return
    for number, mention in enumerate(named):
        someone = re.search(rf"\[{number}u\],?\s+who(?:se|m)?\b", slotted)
        if mention.kind == "p":
            yield (
                "lore",
                FoundFact(subject=mention.name, predicate="zone", value=own.name, quote=sentence),
            )
        elif mention.kind == "n" or someone:
            yield (
                "npc",
                FoundFact(subject=mention.name, predicate="zone", value=own.name, quote=sentence),
            )


def _facts(
    shape: ClauseShape,
    found: re.Match[str],
    sentence: str,
    named: list[NamedThing],
    about: tuple[NamedThing, NamedThing],
) -> Iterator[tuple[Kind, FoundFact]]:
    groups = found.groupdict()
    subject = _subject(shape, groups, named, about)
    if subject is None:
        return
    if "said" in groups:
        if kin().fullmatch(groups["said"].split()[-1]):
            return  # "the rival of" is a relation.
        yield shape.kind, _fact(subject, shape, groups["said"], sentence)
        return
    for number in numbers(groups["v"]):
        other = named[number]
        if other.name != subject.name:
            value = f"{groups['type']}: {other.name}" if groups.get("type") else other.name
            yield shape.kind, _fact(subject, shape, value, sentence)


def _fact(subject: NamedThing, shape: ClauseShape, value: str, sentence: str) -> FoundFact:
    return FoundFact(subject=subject.name, predicate=shape.predicate, value=value, quote=sentence)


def _subject(
    shape: ClauseShape,
    groups: dict[str, str],
    named: list[NamedThing],
    about: tuple[NamedThing, NamedThing],
) -> NamedThing | None:
    """Whose fact it is: a name of the sentence, the zone of the page, or whom it goes on about."""
    own, topic = about
    letter = _LETTER[shape.kind]
    if shape.subject == "s":
        return named[int(groups["s"])]
    if shape.subject == "topic":
        return topic if topic.kind == letter else None
    first = topic if topic.kind in "zpu" and topic.name != own.name else own
    return first if first.kind == letter else None


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """Prose with the heading above it; rows of facts, lists and tables are read elsewhere."""
    heading = ""
    for block in text.split("\n\n"):
        if block.startswith("## "):
            heading = block[3:]
        elif block.strip() and not re.match(
            r"[ \t]*(?:\||[-*•] |\d+\. |[A-Z][\w' ]{1,30}:\s\S+)", block
        ):
            yield heading, block


def _whole(subject: str, predicate: str, paragraph: str) -> FoundFact:
    said = sentences(paragraph)
    quote = said[0] if said else paragraph
    return FoundFact(subject=subject, predicate=predicate, value=shorten(quote, 400), quote=quote)

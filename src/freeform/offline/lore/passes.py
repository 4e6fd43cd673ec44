"""Reads pages for the lore researcher without a model: clauses of known shapes over the names that
stand in them; what may be denial or hearsay is left out."""

import re
from collections.abc import Iterator
from functools import lru_cache

from freeform.core.chance import Chance
from freeform.core.text import plain_form, shorten
from freeform.language.forms import one_of
from freeform.language.meaning.names import NameKinds, no_name_kinds
from freeform.language.meaning.natures import noun_kind
from freeform.language.sentences import sentences
from freeform.lore.model import Kind
from freeform.lore.read.passes import (
    ConflictLabel,
    ConflictsInput,
    ConflictsOutput,
    FoundFact,
    ReadInput,
    ReadOutput,
    ReviewInput,
    ReviewOutput,
)
from freeform.offline.lore.clauses import is_past, simple_clauses
from freeform.offline.lore.families import couples, learn_families, learn_peoples
from freeform.offline.lore.kinds_seen import family_names, kinds_seen
from freeform.offline.lore.kinds_told import kinds_told, strange_words
from freeform.offline.lore.listed import listed
from freeform.offline.lore.mentions import NamedThing, NameForms
from freeform.offline.lore.references import PageTalk, begin_talk, with_references
from freeform.offline.lore.shapes import (
    HEARSAY,
    ClauseShape,
    denial,
    hearsay,
    kin,
    numbers,
    shapes,
    wish,
)

_SHORTENED = re.compile(r"\b(?:St|Mr|Mrs|Ms|Dr|Sgt|Lt|Capt|Col|Gen|Prof|Mt|Ft|No|vs|[A-Z])\.$")
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
_THEIRS = re.compile(r"\[\d+F\]'s\s")
"""A sentence that begins with what a people have: `Their ferryman`."""
_NAMED_HERE = re.compile(r"\[(\d+)([nNp])\](?!['’]s)")
_LETTER: dict[Kind, str] = {
    "zone": "z", "npc": "n", "faction": "f", "narrative_item": "i", "lore": "p"
}  # fmt: skip
_CATEGORY = (
    ("mythology", r"\b(?:myth|legend|god|goddess|deity|prophecy|believed|creation)"),
    ("power_source", r"\b(?:magic|mana|arcane|energy source|power source|ley)"),
    ("cosmology", r"\b(?:cosmos|star|nebula|plane of|heavens|galaxy|void|universe)"),
    ("history", r"\b(?:war|founded|century|year|era|empire|treaty|incident|settled|ancient)"),
)


def zone(asked: ReadInput, chance: Chance, kinds: NameKinds = no_name_kinds) -> ReadOutput:
    """What a page says of zones."""
    facts = _found(asked, "zone", kinds)
    if _own(asked).kind == "z":
        for heading, paragraph in _paragraphs(asked.text):
            if re.search(r"\b(?:politic|society|government)", heading, re.I):
                facts.append(_whole(asked.page_title, "political_climate", paragraph))
            elif re.search(r"\b(?:story|plot|narrative|arc)\b", heading, re.I):
                facts.append(_whole(asked.page_title, "narrative_arc", paragraph))
    return ReadOutput(facts=facts)


def npc(asked: ReadInput, chance: Chance, kinds: NameKinds = no_name_kinds) -> ReadOutput:
    """What a page says of people."""
    return ReadOutput(facts=_found(asked, "npc", kinds))


def faction(asked: ReadInput, chance: Chance, kinds: NameKinds = no_name_kinds) -> ReadOutput:
    """What a page says of factions."""
    facts = _found(asked, "faction", kinds)
    first = next((text for _, text in _paragraphs(asked.text)), "")
    told = any(fact.predicate == "ideology" for fact in facts)
    if first and not told and _own(asked).kind == "f":
        facts.append(_whole(asked.page_title, "ideology", first))
    return ReadOutput(facts=facts)


def lore(asked: ReadInput, chance: Chance, kinds: NameKinds = no_name_kinds) -> ReadOutput:
    """Where places lie, and which kind of lore a page tells."""
    facts = _found(asked, "lore", kinds)
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


def item(asked: ReadInput, chance: Chance, kinds: NameKinds = no_name_kinds) -> ReadOutput:
    """What a page says of things with a story."""
    facts = _found(asked, "narrative_item", kinds)
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


def review(asked: ReviewInput, chance: Chance) -> ReviewOutput:
    """Doubts nothing: what rules can see they have seen before (`lore/judge`)."""
    return ReviewOutput()


def _own(asked: ReadInput) -> NamedThing:
    """What the page is about, and of which kind that is."""
    return NameForms.of(asked.known_names).own(asked.page_title)


def _found(asked: ReadInput, kind: Kind, kinds: NameKinds) -> list[FoundFact]:
    """The facts of one kind; the page is gone through once for all of them."""
    read = _read(asked.page_title, asked.known_names, asked.text, kinds)
    # The game's own name is no place in it.
    return [
        fact for of, fact in read if of == kind and asked.game not in (fact.subject, fact.value)
    ]


Told = dict[tuple[str, ...], tuple[Kind, FoundFact]]


@lru_cache(maxsize=64)
def _read(
    title: str, known_names: str, text: str, kinds: NameKinds = no_name_kinds
) -> tuple[tuple[Kind, FoundFact], ...]:
    lexicon = NameForms.of(known_names)
    said = [*_prose(text), *(sentence for sentence, _ in listed(text))]
    learn_families(lexicon, said)
    learn_peoples(lexicon, said)
    lexicon.strange = strange_words(said, text, kinds)
    lexicon.learn(kinds_seen(lexicon.slotted(each) for each in said))
    told = kinds_told(said, lexicon, kinds)
    if told:
        lexicon.learn(told)
        lexicon.learn(kinds_seen(lexicon.slotted(each) for each in said))
    found = _all_told(title, lexicon, text)
    families = family_names((fact for _, fact in found.values()), known_names)
    if families:
        lexicon.learn(families)
        found = _all_told(title, lexicon, text)
    kin_told: list[tuple[Kind, FoundFact]] = [("npc", fact) for fact in couples(said)]
    return (*found.values(), *kin_told)


def _all_told(title: str, lexicon: NameForms, text: str) -> Told:
    talk = begin_talk(lexicon.own(title), text, lexicon)
    found: Told = {}
    for heading, paragraph in _paragraphs(text):
        if HEARSAY.search(heading):
            continue
        talk.new_paragraph()
        for kind, fact in _paragraph(whole_sentences(paragraph), lexicon, talk):
            key = (kind, fact.subject, fact.predicate, fact.value)
            found.setdefault(key, (kind, fact))
    for sentence, line in listed(text):
        talk.new_paragraph()
        for kind, fact in _paragraph([sentence], lexicon, talk):
            key = (kind, fact.subject, fact.predicate, fact.value)
            found.setdefault(key, (kind, fact.model_copy(update={"quote": line})))
    return found


def _prose(text: str) -> Iterator[str]:
    for _, paragraph in _paragraphs(text):
        yield from whole_sentences(paragraph)


def whole_sentences(paragraph: str) -> list[str]:
    """Sentences; the point of `St. Maria` ends none."""
    found: list[str] = []
    for sentence in sentences(paragraph):
        if found and _SHORTENED.search(found[-1]):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def _paragraph(
    said: list[str], lexicon: NameForms, talk: PageTalk
) -> Iterator[tuple[Kind, FoundFact]]:
    """What its sentences tell, one after the other: each may go on about whom the last one was."""
    for sentence in said:
        slotted, named = with_references(*lexicon.slotted(sentence), talk)
        talk.heard(slotted, named)
        if not hearsay().search(sentence):
            yield from _told(sentence, slotted, named, talk)


def _told(
    sentence: str, slotted: str, named: list[NamedThing], talk: PageTalk
) -> Iterator[tuple[Kind, FoundFact]]:
    """Each clause against each shape, and what the words say of the page's own subject."""
    own, topic = talk.own, talk.topic
    clauses = [
        clause
        for clause in simple_clauses(slotted)
        if not denial().search(clause) and not wish().search(clause)
    ]
    for clause in clauses:
        yield from _by_shapes(clause, sentence, named, talk)
    here = topic.name in (own.name, "") or topic.kind in "np" or _THEIRS.match(slotted)
    if own.kind == "z" and here:
        yield from _found_here(sentence, slotted, named, own)
    if denial().search(sentence):
        return
    if topic == own:
        for predicate, pattern in _OWN.get(own.kind, ()):
            for said in re.finditer(pattern, sentence):
                kind = next(kind for kind, letter in _LETTER.items() if letter == own.kind)
                value = said["value"]
                yield (
                    kind,
                    FoundFact(subject=own.name, predicate=predicate, value=value, quote=sentence),
                )


def _by_shapes(
    clause: str, sentence: str, named: list[NamedThing], talk: PageTalk
) -> Iterator[tuple[Kind, FoundFact]]:
    over = is_past(clause)
    for shape in shapes():
        if over and not shape.ever:
            continue
        for found in shape.pattern.finditer(clause):
            yield from _facts(shape, found, sentence, named, talk)


_NO_SUCH = re.compile(r"\b(?:no|not|never|nor|neither|none|if|unless)\b|n['’]t\b", re.I)
"""What denies that a place is there; that nobody goes to it does not."""
_OF_ANOTHER = re.compile(r"(?<!that )\bof\s+(?:the\s+)?$")


def _found_here(
    sentence: str, slotted: str, named: list[NamedThing], own: NamedThing
) -> Iterator[tuple[Kind, FoundFact]]:
    """What a zone's own page names is there: places by their noun, people where they are known as
    people; not where that part of the sentence speaks of another zone, or of what is over or
    denied."""
    others = {n for n, each in enumerate(named) if each.kind == "z" and each.name != own.name}
    apart = [part for part in slotted.split(";") if not others & _slots(part)]
    near = set[int]().union(*map(_slots, apart))
    for clause in simple_clauses(slotted):
        if not _slots(clause) <= near:
            continue
        for slot in _NAMED_HERE.finditer(clause):
            kind: Kind = "npc" if slot[2] in "nN" else "lore"
            if not (_is_there(clause, slot) if kind == "npc" else not _NO_SUCH.search(clause)):
                continue
            who = named[int(slot[1])].name
            yield kind, FoundFact(subject=who, predicate="zone", value=own.name, quote=sentence)


def _slots(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\[(\d+)[a-zA-Z]\]", text)}


def _is_there(clause: str, who: re.Match[str]) -> bool:
    """Whether a clause speaks of a person as there now; the partner of Aldwulf is somebody else."""
    unsure = denial().search(clause) or wish().search(clause) or is_past(clause)
    return not unsure and not _OF_ANOTHER.search(clause[: who.start()])


def _facts(
    shape: ClauseShape, found: re.Match[str], sentence: str, named: list[NamedThing], talk: PageTalk
) -> Iterator[tuple[Kind, FoundFact]]:
    groups = found.groupdict()
    for subject in _subjects(shape, groups, named, talk):
        if "said" in groups:
            yield from _what_one_is(subject, shape, groups["said"], sentence, talk)
        for number in numbers(groups["v"]) if "v" in groups else ():
            other = named[number]
            if other.name == subject.name:
                continue
            value = f"{groups['type']}: {other.name}" if groups.get("type") else other.name
            yield shape.kind, _fact(subject, shape, value, sentence)


def _what_one_is(
    subject: NamedThing, shape: ClauseShape, said: str, sentence: str, talk: PageTalk
) -> Iterator[tuple[Kind, FoundFact]]:
    """A word for somebody: an orc is one of the Orcs, and one of the mages a mage."""
    one = one_of(said)
    one = one if shape.predicate == "role" and noun_kind(one.split()[-1]) else said
    people = talk.peoples.get(one_of(said).lower())
    if people and shape.predicate == "role":
        yield (
            "npc",
            FoundFact(subject=subject.name, predicate="faction", value=people.name, quote=sentence),
        )
    elif not kin().fullmatch(said.split()[-1]):  # "the rival of" is a relation.
        yield shape.kind, _fact(subject, shape, one, sentence)


def _fact(subject: NamedThing, shape: ClauseShape, value: str, sentence: str) -> FoundFact:
    return FoundFact(subject=subject.name, predicate=shape.predicate, value=value, quote=sentence)


def _subjects(
    shape: ClauseShape, groups: dict[str, str], named: list[NamedThing], talk: PageTalk
) -> list[NamedThing]:
    """Whose fact it is: names of the sentence, or the zone of the page."""
    if shape.subject == "s":
        return [named[number] for number in numbers(groups["s"])]
    own, topic = talk.own, talk.topic
    first = topic if topic.kind in "zpu" and topic.name != own.name else own
    return [first] if first.kind == _LETTER[shape.kind] else []


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

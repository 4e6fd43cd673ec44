"""Reads prose for the lore researcher without a model: sentences of known shapes, names that stand
in them."""

import re
from collections.abc import Callable, Iterator

from freeform.core.chance import Chance
from freeform.core.text import plain_form, shorten
from freeform.language.sentences import sentences
from freeform.lore.read.passes import (
    ConflictLabel,
    ConflictsInput,
    ConflictsOutput,
    FoundFact,
    ReadInput,
    ReadOutput,
)

NAME = r"(?:[A-Z][\w'’-]*(?:\s+(?:of|the|de|von)\s+(?=[A-Z]))?(?:\s+[A-Z0-9][\w'’-]*)*)"
NAMES = rf"(?P<names>{NAME}(?:(?:,\s+(?:and\s+)?|\s+and\s+|\s+or\s+)(?:the\s+)?{NAME})*)"
_SIDE = r"(?:\s+(?:to|in|on|at)\s+(?:the|its|their)\s+[a-z-]+)?"
SIDES = rf"(?P<names>{NAME}{_SIDE}(?:(?:,\s+(?:and\s+)?|\s+and\s+)(?:the\s+)?{NAME}{_SIDE})*)"
"""Names with where each lies: `Reedwater to the south and the Salt Coast to the east`."""
_SPLIT = re.compile(r",\s+(?:and\s+)?|\s+and\s+|\s+or\s+")
_DENIED = re.compile(
    r"\b(?:not|no longer|never|neither|rumou?r|supposedly|allegedly|might|may|perhaps|once|formerly)\b",
    re.I,
)

_WAY = r"(?:connect(?:s|ed)?|link(?:s|ed)?|joined|adjacent|leads?|jump(?:s|ed)?|travel|routes?|lanes?|roads?|gates?)"
_LAND = r"(?:the\s+(?:systems?|zones?|regions?)\s+(?:of\s+)?)?(?:the\s+)?"
_KIN = r"(?P<type>brother|sister|father|mother|son|daughter|rival|mentor|apprentice|friend|enemy|ally|wife|husband)"
_HEROES = r"(?:the\s+)?(?:heroes|adventurers|players?|travellers)"

Shape = tuple[str, str]
"""A predicate, and the pattern of the sentence that says so; it names `names` or `value`."""

_ZONE: list[Shape] = [
    ("connects_to", rf"\b{_WAY}\b[^.]{{0,60}}?\b(?:to|with)\s+{_LAND}{NAMES}"),
    ("connects_to", rf"\bborder(?:s|ed|ing)?\s+(?:on\s+|by\s+)?(?:the\s+)?{SIDES}"),
    ("connects_to", rf"\b(?:lies|lie|sits|stands)\s+between\s+(?:the\s+)?{NAMES}"),
    ("faction", rf"\b(?:controlled|held|ruled|governed|owned|claimed)\s+by\s+(?:the\s+)?{NAMES}"),
    ("faction", rf"\bunder\s+(?:the\s+)?(?:control|rule|protection)\s+of\s+(?:the\s+)?{NAMES}"),
    ("level_range", r"\blevels?\s+(?P<value>\d+\s*(?:-|–|to)\s*\d+)"),
    ("access_gating", r"\b(?:only (?:those|characters|travellers) who|requires?|one must)\s+(?P<value>[^.;]{5,120})"),
]  # fmt: skip
_NPC: list[Shape] = [
    ("faction", rf"\b(?:member|leader|head|captain|commander|agent|servant|general|emperor)\s+of\s+(?:the\s+)?{NAMES}"),
    ("faction", rf"\b(?:serves|leads|rules|commands|belongs to)\s+(?:the\s+)?{NAMES}"),
    ("role", r"\bis\s+(?:an?|the)\s+(?P<value>[a-z][a-z -]{2,40}?)(?=\s+(?:of|in|at|from|who|to|for|on)\b|[.,;])"),
    ("zone", rf"\b(?:found|lives|resides|dwells|based|stationed)\s+(?:in|at|on)\s+(?:the\s+)?{NAMES}"),
    ("motivation", r"\b(?:wants?|seeks?|hopes|longs|strives|aims|intends|swore)\s+(?P<value>(?:to|revenge|for)\b[^.;]{3,120})"),
    ("relation", rf"\b{_KIN}\s+of\s+{NAMES}"),
    ("relation", rf"\b(?:his|her|their)\s+{_KIN},?\s+{NAMES}"),
    ("quest", rf"\b(?:asks?|sends?|hires?)\s+{_HEROES}\s+(?P<value>to\s+[^.;]{{5,120}})"),
    ("personality", r"\bis\s+(?:known\s+as\s+)?(?P<value>(?:[a-z]+,\s+)*[a-z]+,?\s+(?:and|but)\s+[a-z]+)(?=[.,;])"),
]  # fmt: skip
_FACTION: list[Shape] = [
    ("allied", rf"\b(?:allied|in alliance|friendly)\s+(?:with|to)\s+(?:the\s+)?{NAMES}"),
    ("hostile", rf"\b(?:at war with|hostile to|enem(?:y|ies) of|fights? against|opposes)\s+(?:the\s+)?{NAMES}"),
    ("parent", rf"\b(?:part|branch|vassal|subsidiary)\s+of\s+(?:the\s+)?{NAMES}"),
    ("leader", rf"\b(?:led|headed|ruled|commanded)\s+by\s+(?:the\s+)?{NAMES}"),
    ("goal", r"\b(?:seeks?|aims?|strives?|wants?|works?|hopes?)\s+(?P<value>to\s+[^.;]{5,140})"),
    ("goal", r"\bgoal\b[^.;]{0,40}?\bis\s+(?P<value>to\s+[^.;]{5,140})"),
    ("ideology", r"\b(?:believes?|holds?)\s+that\s+(?P<value>[^.;]{5,160})"),
]  # fmt: skip
_ITEM: list[Shape] = [
    ("wielder", rf"\b(?:wielded|borne|carried|worn|owned|held)\s+by\s+(?:the\s+)?{NAMES}"),
    ("zone", rf"\b(?:found|hidden|kept|lies|rests|buried)\s+(?:in|at|beneath|under|on)\s+(?:the\s+)?{NAMES}"),
    ("power", r"\b(?P<value>(?:grants|gives|lets|allows|burns|heals|protects|can)\b[^.;]{5,140})"),
    ("significance", r"\b(?P<value>legendary|mythical|epic|sacred|cursed)\b"),
]  # fmt: skip
_CATEGORY = (
    ("mythology", r"\b(?:myth|legend|god|goddess|deity|prophecy|believed|creation)"),
    ("power_source", r"\b(?:magic|mana|arcane|energy source|power source|ley)"),
    ("cosmology", r"\b(?:cosmos|star|nebula|plane of|heavens|galaxy|void|universe)"),
    ("history", r"\b(?:war|founded|century|year|era|empire|treaty|incident|settled|ancient)"),
)


def zone(asked: ReadInput, chance: Chance) -> ReadOutput:
    """What prose says of a zone."""
    facts = [*_facts(asked.page_title, asked, _ZONE, _unsaid_elsewhere)]
    for heading, paragraph in _paragraphs(asked.text):
        if re.search(r"\b(?:politic|society|government)", heading, re.I):
            facts.append(_whole(asked.page_title, "political_climate", paragraph))
        elif re.search(r"\b(?:story|plot|narrative|arc)\b", heading, re.I):
            facts.append(_whole(asked.page_title, "narrative_arc", paragraph))
    return ReadOutput(facts=facts)


def npc(asked: ReadInput, chance: Chance) -> ReadOutput:
    """What prose says of a person."""
    return ReadOutput(facts=list(_facts(asked.page_title, asked, _NPC)))


def faction(asked: ReadInput, chance: Chance) -> ReadOutput:
    """What prose says of a faction."""
    facts = list(_facts(asked.page_title, asked, _FACTION))
    first = next((text for _, text in _paragraphs(asked.text)), "")
    if first and not any(fact.predicate == "ideology" for fact in facts):
        facts.append(_whole(asked.page_title, "ideology", first))
    return ReadOutput(facts=facts)


def lore(asked: ReadInput, chance: Chance) -> ReadOutput:
    """Which kind of lore a page tells."""
    said = plain_form(asked.text)
    scores = [
        (len(re.findall(pattern, said)), -rank, name)
        for rank, (name, pattern) in enumerate(_CATEGORY)
    ]
    count, _, category = max(scores)
    first = next((sentences(text)[0] for _, text in _paragraphs(asked.text)), "")
    if not count or not first:
        return ReadOutput()
    return ReadOutput(
        facts=[
            FoundFact(subject=asked.page_title, predicate="category", value=category, quote=first)
        ]
    )


def item(asked: ReadInput, chance: Chance) -> ReadOutput:
    """What prose says of a thing with a story."""
    facts = list(_facts(asked.page_title, asked, _ITEM))
    first = next((text for _, text in _paragraphs(asked.text)), "")
    if first:
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


Good = Callable[[str, str], bool]


def _unsaid_elsewhere(predicate: str, sentence: str) -> bool:
    """A connection is only believed of a sentence that denies nothing and tells no old tale."""
    return not _DENIED.search(sentence)


def _facts(
    subject: str, asked: ReadInput, shapes: list[Shape], good: Good = _unsaid_elsewhere
) -> Iterator[FoundFact]:
    """Each sentence against each shape. A sentence must speak of the subject, or follow one that
    does."""
    known = {plain_form(name) for name in asked.known_names.split(", ")}
    own = plain_form(subject)
    for _, paragraph in _paragraphs(asked.text):
        speaks = False
        for sentence in sentences(paragraph):
            speaks = own in plain_form(sentence) or (
                speaks and bool(re.match(r"(?:It|He|She|They|Its|This)\b", sentence))
            )
            if not speaks:
                continue
            for predicate, pattern in shapes:
                for found in re.finditer(pattern, sentence):
                    if not good(predicate, sentence):
                        continue
                    groups = found.groupdict()
                    if "value" in groups:
                        yield FoundFact(
                            subject=subject,
                            predicate=predicate,
                            value=found["value"],
                            quote=sentence,
                        )
                        continue
                    for name in _SPLIT.split(found["names"]):
                        name = re.sub(rf"{_SIDE}$", "", re.sub(r"^the\s+", "", name.strip(" '’")))
                        if (
                            not name
                            or plain_form(name) == own
                            or (predicate == "connects_to" and plain_form(name) not in known)
                        ):
                            continue
                        value = f"{groups['type']}: {name}" if groups.get("type") else name
                        yield FoundFact(
                            subject=subject, predicate=predicate, value=value, quote=sentence
                        )


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    heading = ""
    for block in text.split("\n\n"):
        if block.startswith("## "):
            heading = block[3:]
        elif block.strip():
            yield heading, block


def _whole(subject: str, predicate: str, paragraph: str) -> FoundFact:
    said = sentences(paragraph)
    quote = said[0] if said else paragraph
    return FoundFact(subject=subject, predicate=predicate, value=shorten(quote, 400), quote=quote)

"""What kind of thing an unknown name is, by the company it keeps wherever it stands: `who`
behind it, a brother of it, `in` before it, a list of things whose kinds are known."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from freeform.language.inflection import singular
from freeform.language.words import word_class
from freeform.lore.read.passes import FoundFact
from freeform.lore.read.vocabulary import is_place, kind_of_words
from freeform.offline.lore.mentions import NamedThing
from freeform.offline.lore.shapes import kin

_SLOT = re.compile(r"\[(\d+)([a-z])\]")
_TITLE = r"(?:(?:the|an?|two|three|four|five)\s+(?:[a-z]+\s*){0,2},?\s*)?"
_LISTED = re.compile(
    rf"\[\d+[a-z]\](?:\s*,\s*(?:and\s+|or\s+)?{_TITLE}\[\d+[a-z]\]|\s+(?:and|or)\s+{_TITLE}\[\d+[a-z]\])+"
)
_AT = re.compile(r"\b(?:in|at|into|inside|near|beneath|beyond|outside|towards)\s+(?:the\s+)?$")
_ITS_OWN = re.compile(r"\[(\d+)[uk]\]\s+[a-z][^\[\],;:]{0,60}?\b(?:his|her|himself|herself)\b")
_AGENT = re.compile(r"(?:[a-z]{3,}(?:er|or|ist)|[a-z]*(?:man|woman))s?$")
_UNKNOWN = "uk"
_IS = frozenset(
    "is was has lies stands sits borders contains holds connects leads links joins".split()
)
Slotted = tuple[str, Sequence[NamedThing]]


def kinds_seen(sentences: Iterable[Slotted]) -> dict[NamedThing, NamedThing]:
    """The names of unknown kind whose company speaks for one kind and for no other."""
    said = list(sentences)
    votes: dict[NamedThing, set[str]] = defaultdict(set)
    for slotted, named in said:
        for found in _SLOT.finditer(slotted):
            mention = named[int(found[1])]
            if mention.kind in _UNKNOWN:
                whole = " " in mention.name
                votes[mention] |= _signs(slotted[: found.start()], slotted[found.end() :], whole)
    for number, (slotted, named) in enumerate(said):
        after = said[number + 1][0] if number + 1 < len(said) else ""
        _vote_by_pronoun(slotted, named, after, votes)
    for slotted, named in said:
        for group in listed_together(slotted, named):
            _vote_in_list(group, votes)
    return {
        mention: replace(mention, kind=next(iter(kinds)))
        for mention, kinds in votes.items()
        if len(kinds) == 1
    }


def listed_together(slotted: str, named: Sequence[NamedThing]) -> Iterator[list[NamedThing]]:
    """The names of each list in a sentence."""
    for found in _LISTED.finditer(slotted):
        yield [named[int(number)] for number, _ in _SLOT.findall(found[0])]


_CLOSE = frozenset("wife husband son daughter brother sister twin".split())


def family_names(facts: Iterable[FoundFact], known_names: str) -> dict[NamedThing, NamedThing]:
    """Close kin of somebody with a family name who are called by one name only: they have it too.
    Whoever is known by that one name keeps it."""
    found: dict[NamedThing, NamedThing] = {}
    for fact in facts:
        type, _, other = fact.value.partition(": ")
        if fact.predicate != "relation" or type.lower() not in _CLOSE:
            continue
        for one, two in ((fact.subject, other), (other, fact.subject)):
            family = _family(two)
            if family and " " not in one and not re.search(rf"\b{re.escape(one)}\b", known_names):
                found[NamedThing(one, "n")] = NamedThing(f"{one} {family}", "n")
    return found


def _family(name: str) -> str:
    """The family name of a given name and another: not of `Mother Helena`, nor of `Oda the Red`."""
    words = name.split()
    plain = len(words) == 2 and all(word.isalpha() and word[0].isupper() for word in words)
    return words[1] if plain and words[0].lower() not in word_class("titles") else ""


def _vote_by_pronoun(
    slotted: str, named: Sequence[NamedThing], after: str, votes: dict[NamedThing, set[str]]
) -> None:
    """A sentence that begins with an unknown name and goes on with `his`, or the next with `She`,
    speaks of a person, where it names no other."""
    if any(each.kind == "n" for each in named):
        return
    for doing in _ITS_OWN.finditer(slotted):
        if not re.search(r"\b(?:in|at|to|from|of|near)\s+(?:the\s+)?$", slotted[: doing.start()]):
            votes[named[int(doing[1])]].add("n")
    if re.match(r"\[0[uk]\]\s+[a-z]", slotted) and re.match(r"(?:He|She)\b", after):
        votes[named[0]].add("n")


def _vote_in_list(listed: list[NamedThing], votes: dict[NamedThing, set[str]]) -> None:
    """Things in one list are of one kind."""
    kinds = {each.kind for each in listed if each.kind not in _UNKNOWN}
    for each in listed:
        if each.kind in _UNKNOWN:
            kinds |= votes[each]
    for each in listed:
        if each.kind in _UNKNOWN and len(kinds) == 1:
            votes[each] |= kinds


def _signs(before: str, behind: str, whole: bool) -> set[str]:
    """The kinds that the words on either side of a name speak for; `whole`: of a name of several
    words, which is seldom a place where somebody does something."""
    found = set[str]()
    if _is_related(before, behind) or _said_to_be_person(before, behind):
        found.add("n")
    if whole and re.search(r"\b(?:by|meet|meets|met|married|wed)\s+$", before):
        found.add("n")
    if _AT.search(before) or _named_as_place(before) or _said_to_be_place(behind):
        found.add("p")
    doing = re.match(r"\s+([a-z]+s)\b", behind)
    titled = re.search(r"\b(?i:the|its|their|his|her)\s+(?:[a-z-]+\s+)?([a-z-]+)\s+$", before)
    if doing and doing[1] not in _IS and (titled or (whole and not before)):
        place = titled is not None and _is_place_noun(titled[1])
        found.add("p" if place else "n")
    return found | _by_title(before)


def _is_related(before: str, behind: str) -> bool:
    """`…, who`, `his brother …`, `…'s brother`, `… and her`."""
    kinship = kin().pattern
    behind_it = (
        rf",?\s+whom?\b|['’]s\s+(?:\w+\s+)?(?:{kinship})\b|\s+and\s+(?:his|her)\b"
        r"|,?\s+(?:himself|herself)\b"
    )
    if not _AT.search(before):  # "into Lintanir, whose people": a land has people too.
        behind_it += r"|,?\s+whose\b"
    before_it = rf"\b(?i:his|her|their)\s+(?:\w+\s+)?(?:{kinship}),?\s+$|\b(?:{kinship})\s+of\s+$"
    return bool(re.match(behind_it, behind) or re.search(before_it, before))


def _by_title(before: str) -> set[str]:
    """`The singer …` is a person, `the village of …` a place."""
    noun = re.search(
        r"\b(?i:the|an?|its|their|his|her)\s+(?:[a-z-]+\s+)?([a-z-]+)"
        r"(?:\s+(?:of|called|named)|,)?\s+$",
        before,
    )
    if noun and kind_of_words(noun[1]) == "lore" and is_place(noun[1]):
        return {"p"}
    person = noun and (_AGENT.match(noun[1]) or kind_of_words(noun[1]) == "npc")
    return {"n"} if person else set()


def _said_to_be_person(before: str, behind: str) -> bool:
    """`…, the first of the guardians,`, `by the exiled titan …`, `the woman is called …`."""
    by = re.search(r"\bby\s+(?:the|an?)\s+(?:[a-z-]+\s+)?([a-z]+)\s+$", before)
    if by and not _is_place_noun(by[1]):
        return True
    called = re.search(
        r"^(?:The|An?)\s+(?:[a-z-]+\s+){0,2}?([a-z]+)\s+(?:in|at|of)\b[^.;]*\b(?:called|named)\s+$",
        before,
    )
    words = re.match(r",\s+(?:the|an?)\s+([a-z][a-z -]{2,50})", behind)
    nouns = [called[1]] if called else words[1].split() if words else []
    return any(_AGENT.match(noun) or kind_of_words(noun) == "npc" for noun in nouns) and not any(
        map(_is_place_noun, nouns)
    )


def _named_as_place(before: str) -> bool:
    """`The largest of the forests is the …`, `two villages, …`, `south of …`."""
    other = r"(?:(?:these|those|this|that|it|them)\s+(?:lies\s+|is\s+)?)?"
    if re.search(rf"\b(?i:north|south|east|west)\w*\s+of\s+{other}(?:the\s+)?$", before):
        return True
    told = re.search(
        r"((?:[a-z]+\s+){0,3}[a-z]+)(\s+(?:is|are|called|named)|,|:)\s+(?:the\s+)?$", before
    )
    if told is None:
        return _the_one_that_is(before)
    # "The four in the kitchen are Nell …": where they are is not what they are.
    said = _INSIDE.split(told[1])[0]
    nouns = [word for word in said.split() if _is_place_noun(word)]
    # "In the village, Nell …": of one, the name stands behind a comma only where it is a new one.
    new = re.search(r"\ban?\s+(?:[a-z-]+\s+)?[a-z]+,\s+(?:the\s+)?$", before) is not None
    one = told[2] != "," or new
    return any(one or singular(noun) != noun for noun in nouns) or _the_one_that_is(before)


_INSIDE = re.compile(r"\b(?:in|at|on|near|under|behind|inside|within|from|by|to)\b")
_ONE_THAT_IS = re.compile(
    r"^(?:The|An?)\s+(?:[a-z-]+\s+){0,2}?([a-z-]+)\s+(?:that|which)\b[^.;,]*"
    r"\b(?:is|are|called|named)\s+(?:the\s+)?$"
)


def _the_one_that_is(before: str) -> bool:
    """`The stream that leaves the lake is …`."""
    told = _ONE_THAT_IS.match(before)
    return told is not None and _is_place_noun(told[1])


def _said_to_be_place(behind: str) -> bool:
    """`… is a small town`, `… were villages once`."""
    said = re.match(
        r"\s+(?:is|are|was|were)\s+(?:(?:an?|the)\s+)?(?:[a-z-]+\s+){0,2}?([a-z]+)"
        r"(?=[.,;]|\s+(?:of|in|on|at|where|that|which|once|near)\b|$)",
        behind,
    )
    return said is not None and _is_place_noun(said[1])


def _is_place_noun(noun: str) -> bool:
    one = singular(noun.rpartition("-")[2])
    return is_place(one) or kind_of_words(one) == "zone"

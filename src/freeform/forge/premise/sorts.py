"""What the nouns of a premise are after all: a horse is nobody to talk to, noon is no thing, room 9
is a place, and whoever is `her` partner is the hero's own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from freeform.forge.premise.kinds import known_kind, word_tables
from freeform.forge.premise.nouns import YOU, PremiseNoun
from freeform.language.forms import is_plural
from freeform.language.inflection import singular
from freeform.language.meaning.premise import PEOPLE

LIFELESS = frozenset({"written", "sealed", "works", "likeness", "weather", "growing", "valuable"})
_NOBODY = LIFELESS | {"creature"}
_TOO_SMALL = frozenset({"sealed", "works", "valuable", "likeness", "written"})
"""Sorts of things that nobody could walk about in, whatever happens in them."""
_ANYBODY = frozenset({"people", "person", "persons", "dead", "living"})
"""Before ten thousand people: a noun for anybody is nobody one meets."""
_TIMES = frozenset({"time"})
_UNSURE = 0.75
"""Below this a thing is where the table has a place, and nothing where no sort is near."""
_SURELY_TALK = 0.95
"""What the ear is so sure is only talked of (`my name`) is nothing to read."""
_UNITS = frozenset("day night week month year hour season eve anniversary".split())
"""A name day is a day: such a word is the noun itself, and not when it is."""
_TWO = 2
_YEAR = re.compile(r"\d{4}s?")
_NUMBERED = re.compile(r"\b([a-z]{3,}) (\d{1,4}|[A-Z])\b(?! ?(?:a\.?m|p\.?m|o'clock|years?|days?))")
_BURIED = re.compile(r"\b(?:his|her|their) (?:own )?(?:funeral|burial|death|grave|wake)\b", re.I)
_BEREAVED = frozenset({"widow", "widower"})
_SPOUSES = frozenset({"husband", "wife", "spouse"})
_CHILDREN = frozenset({"daughter", "son", "child"})
_PARENTS = frozenset({"father", "mother"})
_TOWARDS = r"\b(?:to|for|from|towards?)\s+"


def sorted_nouns(
    nouns: Sequence[PremiseNoun], natures: Mapping[str, str], text: str
) -> list[PremiseNoun]:
    """The nouns that name something, each as what it is."""
    known = [
        _with_nature(_without_verb(noun, natures), natures) for noun in map(_without_time, nouns)
    ]
    kept = [_as_it_is(noun, text) for noun in known if not _is_nothing(noun)]
    kept = _without_the_buried(kept, text)
    return [*kept, *_numbered(text, kept)]


def without_a_part(nouns: Sequence[PremiseNoun], text: str) -> list[PremiseNoun]:
    """Whoever was taken for the hero and is not: somebody, or a beast that the story turns on."""
    freed = [replace(noun, part="foe") if noun.part == "hero" else noun for noun in nouns]
    return [_as_it_is(noun, text) if noun.part == "foe" else noun for noun in freed]


def owned_by_hero(nouns: Sequence[PremiseNoun], text: str) -> list[PremiseNoun]:
    """`her dead partner`, `his hives`, of whom the premise makes the hero: the player's own."""
    return [
        replace(noun, owner=YOU) if not noun.owner and _is_said_with_pronoun(noun, text) else noun
        for noun in nouns
    ]


def of_the_bereaved(
    others: Sequence[PremiseNoun], nouns: Sequence[PremiseNoun], hero: str
) -> list[PremiseNoun]:
    """Whose widow one is is dead; the notary of `a notary's widow` and her husband are one."""
    widow = next((noun for noun in nouns if noun.text == hero and noun.head in _BEREAVED), None)
    if widow is None:
        return list(others)
    spouses = [noun for noun in others if noun.head in _SPOUSES]
    kept = [noun for noun in others if not spouses or noun.text != widow.owner]
    return [replace(n, is_gone=n.is_gone or n in spouses or n.text == widow.owner) for n in kept]


def owned_by_the_only_one(nouns: Sequence[PremiseNoun], text: str) -> list[PremiseNoun]:
    """`her house`, where one person alone is told of: theirs."""
    people = [noun for noun in nouns if noun.kind == "person"]
    if len(people) != 1 or people[0].is_many:
        return list(nouns)
    said = [rf"\b(?:her|his|their)\s+{re.escape(noun.text)}\b" for noun in nouns]
    return [
        replace(noun, owner=people[0].text)
        if noun.kind == "place" and not noun.owner and re.search(pronoun, text, re.I)
        else noun
        for noun, pronoun in zip(nouns, said, strict=True)
    ]


def _is_said_with_pronoun(noun: PremiseNoun, text: str) -> bool:
    said = rf"\b(?:her|his|their)\s+(?:[\w-]+\s+)?{re.escape(noun.text)}\b"
    return noun.kind in ("person", "thing") and re.search(said, text, re.IGNORECASE) is not None


def _without_time(noun: PremiseNoun) -> PremiseNoun:
    """`big race saturday` is a big race."""
    words = noun.text.split()
    while len(words) > 1 and words[-1].lower() in word_tables().times - _UNITS and not noun.is_name:
        words.pop()
    only_how = all(word.lower() in word_tables().adjectives for word in words)
    if only_how or len(words) == len(noun.text.split()):
        return noun  # an old name is no old
    return replace(noun, text=" ".join(words), head=singular(words[-1].lower()))


def _without_verb(noun: PremiseNoun, natures: Mapping[str, str]) -> PremiseNoun:
    """`portrait ages` is a portrait: behind something that is there stands what it does."""
    words = noun.text.split()
    if len(words) < _TWO or noun.is_name or natures.get(words[-2].lower(), "") not in _NOBODY:
        return noun
    last = words[-1].lower()
    is_verb = is_plural(last) and natures.get(last, "") in ("", "time") and not known_kind(last)
    if not is_verb:
        return noun
    said = " ".join(words[:-1])
    return replace(noun, text=said, head=singular(words[-2].lower()), is_many=False, is_one=True)


def _with_nature(noun: PremiseNoun, natures: Mapping[str, str]) -> PremiseNoun:
    words = noun.text.lower().split()
    nature = natures.get(words[-1], "") or natures.get(noun.head.lower(), "")
    return replace(noun, nature=nature)


def _is_nothing(noun: PremiseNoun) -> bool:
    """A time, a year, a letter; or what nobody could pick up, if the ear was not sure."""
    if noun.kind in ("person", "place"):
        return False
    if _YEAR.fullmatch(noun.head) or len(noun.head) < 2 or noun.nature in _TIMES:
        return True
    doubtful = noun.part in ("stake", "thing") and 0 < noun.sure < _UNSURE
    return doubtful and not noun.nature and noun.head in word_tables().airy


def _as_it_is(noun: PremiseNoun, text: str) -> PremiseNoun:
    if noun.kind in ("thing", "matter") and _is_of_a_body(noun, text):
        return replace(noun, kind="matter", part="matter", nature="")
    return _as_it_is_there(noun, text)


def _is_of_a_body(noun: PremiseNoun, text: str) -> bool:
    """`in my skull`, `his voice`: what somebody has as a part of them is nothing to lay a hand
    on."""
    if noun.head not in word_tables().body:
        return False
    said = rf"\b(?:my|our|your|his|her|their|['’]s)\s+(?:[\w-]+\s+)?{re.escape(noun.text)}\b"
    return re.search(said, text, re.IGNORECASE) is not None


def _as_it_is_there(noun: PremiseNoun, text: str) -> PremiseNoun:
    known = known_kind(noun.head)
    if noun.kind in ("thing", "matter") and _holds_people(noun, text):
        return replace(noun, kind="place", sort="room", part="place.room")
    if noun.kind == "person" and noun.text.lower() in _ANYBODY and not noun.owner:
        return replace(noun, kind="matter", part="")
    if noun.kind == "person" and noun.nature in _NOBODY and noun.part != "hero":
        is_table_person = known is not None and known[0] == "person"
        if not noun.is_name and (not is_table_person or _is_held_in(noun, text)):
            part = "stake" if noun.nature == "creature" else "thing"
            return replace(noun, kind="thing", part=part if noun.part in PEOPLE else "")
    if noun.nature == "being" and noun.kind in ("thing", "matter") and noun.is_one:
        return replace(noun, kind="person", part="victim" if noun.part == "stake" else "person")
    if noun.kind == "place" and known is None and noun.nature in _TOO_SMALL and not noun.is_name:
        return replace(noun, kind="thing", sort="", part="thing")
    is_on_paper = noun.nature == "written" and noun.sure < _SURELY_TALK
    if noun.kind == "matter" and (is_on_paper or _may_be_touched(noun)):
        return replace(noun, kind="thing", part="stake" if noun.is_one else "thing")
    is_doubtful = noun.kind == "thing" and 0 < noun.sure < _UNSURE
    if is_doubtful and known is not None and known[0] == "place":
        return replace(noun, kind="place", sort=known[1], part=f"place.{known[1]}")
    return _named_place(noun, text)


def _holds_people(noun: PremiseNoun, text: str) -> bool:
    """Whether somebody is said to be stuck in it: `trapped in a lift`."""
    stuck = r"\b(?:trapped|stuck|stranded|locked|snowed|shut|caught)(?: \w+){0,2}? (?:in|on|inside)"
    return (
        re.search(rf"{stuck} (?:an?|the|their|our|my) {re.escape(noun.text)}\b", text) is not None
    )


def _is_held_in(noun: PremiseNoun, text: str) -> bool:
    """Whether something is said to be inside of it: `a letter inside a watch`."""
    said = rf"\b(?:inside|within|into|out of)\s+(?:an?|the|my|his|her)\s+{re.escape(noun.text)}\b"
    return re.search(said, text, re.IGNORECASE) is not None


def _may_be_touched(noun: PremiseNoun) -> bool:
    """`the octopus`: what the ear took for a matter, and is of a sort that is there."""
    lasting = noun.nature in _NOBODY - {"weather", "written"}
    known = known_kind(noun.head)
    return lasting and noun.is_one and (known is None or known[0] == "thing")


def _named_place(noun: PremiseNoun, text: str) -> PremiseNoun:
    """`lisbon`, without an article and in no table, is a name; where one goes to, far away. So is
    a name that something is in or at, and that was taken for talk: `in the Welsh Marches`."""
    inside = rf"\b(?:in|at|on|near) (?:the )?{re.escape(noun.text)}\b"
    if noun.kind == "matter" and noun.is_name and re.search(inside, text):
        return replace(noun, kind="place", sort="settlement", part="place.settlement")
    if noun.kind != "place" or noun.sort != "settlement" or noun.is_one:
        return noun
    if not noun.is_name and known_kind(noun.head) is None and not noun.is_many:
        title = noun.text.title()
        noun = replace(noun, text=title, head=title.split()[-1], is_name=True)
    is_far = re.search(rf"{_TOWARDS}{re.escape(noun.text)}\b", text, re.IGNORECASE)
    return replace(noun, sort="world") if noun.is_name and is_far else noun


def _without_the_buried(nouns: list[PremiseNoun], text: str) -> list[PremiseNoun]:
    """Whoever has had `his funeral` is gone: the last person named before it. The father of the
    clockmaker's daughter is the clockmaker."""
    buried = _BURIED.search(text)
    before = text[: buried.start()] if buried else ""
    people = [noun for noun in nouns if noun.kind == "person" and noun.text in before]
    if not people:
        return nouns
    last = max(people, key=lambda noun: before.rfind(noun.text))
    parent = next((n.owner for n in nouns if n.head in _CHILDREN and n.owner), "")
    same = next((n for n in nouns if n.text == parent), None) if last.head in _PARENTS else None
    if same is None:
        return [replace(noun, is_gone=True) if noun == last else noun for noun in nouns]
    gone = replace(same, is_gone=True, also=last.text)
    return [gone if noun == same else noun for noun in nouns if noun != last]


def _numbered(text: str, nouns: Sequence[PremiseNoun]) -> list[PremiseNoun]:
    """`room 9`: a place with a number, which the ear has not marked."""
    found: list[PremiseNoun] = []
    for said in _NUMBERED.finditer(text):
        known = known_kind(said[1])
        marked = any(said[1] in noun.text.lower().split() for noun in nouns)
        if known and known[0] == "place" and not marked:
            name = f"{said[1].capitalize()} {said[2]}"
            part = f"place.{known[1]}"
            place = PremiseNoun(name, name, "place", known[1], is_name=True, part=part, sure=1.0)
            found.append(replace(place, order=len(nouns) + len(found)))
    return found

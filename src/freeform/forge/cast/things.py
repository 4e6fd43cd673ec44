"""Things of the evening: what the story turns on, what proves it, what else is talked of."""

import re
from dataclasses import dataclass, replace

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.forge.grammar import capital, with_the
from freeform.forge.premise.clauses import times_of
from freeform.forge.premise.kinds import known_kind, word_tables
from freeform.forge.premise.middle import is_lost, middle_of
from freeform.forge.premise.nouns import PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.forge.shapes.model import ShapeThing, StoryShape
from freeform.language.inflection import singular

MOST_MATTERS = 6
MOST_AT_HAND = 3
_AT_HAND = (
    "{}. You have had this before your eyes for so long that you have to look on purpose.",
    "{}. Nothing about it has changed since yesterday, except that today you look twice.",
    "{}. It is what it always was. You are not so sure of what is round it.",
)
_WRITTEN_UP = {
    "The slip by the door": "Somebody has put it up where nobody can go out without reading it:",
    "The line on the wall": "It has been gone over twice, so that nobody can say they forgot:",
    "The pinned-up note": "It is held by a single pin, and has been read until it is soft:",
}
"""Where the year, the day or the hour stands that the premise names."""
_ONE_OF_MANY = {"written": "latest", "creature": "eldest"}
"""Which of several a story that has room for one is about; else the nearest."""
_LONG_NAME = 4
"""So many words nobody says twice."""
_FIXED = frozenset({"creature", "weather", "growing"})
"""Sorts of things that nobody puts in a pocket."""


@dataclass(frozen=True)
class Prop:
    """Something with a name; `at` is the part of the place where it lies, or `nowhere`."""

    role: str
    id: str
    name: str
    text: str
    at: str
    hidden: bool = False
    portable: bool = True
    matter: bool = False
    aliases: tuple[str, ...] = ()
    source: str = ""
    is_many: bool = False
    nature: str = ""

    def names(self) -> dict[str, str]:
        """Every word a template may want of it."""
        is_marked = self.name.startswith(("The ", "Your "))
        inside = self.name[:1].lower() + self.name[1:] if is_marked else self.name
        bare = inside.removeprefix("the ").removeprefix("your ")
        it, them, its = ("they", "them", "their") if self.is_many else ("it", "it", "its")
        verbs = ("are", "have", "were") if self.is_many else ("is", "has", "was")
        return {
            self.role: inside,
            f"{self.role}.The": capital(inside),
            f"{self.role}.bare": inside,
            f"{self.role}.noun": bare,
            f"{self.role}.it": it,
            f"{self.role}.It": it.capitalize(),
            f"{self.role}.them": them,
            f"{self.role}.its": its,
            f"{self.role}.s": "" if self.is_many else "s",
            **{f"{self.role}.{one}": verb for one, verb in zip(_VERBS, verbs, strict=True)},
        }


_VERBS = ("is", "has", "was")


def props(
    shape: StoryShape, premise: PremiseRead, chance: Chance, distant: list[PremiseNoun]
) -> dict[str, Prop]:
    """The shape's things, the first of the premise's in their place; then all others it names,
    and places that are only heard of."""
    nouns = _by_weight(premise)
    found: dict[str, Prop] = {}
    for role, wanted in shape.things.items():
        fit = next((noun for noun in nouns if wanted.takes(noun.head, noun.part)), None)
        if wanted.premise and fit:
            nouns.remove(fit)
            made = _of_premise(role, wanted, fit, premise, bool(shape.natures))
            is_away = fit.nature == "creature" and bool(shape.natures) and is_lost(premise)
            found[role] = replace(made, at="deep") if is_away else made
        elif not wanted.optional:
            found[role] = _made(role, wanted, shape.id, _names(wanted, premise), chance)
    near = [noun for noun in nouns if premise.teller.is_own and _can_be_touched(noun)]
    near = [noun for noun in near if not noun.fate]  # what is gone is not at hand
    for number, noun in enumerate(near[:MOST_AT_HAND]):
        role = f"hand{'abc'[number]}"
        line = chance.at("hand", role).choose(list(_AT_HAND))
        text = line.format(capital(premise.said(noun)))
        found[role] = _named(role, noun, "hub", text, premise)
        nouns.remove(noun)
    found |= _written_up(premise, chance)
    rest = [*nouns, *distant, *premise.of("matter")][:MOST_MATTERS]
    for number, noun in enumerate(rest):
        role = f"matter{'abcdef'[number]}"
        text = f"Everybody here means the same thing when they say {premise.said(noun)}."
        made = _named(role, noun, "nowhere", text, premise)
        found[role] = replace(made, matter=True, portable=False)
    return found


def _written_up(premise: PremiseRead, chance: Chance) -> dict[str, Prop]:
    """What the premise says of the year, the day or the hour, where everybody has it before their
    eyes; nothing where it says none."""
    times = times_of(premise.text)
    if not times:
        return {}
    name = chance.at("written up").choose(list(_WRITTEN_UP))
    told = ", ".join(capital(time) for time in times)
    text = f"{_WRITTEN_UP[name]} {told}."
    bare = name.removeprefix("The ").lower()
    aliases = tuple(dict.fromkeys([bare, bare.split()[-1], *times, "date"]))
    source = f"premise: {', '.join(times)}"
    made = Prop("written_up", slug(name), name, text, "hub", portable=False, aliases=aliases)
    return {"written_up": replace(made, source=source, nature="written")}


def _by_weight(premise: PremiseRead) -> list[PremiseNoun]:
    """The things of the premise, what it turns on first."""
    middle = middle_of(premise)
    things = sorted(premise.of("thing"), key=lambda noun: noun.part != "stake")
    return [middle, *(noun for noun in things if noun != middle)] if middle else things


def _of_premise(
    role: str, wanted: ShapeThing, noun: PremiseNoun, premise: PremiseRead, takes_many: bool
) -> Prop:
    """The premise's own thing; of several all, or a pile of them, or one of them."""
    if not noun.is_many or takes_many:
        made = _named(role, noun, wanted.at, wanted.text, premise)
    elif wanted.many:
        pile = replace(noun, text=f"{wanted.many} of {noun.text}")
        made = replace(_named(role, pile, wanted.at, wanted.text, premise), is_many=False)
    else:
        which = _ONE_OF_MANY.get(noun.nature, "nearest")
        words = noun.text.split()
        one = " ".join([which, *words[:-1], singular(words[-1].lower())])
        made = _named(role, replace(noun, text=one), wanted.at, wanted.text, premise)
        made = replace(made, is_many=False, aliases=(*made.aliases, noun.text.lower()))
    return replace(made, portable=noun.nature not in _FIXED and noun.head != "door")


def _names(wanted: ShapeThing, premise: PremiseRead) -> list[str]:
    """What a thing may be that the premise does not name, by the place it is about."""
    sorts = [noun.sort for noun in premise.of("place") if noun.sort in wanted.by_sort]
    return wanted.by_sort[sorts[0]] if sorts else wanted.names


def _made(role: str, wanted: ShapeThing, shape: str, names: list[str], chance: Chance) -> Prop:
    name = chance.at("thing", role).choose(names)
    return Prop(
        role=role,
        id=slug(name),
        name=capital(name),
        text=wanted.text,
        at=wanted.at,
        hidden=wanted.hidden,
        portable=not wanted.fixed,
        aliases=_called(name),
        source=f"shape {shape}",
    )


def apart_from(found: dict[str, Prop], ids: set[str]) -> dict[str, Prop]:
    """Without what is talked of and is somebody, some place or something of the story after all; a
    thing that shares its id with one gets another."""
    kept: dict[str, Prop] = {}
    taken = set(ids)
    for role, prop in found.items():
        if prop.id not in taken:
            kept[role] = prop
        elif not prop.matter and not (prop.id not in ids and prop.source.startswith("shape")):
            kept[role] = replace(prop, id=f"{prop.id}_{role}")
        taken.add(prop.id)
    return kept


def _can_be_touched(noun: PremiseNoun) -> bool:
    if noun.part:
        return noun.is_one
    known = known_kind(noun.head) if noun.is_one else None
    return known is not None and known[0] == "thing" and noun.head not in word_tables().airy


def _named(role: str, noun: PremiseNoun, at: str, text: str, premise: PremiseRead) -> Prop:
    the = premise.said(noun)
    if len(the.split()) > _LONG_NAME:
        the = with_the(noun.text)  # the letters, whoever's widow's they are
    called = [noun.text.lower(), noun.head.lower(), noun.also.lower(), noun.full]
    return Prop(
        role=role,
        id=slug(the),
        name=capital(the),
        text=text,
        at=at,
        aliases=tuple(dict.fromkeys(filter(None, called))),
        source=f"premise: {noun.text}",
        is_many=noun.is_many,
        nature=noun.nature,
    )


def _called(name: str) -> tuple[str, ...]:
    bare = name.removeprefix("the ")
    head = re.split(r" (?:of|on|with|without|from|in|that) ", bare)[0].split()[-1]
    return tuple(dict.fromkeys([bare, head, bare.split()[-1]]))

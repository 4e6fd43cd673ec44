"""Things of the evening: what the story turns on, what proves it, what else is talked of."""

from dataclasses import dataclass, replace

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.forge.grammar import capital
from freeform.forge.premise.kinds import known_kind, word_tables
from freeform.forge.premise.nouns import PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.forge.shapes.model import StoryShape

MOST_MATTERS = 6
MOST_AT_HAND = 3
_AT_HAND = "{}: nearer than you would like, and not yet explained."


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

    def names(self) -> dict[str, str]:
        """Every word a template may want of it."""
        is_marked = self.name.startswith(("The ", "Your ", "One of "))
        inside = self.name[:1].lower() + self.name[1:] if is_marked else self.name
        bare = inside.removeprefix("the ").removeprefix("your ")
        return {
            self.role: inside,
            f"{self.role}.The": capital(inside),
            f"{self.role}.bare": inside,
            f"{self.role}.noun": bare,
        }


def props(
    shape: StoryShape, premise: PremiseRead, chance: Chance, distant: list[PremiseNoun]
) -> dict[str, Prop]:
    """The shape's things, the first of the premise's in their place; then all others it names,
    and places that are only heard of."""
    nouns = sorted(premise.of("thing"), key=lambda noun: noun.part != "stake")
    found: dict[str, Prop] = {}
    for role, wanted in shape.things.items():
        fit = next((noun for noun in nouns if wanted.takes(noun.head, noun.part)), None)
        if wanted.premise and fit:
            nouns.remove(fit)
            one = replace(fit, text=f"{wanted.many} of {fit.text}") if wanted.many else fit
            found[role] = _named(role, one if fit.is_many else fit, wanted.at, wanted.text, premise)
            if fit.is_many and not wanted.many:
                found[role] = replace(found[role], name=f"One of {premise.said(fit)}")
        elif not wanted.optional:
            name = chance.at("thing", role).choose(wanted.names)
            found[role] = Prop(
                role=role,
                id=slug(name),
                name=capital(name),
                text=wanted.text,
                at=wanted.at,
                hidden=wanted.hidden,
                aliases=_called(name),
                source=f"shape {shape.id}",
            )
    near = [noun for noun in nouns if premise.teller.is_own and _can_be_touched(noun)]
    for number, noun in enumerate(near[:MOST_AT_HAND]):
        role = f"hand{'abc'[number]}"
        text = _AT_HAND.format(capital(premise.said(noun)))
        found[role] = _named(role, noun, "hub", text, premise)
        nouns.remove(noun)
    rest = [*nouns, *distant, *premise.of("matter")][:MOST_MATTERS]
    for number, noun in enumerate(rest):
        role = f"matter{'abcdef'[number]}"
        text = f"Everybody here means the same thing when they say {premise.said(noun)}."
        made = _named(role, noun, "nowhere", text, premise)
        found[role] = replace(made, matter=True, portable=False)
    return found


def apart_from(found: dict[str, Prop], ids: set[str]) -> dict[str, Prop]:
    """Without what is talked of and is somebody or some place of the story after all; a thing that
    shares its id with one gets another."""
    kept = {role: prop for role, prop in found.items() if not (prop.matter and prop.id in ids)}
    for role, prop in kept.items():
        if prop.id in ids:
            kept[role] = replace(prop, id=f"{prop.id}_{role}")
    return kept


def _can_be_touched(noun: PremiseNoun) -> bool:
    if noun.part:
        return noun.is_one
    known = known_kind(noun.head) if noun.is_one else None
    return known is not None and known[0] == "thing" and noun.head not in word_tables().airy


def _named(role: str, noun: PremiseNoun, at: str, text: str, premise: PremiseRead) -> Prop:
    the = premise.said(noun)
    called = [noun.text.lower(), noun.head.lower(), noun.also.lower()]
    return Prop(
        role=role,
        id=slug(the),
        name=capital(the),
        text=text,
        at=at,
        aliases=tuple(dict.fromkeys(filter(None, called))),
        source=f"premise: {noun.text}",
    )


def _called(name: str) -> tuple[str, ...]:
    bare = name.removeprefix("the ")
    return tuple(dict.fromkeys([bare, bare.split()[-1]]))

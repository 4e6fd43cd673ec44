"""Who and what of a premise sits where in a story, and how much of the story that makes theirs.

A seat is a role or a thing of a shape. How near the middle of the story it is, the shape's own text
says: what its question asks after, what its opening and stakes tell of, whom its truths are about.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from freeform.forge.premise.middle import opponent_of
from freeform.forge.premise.nouns import YOU, PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.forge.shapes.load import story_shapes
from freeform.forge.shapes.model import ShapeRole, ShapeThing, StoryShape

_THERE, _ASKED, _TOLD, _TRUE = 0.25, 0.4, 0.2, 0.15
"""What it counts to be in a story at all, in its question, in its opening, in its truths."""
_BY_PART = (1.0, 0.7, 0.55)
"""How well somebody fits whose part is the first, second or third a role is for."""
_ANYBODY, _ASKEW, _LIKED, _OWNS = 0.6, 0.35, 0.3, 1.0
"""How well somebody fits of whom no part is known; whose part is another; and what it adds when the
words fit, and when they own what the story turns on."""
_SOUGHT, _FOUND = ("missing", "asleep"), 2.0
"""Who is there to be found; and what it adds that the premise says so."""
_FACED = 2.0
"""What it adds that the premise says one has to face them."""
_TOLD_OF = 2.0
"""What it adds that what goes on is said of them; half of it, that it is done to them."""
_UNSAID = ("", "person", "hero")
"""Parts that say nothing: anybody; and whoever was taken for the hero and is not."""
_WEIGHT = {"stake": 1.0, "thing": 0.5}
"""What a thing counts beside somebody."""


@dataclass(frozen=True)
class Seating:
    """The people of a premise by role, and what share of the premise and of the story they are."""

    people: dict[str, PremiseNoun]
    seated: float
    """How near the middle of the story the premise's people and things are, on the average."""
    asked: float
    """How many of those that the question asks after are the premise's."""


@cache
def centrality(shape_id: str) -> dict[str, float]:
    """How near the middle of a story each of its roles and things is: 1 for the very middle."""
    shape = story_shapes()[shape_id]
    openings = [[*opening.text, shape.stakes] for opening in shape.openings]
    things_told = [thing.told for thing in shape.things.values()]
    clauses = [truth.clause for truth in shape.truths]
    found = {}
    for seat in (*shape.roles, *shape.things):
        found[seat] = (
            _THERE
            + _ASKED * is_told(seat, [shape.question])
            + _TOLD * _share_told(seat, openings, things_told)
            + _TRUE * is_told(seat, clauses)
        )
    return found


def _share_told(seat: str, openings: list[list[str]], always: list[str]) -> float:
    """In what share of a story's openings a seat is told of."""
    told = sum(is_told(seat, [*opening, *always]) for opening in openings)
    return told / len(openings)


def is_told(seat: str, texts: Sequence[str]) -> bool:
    """Whether one of the texts tells of a role or a thing."""
    return any(re.search(rf"\{{{seat}[.}}]", text) for text in texts)


def seating(shape: StoryShape, premise: PremiseRead) -> Seating:
    """Who sits where, so that as much of the premise as possible is in the middle of the story."""
    people = premise.of("person")
    chosen = _absent_seats(shape, people)
    near = centrality(shape.id)
    owners = {noun.owner for noun in premise.of("thing") if noun.owner}
    fits, opponent = [], opponent_of(premise)
    for noun in people:
        for at, (role, wanted) in enumerate(shape.roles.items()):
            if not wanted.absent and _may_be_met(noun, wanted):
                fit = _fit(noun, role, wanted, owners) * near[role]
                fit += _FOUND if noun.fate else 0.0
                fit += _told_of(noun, premise) if wanted.told_of else 0.0
                fit += _FACED if wanted.faced and noun == opponent else 0.0
                fits.append((fit, -noun.order, -at, noun, role))
    worth = {role: near[role] for role in chosen}
    for fit, _, _, noun, role in sorted(fits, key=lambda row: row[:3], reverse=True):
        if role not in chosen and noun not in chosen.values():
            chosen[role] = noun
            worth[role] = fit
    things = _thing_worth(shape, premise, near)
    count = len(people) + sum(_WEIGHT.get(noun.part, 0.5) for noun in premise.of("thing"))
    seated = (sum(worth.values()) + things) / count if count else 0.0
    return Seating(chosen, seated, _asked(shape, chosen, things > 0))


def _told_of(noun: PremiseNoun, premise: PremiseRead) -> float:
    """How much what goes on is about somebody: it is said of them, or they stand in it."""
    happening = premise.happening
    if re.search(rf"\b{re.escape(noun.text)}$", happening.subject, re.IGNORECASE):
        return _TOLD_OF
    named = re.search(rf"\b{re.escape(noun.text)}\b", happening.clause, re.IGNORECASE)
    return _TOLD_OF / 2 if named else 0.0


def turns_on_ours(shape: StoryShape, premise: PremiseRead) -> bool:
    """Whether the story turns on a thing, and the premise has none that could be it."""
    for wanted in shape.things.values():
        if wanted.premise and not wanted.optional and not _has_one(premise, wanted):
            return True
    return False


def _has_one(premise: PremiseRead, wanted: ShapeThing) -> bool:
    return any(wanted.takes(noun.head, noun.part) for noun in premise.of("thing"))


def _absent_seats(shape: StoryShape, people: list[PremiseNoun]) -> dict[str, PremiseNoun]:
    """Who is gone takes the place of who is gone: the dead in a story about a killing, whoever is
    missing in one where somebody is sought."""
    chosen: dict[str, PremiseNoun] = {}
    gone = [noun for noun in people if noun.fate or noun.is_gone]
    for role, wanted in shape.roles.items():
        is_for_the_dead = wanted.dead or bool(shape.killing)
        fitting = [noun for noun in gone if noun.is_gone == is_for_the_dead]
        if wanted.absent and fitting:
            chosen[role] = fitting[0]
            gone.remove(fitting[0])
    return chosen


def _may_be_met(noun: PremiseNoun, wanted: ShapeRole) -> bool:
    """Whoever is missing or asleep is found at the far end of the story, or not at all."""
    return not (noun.fate or noun.is_gone) or (noun.fate in _SOUGHT and wanted.at == "deep")


def _fit(noun: PremiseNoun, role: str, wanted: ShapeRole, owners: set[str]) -> float:
    """How well somebody fits a role: by their part, their words, and what they own."""
    fit = _LIKED if noun.head in wanted.likes.split() else 0.0
    if noun.text in owners and role in ("owner", "holder"):
        fit += _OWNS
    part = "friend" if noun.part in _UNSAID and noun.owner == YOU else noun.part
    if part in _UNSAID:
        return fit + _ANYBODY
    if part not in wanted.parts:
        return fit + _ASKEW
    return fit + _BY_PART[wanted.parts.index(part)]


def _thing_worth(shape: StoryShape, premise: PremiseRead, near: dict[str, float]) -> float:
    """What the premise's things count in a story that turns on one."""
    things = premise.of("thing")
    best = 0.0
    for seat, wanted in shape.things.items():
        for noun in things:
            if wanted.premise and wanted.takes(noun.head, noun.part):
                best = max(best, near[seat] * _WEIGHT.get(noun.part, 0.5))
    return best


def _asked(shape: StoryShape, people: dict[str, PremiseNoun], has_thing: bool) -> float:
    """The share of what the question asks after that the premise has."""
    roles = [role for role in shape.roles if is_told(role, [shape.question])]
    things = [
        seat
        for seat, wanted in shape.things.items()
        if wanted.premise and not wanted.optional and is_told(seat, [shape.question])
    ]
    wanted = len(roles) + len(things)
    held = sum(role in people for role in roles) + (len(things) if has_thing else 0)
    return held / wanted if wanted else 0.5

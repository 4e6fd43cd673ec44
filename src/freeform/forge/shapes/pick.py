"""Which story a premise is told as: the one it plainly is, the one about its own thing, or the one
about what it says is going on."""

import re
from collections.abc import Mapping

from freeform.core.chance import Chance
from freeform.forge.premise.fates import MISSING
from freeform.forge.premise.middle import (
    is_shut,
    is_taken,
    middle_of,
    prowler_of,
    somebody_vanished,
)
from freeform.forge.premise.nouns import PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.forge.shapes.choose import (
    CERTAIN,
    choose_kind,
    filled,
    names_itself,
    says_one,
    scores,
    weighed,
)
from freeform.forge.shapes.happens import (
    BOUT,
    CONTEST,
    clear_turn,
    likely_turn,
    turns_of,
    with_the_turn,
    with_words,
)
from freeform.forge.shapes.keeps import LOSS, likely_of, may_be_told, tells_what_is_so
from freeform.forge.shapes.load import story_shapes
from freeform.forge.shapes.model import StoryShape
from freeform.forge.shapes.seats import seating, turns_on_ours

_PLAIN = 0.8
"""What must speak for a story for it to be told: the ear with .7, or a word and the ear with .15.
Where nothing does, the story that asserts least is told. Chosen by reading 60 strangers' premises:
of those told as another story about three in four are plainly that story."""
_OFTEN, _HEARD = 2.0, 0.15
"""How many words must speak for a story that nothing else bears out; how likely the ear must find
one that a single word speaks for."""
_LIKELY, _SURELY = 0.7, 0.9
"""How likely the ear must find a story that is told instead of one about the premise's own thing:
with a word for it, and with none."""
_ALONE = 1
"""With more people than this a premise is about them, and not about its place."""
_HEARD_AS = 0.25
"""How likely the ear must find the kinds of story that an open one is heard as, together."""
_ASK_WHO = ("missing", "mystery", "words", "prowl", "beast", "haunting", "chase", "guise", "riddle")
"""Stories whose own question is who did it."""
_CAME_BACK = "return"
"""The story of somebody who has come back is told only where the premise says so."""
_ITSELF = 0.45
"""How near the turn of a story must be that is told though the premise says what is going on."""
_PROWL, _HARMS = "prowl", 0.22
"""The story of what is out there and kills; how near its turn must be where the premise names a
beast or something. Of 36 premises read by hand the four that tell of one have .24 and more, the
others that name an animal at most .13."""


def chosen_shape(premise: PremiseRead, chance: Chance) -> StoryShape:
    """The story that was asked for, and in which the premise's own people and things are in the
    middle; where the premise asks who does something, one that asks it."""
    shape = _fitting_shape(premise, chance)
    if not premise.happening.clause or not premise.heard.shapes or _tells_of_it(shape, premise):
        return shape
    return next(one for one in story_shapes().values() if one.happening)


def _tells_of_it(shape: StoryShape, premise: PremiseRead) -> bool:
    """Whether a story is about what the premise says is going on: by its own question, or by the
    premise's own thing; where it is what the player does or has to do; where somebody or something
    is gone; where it is named outright, or is the turn that the premise plainly tells."""
    happening = premise.happening
    if shape.natures:
        return shape.id != "shut" or is_shut(premise)
    if shape.happening or shape.own or shape.instead_of or shape.killing or shape.id == _CAME_BACK:
        return True
    if premise.clauses.aim or happening.is_ones_own or is_taken(premise):
        return True
    if somebody_vanished(premise) or _is_named(shape, premise):
        return True
    if happening.does and shape.id in _ASK_WHO:
        return True
    near = with_words(turns_of(premise), {}, story_shapes())
    return clear_turn(near, happens=True) == shape.id or near.get(shape.id, 0.0) >= _ITSELF


def _is_named(shape: StoryShape, premise: PremiseRead) -> bool:
    """Whether the premise names the story outright, or whoever marked it chose it."""
    named = any(names_itself(premise.text, {shape.id: shape}).values())
    return named or premise.heard.shapes.get(shape.id) == CERTAIN


def _fitting_shape(premise: PremiseRead, chance: Chance) -> StoryShape:
    shapes = story_shapes()
    told = {id: shape for id, shape in shapes.items() if _can_tell(shape, premise)}
    heard = premise.heard.shapes
    learned = {id: likely_of(told[id], heard) for id in told} if heard else {}
    outright = names_itself(premise.text, told)
    said = {id: score + outright[id] for id, score in scores(premise.text, told).items()}
    found = weighed(said, learned)
    for id, likely in learned.items():
        if likely == CERTAIN:
            return told[id]
    turns = {} if is_shut(premise) else with_words(turns_of(premise), said, told)
    harms = turns.get(_PROWL, 0.0) >= _HARMS and not any(outright.values())
    happens = bool(heard) and (premise.happening.clause or premise.clauses.aim)
    turn = clear_turn(with_words(turns_of(premise), {}, turns) if happens else turns, happens)
    is_own = turn in told and told[_as_it_is_held(turn, premise)].own
    if harms and prowler_of(premise) and not is_own and not said.get(CONTEST):
        return told[_PROWL]
    if turn and tells_what_is_so(turn, premise) and not turns_on_ours(told[turn], premise):
        return told[_as_it_is_held(turn, premise)]
    if premise.text:
        own = _about_its_thing(told, premise)
        plain = {
            id: score
            for id, score in found.items()
            if score >= _PLAIN and _is_borne_out(told[id], premise, said[id], learned.get(id))
            if not (own or happens) or _is_plainly(told[id], said[id], learned.get(id, 0.0))
        }
        plain = with_the_turn(plain, turns)
        sought = ["rescue"] if somebody_vanished(premise) and not own else []
        if sought and not any(said[id] for id in plain):
            plain = {}  # whoever is missing is looked for, unless it says what else is afoot
        turned = [] if happens else likely_turn(turns, bool(own))
        found = plain or dict.fromkeys(turned or own or sought or _told_of_anything(told), 1.0)
        found = {id: score for id, score in found.items() if tells_what_is_so(id, premise)}
        found = found or dict.fromkeys(sought or own or _told_of_loss(premise, told), 1.0)
        if not any(tells_what_is_so(id, premise) for id in found):
            found = dict.fromkeys(_told_of_loss(premise, told), 1.0)
        found = {_as_it_is_held(id, premise): score for id, score in found.items()}
        found = filled(found, {id: seating(told[id], premise) for id in found})
    return told[choose_kind(found, chance.at("shape"))]


def _told_of_loss(premise: PremiseRead, shapes: Mapping[str, StoryShape]) -> list[str]:
    """The story of something that is gone, where the premise's own thing is."""
    middle = middle_of(premise)
    is_gone = middle is not None and middle.fate == MISSING
    return [LOSS] if is_gone else _told_of_anything(shapes)


def _as_it_is_held(id: str, premise: PremiseRead) -> str:
    """A hostage is somebody; where the premise has only a thing for it, that has a price. A contest
    that the player tells of is their own."""
    people = premise.of("person")
    if id == CONTEST and may_be_told(story_shapes()[BOUT], premise):
        return BOUT
    has_captive = len(people) > 1 or any(noun.part == "victim" for noun in people)
    return "priced" if id == "held" and premise.of("thing") and not has_captive else id


def _told_of_anything(shapes: Mapping[str, StoryShape]) -> list[str]:
    """The open story of what is going on; where the premise does not say, the one that no thing is
    needed for."""
    plain = [id for id, shape in shapes.items() if shape.open and not shape.natures]
    return [id for id in plain if shapes[id].happening] or plain


def _about_its_thing(shapes: Mapping[str, StoryShape], premise: PremiseRead) -> list[str]:
    """The open stories that turn on such a thing, or such a place, as the premise does."""
    middle, heard = middle_of(premise), premise.heard.shapes
    shapes = {id: one for id, one in shapes.items() if _is_the_matter(one, middle, premise)}
    if middle:
        about = {id: shape for id, shape in shapes.items() if middle.nature in shape.natures}
        return [id for id, shape in about.items() if _is_heard_as(shape, heard)]
    if len(premise.of("person")) > _ALONE:
        return []
    places = [id for id, shape in shapes.items() if _has_a_thing_for(shape, premise)]
    return [id for id in places if _is_heard_as(shapes[id], heard)]


def _is_the_matter(shape: StoryShape, middle: PremiseNoun | None, premise: PremiseRead) -> bool:
    """Whether what goes on goes on with the thing itself, so that a story about it is about that;
    a story that fits any thing is told only where it is said of it (`the piano plays at night`).
    Where it is not said what goes on it may be."""
    happening = premise.happening
    if not happening.clause or not premise.heard.shapes:
        return True
    if middle is None or (happening.does and middle.nature != "creature"):
        return False
    named = rf"\b{re.escape(middle.head)}|\b{re.escape(middle.text.split(' of ')[-1])}"
    within = happening.subject if shape.happening_question else happening.clause
    return happening.is_ones_own or re.search(named, within, re.IGNORECASE) is not None


def _has_a_thing_for(shape: StoryShape, premise: PremiseRead) -> bool:
    """Whether the story brings a thing for such a place as the premise has, where it has none."""
    sorts = {noun.sort for noun in premise.of("place")}
    return any(sorts & set(wanted.by_sort) for wanted in shape.things.values())


def _is_heard_as(shape: StoryShape, heard: Mapping[str, float]) -> bool:
    """Whether the ear hears what such a story is about; where there is no ear, it may be."""
    likely = sum(heard.get(id, 0.0) for id in shape.heard_as)
    return not heard or not shape.heard_as or likely >= _HEARD_AS


def _is_plainly(shape: StoryShape, said: float, likely: float) -> bool:
    """Whether a story is asked for so plainly that it is told instead of one that turns on the
    premise's own thing."""
    if shape.killing or (shape.instead_of and said >= 1):
        return True
    return said >= _OFTEN or likely >= _SURELY or (said >= 1 and likely >= _LIKELY)


def _is_borne_out(
    shape: StoryShape, premise: PremiseRead, said: float, likely: float | None
) -> bool:
    """One word alone is no story where the ear hears nothing of it; nor is one that turns on a
    thing where the premise has none."""
    if said >= _OFTEN:
        return True
    heard_too = likely is None or said != 1.0 or likely >= _HEARD
    return heard_too and not turns_on_ours(shape, premise)


def _can_tell(shape: StoryShape, premise: PremiseRead) -> bool:
    """A story about a killing is for premises that have one; the one in its place for others that
    have something it can turn on."""
    if not premise.text:
        return not (shape.own or shape.happening)
    if not may_be_told(shape, premise) or (shape.happening and not premise.happening.clause):
        return False
    if shape.instead_of:
        turns_on = [wanted for wanted in shape.things.values() if wanted.premise]
        has_it = not turns_on or bool(premise.of("thing"))
        return has_it and not _can_tell(story_shapes()[shape.instead_of], premise)
    if not shape.killing or _is_struck_down(premise):
        return True
    middle = middle_of(premise)
    is_of_animals = middle is not None and middle.nature == "creature"
    return says_one(premise.text, shape.killing) and not is_of_animals


def _is_struck_down(premise: PremiseRead) -> bool:
    """Whether somebody is gone; a late wife and a dead partner only died."""
    gone = [noun for noun in premise.of("person") if noun.is_gone]
    return any(not {"late", "dead"} & set(noun.text.lower().split()) for noun in gone)

"""Which story a premise is by what happens in it: the turn of events it is nearest to."""

import re
from collections.abc import Container, Mapping

from freeform.forge.premise.middle import opponent_of
from freeform.forge.premise.read import PremiseRead
from freeform.forge.shapes.choose import scores
from freeform.forge.shapes.model import StoryShape
from freeform.language.meaning.own_turns import PLAINLY_OWN

_CLEAR, _APART = 0.38, 0.03
"""How near a turn must be to be told whatever else speaks, and how much nearer than the next."""
_PLAINER = 0.45
"""How near it must be where the premise says in so many words what is going on. Of 20 premises read
by hand six had a turn between _CLEAR and this, and two were that story."""
_AGAINST = 0.12
"""How much nearer another turn must be than the story that words speak for."""
_LIKELY, _NEARER = 0.3, 0.36
"""How near one must be that is told before a story that asserts nothing, and before one about
the premise's own thing."""
CONTEST, BOUT, BETWEEN = "rivalry", "bout", "between"
"""A contest of others, and one's own: where the player tells it, it is theirs. And an evening
between two."""
_OF_ONES_OWN = (BOUT, BETWEEN, "farce")
"""Turns that are told as the player's own evening, and only where they are plain; how often the
first two are found is said in `training/premises/own_turns.py`."""
_WE_WANT_BACK = re.compile(r"\b(?:I|we|me|us)\b[^.;!?]*\bback\b", re.IGNORECASE)
_WORD, _MOST = 0.06, 2.0
"""What a word for a story counts beside how near its turn is, and how many are counted."""


def turns_of(premise: PremiseRead) -> dict[str, float]:
    """How near a premise is to each turn. Where the teller wants something back nobody has come
    to claim it of them."""
    wants_back = _WE_WANT_BACK.search(premise.text)
    turns = {
        turn: near
        for turn, near in premise.heard.turns.items()
        if turn != "claim" or not wants_back
        if turn not in _OF_ONES_OWN or near >= _CLEAR
    }
    if premise.teller.is_own and {CONTEST, BOUT} <= set(turns):
        turns[CONTEST] = max(turns[CONTEST], turns.pop(BOUT))  # whoever tells it takes part in it
    return turns


def is_plainly_own(shape: StoryShape, premise: PremiseRead) -> bool:
    """Whether the ear hears such an evening, a word for it counted in; where it heard nothing,
    words alone say it. A contest in which the premise says whom one faces is one's own."""
    turns = dict(premise.heard.turns)
    if shape.id == BOUT and opponent_of(premise):
        turns[BOUT] = max(turns.get(BOUT, 0.0), turns.get(CONTEST, 0.0))
    said = scores(premise.text, {shape.id: shape})
    least = _CLEAR if shape.id not in (BOUT, BETWEEN) else PLAINLY_OWN
    return not turns or with_words(turns, said, turns).get(shape.id, 0.0) >= least


def with_words(
    turns: Mapping[str, float], said: Mapping[str, float], told: Container[str]
) -> dict[str, float]:
    """How near the turns are of which a story can be told; a word for it speaks for it too."""
    return {
        turn: near + _WORD * min(said.get(turn, 0.0), _MOST)
        for turn, near in turns.items()
        if turn in told
    }


def clear_turn(turns: Mapping[str, float], happens: object = "") -> str:
    """The turn that a premise plainly tells; '' where none is plain. It must be plainer where the
    story can be told of what `happens` instead."""
    best, least = _nearest(turns), _PLAINER if happens else _CLEAR
    others = [near for turn, near in turns.items() if turn != best]
    if not others or turns[best] < least or turns[best] - max(others) < _APART:
        return ""
    return best


def likely_turn(turns: Mapping[str, float], has_own: bool) -> list[str]:
    """The nearest; none where none is near. It must be nearer where the premise has a thing of its
    own that a story can be told of."""
    best = _nearest(turns)
    return [best] if best and turns[best] >= (_NEARER if has_own else _LIKELY) else []


def with_the_turn(stories: Mapping[str, float], turns: Mapping[str, float]) -> dict[str, float]:
    """Of the stories that something else speaks for, those that what happens in the premise does
    not speak against."""
    best = max(turns.values(), default=0.0)
    if best < _LIKELY:
        return dict(stories)
    return {id: score for id, score in stories.items() if turns.get(id, best) >= best - _AGAINST}


def _nearest(turns: Mapping[str, float]) -> str:
    return max(turns, key=lambda turn: (turns[turn], turn), default="")

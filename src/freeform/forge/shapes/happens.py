"""Which story a premise is by what happens in it: the turn of events it is nearest to."""

from collections.abc import Container, Mapping

_CLEAR, _APART = 0.37, 0.03
"""How near a turn must be to be told whatever else speaks, and how much nearer than the next."""
_AGAINST = 0.08
"""How much nearer another turn must be than the story that words speak for."""
_LIKELY = 0.3
"""How near one must be that is told before a story that asserts nothing."""


def clear_turn(turns: Mapping[str, float], told: Container[str]) -> str:
    """The turn that a premise plainly tells; '' where none is plain."""
    ranked = sorted(turns, key=lambda turn: (-turns[turn], turn))
    if len(ranked) < 2 or ranked[0] not in told:  # noqa: PLR2004
        return ""
    best, next_best = turns[ranked[0]], turns[ranked[1]]
    return ranked[0] if best >= _CLEAR and best - next_best >= _APART else ""


def likely_turn(turns: Mapping[str, float], told: Container[str]) -> str:
    """The nearest that can be told; '' where none is near."""
    near = [turn for turn, score in turns.items() if score >= _LIKELY and turn in told]
    return max(near, key=lambda turn: (turns[turn], turn), default="")


def with_the_turn(plain: Mapping[str, float], turns: Mapping[str, float]) -> dict[str, float]:
    """Of the stories that a premise's words speak for, those that what happens in it does not
    speak against."""
    best = max(turns.values(), default=0.0)
    if best < _LIKELY:
        return dict(plain)
    return {id: score for id, score in plain.items() if turns.get(id, best) >= best - _AGAINST}

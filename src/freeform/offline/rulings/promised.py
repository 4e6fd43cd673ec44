"""Whether words can give a promise: not where they plainly do something else."""

from freeform.language.meaning.outcome import OutcomeEar
from freeform.language.meaning.sense import Sense

_NO_PROMISE = ("accuse", "ask", "request")
_PLAINLY = 0.6
"""How likely words must be of such a kind."""


def may_promise(text: str, ear: OutcomeEar) -> bool:
    """`I read your letters, the game is up` accuses, whatever else is heard in it."""
    vectors = ear.vectors([text]) if isinstance(ear, Sense) else []
    if not vectors or not isinstance(ear, Sense):
        return True
    kinds = ear.told_as(text, vectors[0])
    return all(kinds.get(kind, 0.0) < _PLAINLY for kind in _NO_PROMISE)

"""What the ear is told beside a text: which stretches of it name something in the scene."""

from collections.abc import Callable

from freeform.language.ear import HeardText
from freeform.offline.interpreter.hearing import Hearing

Hear = Callable[[str, tuple[tuple[int, int, str], ...]], HeardText]
_KINDS = {"person": "person", "thing": "thing", "detail": "thing", "place": "place"}


def kinds(hearing: Hearing) -> list[tuple[int, int, str]]:
    """The stretches of a text that name something in the scene."""
    tokens = hearing.typed.tokens
    found = []
    for mention in hearing.mentions:
        named = mention.best()
        kind = "way" if named.way else _KINDS.get(named.kind, "")
        if kind:
            found.append((tokens[mention.first].start, tokens[mention.last - 1].end, kind))
    return found

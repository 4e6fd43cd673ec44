"""Whether a question names something of a world: then that world's pack is asked too, though nobody
named the pack."""

import re
from collections.abc import Iterable

from freeform.assistant.entities.spot import common_words
from freeform.assistant.rulebook.catalogue import RulebookRow
from freeform.core.text import plain_form
from freeform.language.words import unowned

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
SHORTEST = 3


def names_in(question: str, rows: Iterable[RulebookRow], *, gm: bool = False) -> set[str]:
    """The names of these entries that stand in the question whole. One plain word counts only if it
    is written with a capital; what is for the game master alone is not known to a player by
    name."""
    said = [unowned(word) for word in _WORD.findall(question)]
    plain = f" {' '.join(plain_form(word) for word in said)} "
    capital = {plain_form(word) for word in said if word[:1].isupper()}
    found: set[str] = set()
    for row in rows:
        if row.gm_only and not gm:
            continue
        for name in (row.name, *row.aliases):
            form = " ".join(plain_form(word) for word in _WORD.findall(name)).removeprefix("the ")
            one = " " not in form
            if len(form) < SHORTEST or (one and (form not in capital or form in common_words())):
                continue
            if f" {form} " in plain:
                found.add(form)
    return found

"""A name at the table: readable, and nobody else's, nor one that looks like somebody else's."""

import unicodedata
from collections.abc import Iterable

from freeform.core.errors import Conflict, UserError
from freeform.core.text import plain_form, visible

LONGEST_NAME = 40
_LOOKALIKES = {
    "a": "4@аα",
    "b": "8вβ",
    "c": "с",
    "d": "ԁ",
    "e": "3еε",
    "g": "6",
    "h": "н",
    "i": "1!|lіїιӏ",
    "j": "ј",
    "k": "кκ",
    "m": "м",
    "n": "η",
    "o": "0оο",
    "p": "рρ",
    "q": "ԛ",
    "s": "5$ѕ",
    "t": "тτ",
    "u": "υ",
    "v": "ν",
    "w": "ԝ",
    "x": "хχ",
    "y": "у",
}  # fmt: skip - a table to read across
"""Signs and letters of other alphabets by the letter that they look like."""
_LOOKS = {ord(sign): letter for letter, signs in _LOOKALIKES.items() for sign in signs}
_ROLES = ("game master", "gm", "dm", "narrator", "host", "system")
"""What the page calls those who are no player; nobody is called so."""


def check_table_name(name: str, others: Iterable[str]) -> str:
    """The name as it is shown. UserError for none or a long one, Conflict for another's."""
    wanted = " ".join(visible(unicodedata.normalize("NFKC", name)).split())
    if not any(letter.isalnum() for letter in wanted):
        raise UserError("say your name, so that the others know who speaks")
    if len(wanted) > LONGEST_NAME:
        raise UserError(f"a name has at most {LONGEST_NAME} letters; this one has {len(wanted)}")
    looks = _skeleton(wanted)
    for taken in (*others, *_ROLES):
        if looks == _skeleton(taken):
            raise Conflict(f"'{wanted}' would be taken for '{taken}' here; choose another name")
    return wanted


def _skeleton(name: str) -> str:
    """What a glance makes of a name: no case, accents, spaces or signs, lookalikes as one."""
    folded = plain_form(name).translate(_LOOKS)
    kept = "".join(letter for letter in folded if letter.isalnum())
    return kept.replace("rn", "m").replace("vv", "w")

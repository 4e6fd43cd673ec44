"""A name at the table: readable, and nobody else's, nor one that looks like somebody else's."""

import re
import unicodedata
from collections.abc import Iterable

from freeform.core.errors import Conflict, UserError
from freeform.core.text import plain_form, visible

LONGEST_NAME = 40
_LOOKALIKES = {
    "a": "4@аαɑ",
    "b": "8вβь",
    "c": "с",
    "d": "ԁ",
    "e": "3еε",
    "g": "6",
    "h": "н",
    "i": "1!|lіїιӏ",
    "j": "ј",
    "k": "кκ",
    "m": "м",
    "n": "ηп",
    "o": "0оο",
    "p": "рρ",
    "q": "ԛ",
    "s": "5$ѕ",
    "t": "тτ",
    "r": "г",
    "u": "υи",
    "v": "ν",
    "w": "ԝш",
    "x": "хχ",
    "y": "у",
}  # fmt: skip - a table to read across
"""Signs and letters of other alphabets by the letter that they look like."""
_LOOKS = {ord(sign): letter for letter, signs in _LOOKALIKES.items() for sign in signs}
_ROLES = ("game master", "gm", "dm", "narrator", "host", "system")
"""What the page calls those who are no player; nobody is called so."""
_ROLE_WORDS = frozenset(word for role in _ROLES for word in role.split()) | {"the"}
_ANY = "\uffff"
"""Any letter; nobody can type it."""
_OF_LATIN = re.compile(
    r"LATIN (?:(?:SMALL|CAPITAL) LETTER|LETTER SMALL CAPITAL) ([A-Z])(?: WITH .*)?"
)


def check_table_name(name: str, others: Iterable[str]) -> str:
    """The name as it is shown. UserError for none or a long one, Conflict for another's."""
    wanted = " ".join(visible(unicodedata.normalize("NFKC", name)).split())
    if not any(letter.isalnum() for letter in wanted):
        raise UserError("say your name, so that the others know who speaks")
    if len(wanted) > LONGEST_NAME:
        raise UserError(f"a name has at most {LONGEST_NAME} letters; this one has {len(wanted)}")
    looks = _looks(wanted)
    for taken in (*others, *_ROLES):
        if wanted == taken and taken not in _ROLES:
            raise Conflict(f"'{taken}' is here already; choose another name")
        if any(_is_like(each, _skeleton(taken)) for each in looks):
            raise Conflict(f"'{wanted}' would be taken for '{taken}' here; choose another name")
    return wanted


def _looks(name: str) -> set[str]:
    """What a glance may make of a name: as it stands, without the signs around it, and without
    words that say what somebody is here."""
    bare = [_skeleton(word) for word in re.findall(r"\w+", name)]
    named = "".join(word for word in bare if word not in _ROLE_WORDS)
    return {_skeleton(name), "".join(bare), named or "host"}


def _skeleton(name: str) -> str:
    """No case, accents, spaces or signs, lookalikes as one. Where a name mixes alphabets, a letter
    that is not of the first may stand for any."""
    scripts = {_script(letter) for letter in name if letter.isalpha()}
    folded = "".join(_letter(letter, len(scripts) > 1) for letter in plain_form(name))
    kept = "".join(letter for letter in folded if letter.isalnum() or letter == _ANY)
    return kept.replace("rn", "m").replace("vv", "w")


def _letter(letter: str, is_mixed: bool) -> str:
    if ord(letter) in _LOOKS:
        return _LOOKS[ord(letter)]
    found = _OF_LATIN.fullmatch(unicodedata.name(letter, ""))
    if found:
        return found[1].lower()
    return _ANY if is_mixed and letter.isalpha() and _script(letter) != "LATIN" else letter


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _is_like(look: str, taken: str) -> bool:
    if len(look) != len(taken):
        return False
    return all(one in (other, _ANY) for one, other in zip(look, taken, strict=True))

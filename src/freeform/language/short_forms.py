"""Words as people cut them short when they type: `prep`, `pots`, `lvl`, `dmg`; `grandma`, `doc`."""

import re
from collections.abc import Collection, Iterable
from functools import cache

from freeform.language.inflection import singular
from freeform.language.tables import cues

_QUOTED = re.compile(r'("[^"]*"?|\u201c[^\u201d]*\u201d?)')
_SPACED = re.compile(r"(\s+)")
_CORE = re.compile(r"^([(*]*)(.*?)([.,;:!?)*]*)$", re.S)
_VOWELS = frozenset("aeiouy")
SHORTEST, LONGEST = 3, 5
"""Letters of a short form."""


def words_meant(short: str, known: Iterable[str]) -> list[str]:
    """The known words that a short form may stand for: those it begins, or whose consonants it is.

    A plural is cut short like its singular: `pots` begins `potion` as `pot` does.
    """
    if not SHORTEST <= len(short) <= LONGEST or not short.isalpha():
        return []
    bare = short[:-1] if short.endswith("s") and len(short) > SHORTEST else short
    return [word for word in known if _is_short_of(short, word) or _is_short_of(bare, word)]


def _is_short_of(short: str, word: str) -> bool:
    if len(word) < len(short) + 2:
        return False
    return word.startswith(short) or skeleton(word) == short


def skeleton(word: str) -> str:
    """The first letter and the consonants after it, none twice in a row: `level` is `lvl`."""
    kept = word[:1]
    for letter in word[1:]:
        if letter not in _VOWELS and letter != kept[-1:]:
            kept += letter
    return kept


def written_out(text: str, names: Collection[str] = ()) -> str:
    """The words of a text as they are when nobody is in a hurry: `b4`, `abt`, `go 2 the mill`. What
    is quoted stays as it is, and so do a word alone and what something is called (`names`)."""
    if len(text.split()) < 2:
        return text
    parts = _QUOTED.split(text)
    parts[::2] = [_in_full(part, names) for part in parts[::2]]
    return "".join(parts)


def _in_full(text: str, names: Collection[str]) -> str:
    pieces = _SPACED.split(text)
    said = pieces[::2]
    for number, piece in enumerate(said):
        opened, core, closed = _CORE.fullmatch(piece).groups()  # type: ignore[union-attr]
        stays = (closed and core == cues("texting")["figure"]) or core.lower() in names
        whole = core if stays else _whole(core, said, number)
        pieces[2 * number] = f"{opened}{whole}{closed}"
    return "".join(pieces)


def _whole(core: str, said: list[str], number: int) -> str:
    """One word of what is said, in full."""
    table = cues("texting")
    after = said[number + 1 : number + 2]
    if core == table["figure"]:
        return str(table["means"]) if _leads_on(said, number) else core
    being = table["being"].get(core.lower())
    if being and after and after[0].lower() in table["after_being"].split():
        return str(being)
    if len(core) == 1 and not _joins(core, said, number):
        return core
    return str(table["whole"].get(core.lower(), core))


def _joins(letter: str, said: list[str], number: int) -> bool:
    """Whether a letter alone stands for a word: it joins what is before it to what is after it, and
    is no way that one goes, `go n`, and no name, `press W`."""
    if letter == "u":
        return True
    if not letter.islower() or not 0 < number < len(said) - 1:
        return False
    going = said[number - 1].lower() in cues("texting")["ways_follow"].split()
    return not going or _is_uncounted(said[number + 1])


def _is_uncounted(word: str) -> bool:
    """Whether it is a name, or one of the words that no figure counts."""
    plain = word.lower().strip(".,;:!?")
    return word[:1].isupper() or plain in cues("texting")["uncounted"].split()


def _leads_on(said: list[str], number: int) -> bool:
    """Whether a figure leads from one word to the next, and does not count it."""
    table, after = cues("texting"), said[number + 1 : number + 2]
    if number == 0 or not after:
        return False
    before, counted = said[number - 1].lower(), after[0].lower().strip(".,;:!?")
    if before in table["handing"].split():
        return _is_uncounted(after[0]) or counted in table["leading"].split()
    leads = before in table["leading"].split()
    return leads and counted.isalpha() and singular(counted) == counted


def familiar_forms(word: str) -> frozenset[str]:
    """What else somebody is called who is called that, by those who know them: `grandma`."""
    return _familiar().get(word.lower(), frozenset())


@cache
def _familiar() -> dict[str, frozenset[str]]:
    alike: dict[str, set[str]] = {}
    for row in cues("familiar")["people"]:
        for word in row.split():
            alike.setdefault(word, set()).update(row.split())
    return {word: frozenset(others - {word}) for word, others in alike.items()}

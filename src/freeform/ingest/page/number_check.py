"""Numbers that check each other: `136 (16d8 + 64)`, level tables, totals. Finds misread digits,
mends what it can.

Pure. A figure printed twice in a rulebook is a checksum: an average and its dice, a row and its
place in a sequence, a total and its parts. What does not agree and cannot be solved is told, page
by page.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, product

_DIGIT = "[0-9\ue000-\uf8ff\ufffd]"
#: An average with its dice: 136 (16d8 + 64), 7 (2d6), 5 (1d8 - 1); any digit may be a glyph nobody knows.
DICE = re.compile(
    rf"(?<![\w+.,−-])({_DIGIT}{{1,4}}) \(({_DIGIT}{{1,3}})d({_DIGIT}{{1,3}})(?: ?([+−–-]) ?({_DIGIT}{{1,4}}))?\)"
)
_UNKNOWN = re.compile("[\ue000-\uf8ff\ufffd]")
_UNREAD = re.compile(r"(?<!\w)\d*\ufffd+\d+\w*|\d+\ufffd\w*")
DIE_SIDES = frozenset({2, 3, 4, 6, 8, 10, 12, 20, 100})
_ORDINAL = re.compile(r"^(\d{1,2})(?:st|nd|rd|th)?$")


def average_agrees(average: int, count: int, sides: int, bonus: int) -> bool:
    """Whether an average belongs to its dice; damage is at least 1, and halves are dropped."""
    return (
        max(1, count * (sides + 1) // 2 + bonus) == average
        or count * (sides + 1) // 2 + bonus == average
    )


def _parts(found: re.Match[str]) -> tuple[str, str, str, int, str]:
    sign = -1 if found[4] and found[4] != "+" else 1
    return found[1], found[2], found[3], sign, found[5] or "0"


def _fits(average: str, count: str, sides: str, sign: int, bonus: str) -> bool:
    return int(sides) in DIE_SIDES and average_agrees(
        int(average), int(count), int(sides), sign * int(bonus)
    )


def solutions(found: re.Match[str]) -> list[dict[str, str]]:
    """Every way to read the unknown glyphs of one expression that makes it agree. Equal glyphs are
    equal digits."""
    average, count, sides, sign, bonus = _parts(found)
    glyphs = sorted(set(_UNKNOWN.findall(found[0])))
    if not glyphs or len(glyphs) > 3:
        return []
    ways = []
    for digits in product("0123456789", repeat=len(glyphs)):
        if len(set(digits)) < len(digits):
            continue
        table = str.maketrans(dict(zip(glyphs, digits, strict=True)))
        parts = [part.translate(table) for part in (average, count, sides, bonus)]
        if any(part[0] == "0" and len(part) > 1 for part in parts) or parts[1] == "0":
            continue
        if _fits(parts[0], parts[1], parts[2], sign, parts[3]):
            ways.append(dict(zip(glyphs, digits, strict=True)))
    return ways


def learn_digits(texts: Iterable[str]) -> dict[str, str]:
    """Which digits a book's private-use glyphs stand for, worked out from its own averages and
    dice.

    Two ways. Ten neighbouring glyphs in order are tried at every place and must make nine in ten
    expressions agree; failing that, each expression votes with the only readings it allows.
    """
    expressions = [
        found for text in texts for found in DICE.finditer(text) if _UNKNOWN.search(found[0])
    ]
    seen = {
        ord(glyph)
        for found in expressions
        for glyph in _UNKNOWN.findall(found[0])
        if glyph != "\ufffd"
    }
    if not seen:
        return {}
    best: tuple[float, dict[str, str]] = (0.0, {})
    for start in range(max(seen) - 9, min(seen) + 1):
        mapping = {chr(start + digit): str(digit) for digit in range(10)}
        best = max(best, (_share(expressions, mapping), mapping), key=lambda pair: pair[0])
    if best[0] >= 0.9 and len(expressions) >= 3:
        return best[1]
    votes: dict[str, Counter[str]] = {}
    for found in expressions:
        ways = solutions(found)
        if len(ways) == 1:
            for glyph, digit in ways[0].items():
                votes.setdefault(glyph, Counter())[digit] += 1
    return {
        glyph: counted.most_common(1)[0][0]
        for glyph, counted in votes.items()
        if glyph != "\ufffd" and counted.most_common(1)[0][1] >= max(2, 0.8 * counted.total())
    }


def _share(expressions: Sequence[re.Match[str]], mapping: dict[str, str]) -> float:
    table = str.maketrans(mapping)
    good = 0
    for found in expressions:
        average, count, sides, sign, bonus = _parts(found)
        parts = [part.translate(table) for part in (average, count, sides, bonus)]
        if all(part.isascii() and part.isdigit() for part in parts):
            good += _fits(parts[0], parts[1], parts[2], sign, parts[3])
    return good / len(expressions)


def solve_unknown(text: str) -> str:
    """Unknown digits filled in where the expression they stand in allows one reading only."""

    def solved(found: re.Match[str]) -> str:
        if not _UNKNOWN.search(found[0]) or found[0].count("\ufffd") > 1:
            return found[0]
        ways = solutions(found)
        if len(ways) != 1:
            return found[0]
        return "".join(ways[0].get(letter, letter) for letter in found[0])

    return DICE.sub(solved, text) if _UNKNOWN.search(text) else text


def doubts(text: str) -> list[str]:
    """Sentences about numbers on a page that do not agree or cannot be read."""
    told: list[str] = []
    unread = "\ufffd" in text
    if not unread and "d" not in text:
        return told
    for found in DICE.finditer(text):
        if _UNKNOWN.search(found[0]):
            told.append(f"'{found[0]}' has a digit that cannot be read")
            continue
        average, count, sides, sign, bonus = _parts(found)
        if int(sides) in DIE_SIDES and not _fits(average, count, sides, sign, bonus):
            right = int(count) * (int(sides) + 1) // 2 + sign * int(bonus)
            told.append(f"'{found[0]}' does not agree with itself: the dice average {right}")
    if unread:
        told += [f"'{word}' has a digit that cannot be read" for word in _UNREAD.findall(text)]
    return told


def table_doubts(rows: Sequence[Sequence[str]]) -> list[str]:
    """Sentences about a table whose level column skips, or whose total is not the sum of its
    column."""
    told: list[str] = []
    if len(rows) < 4:
        return told
    body = rows[1:]
    first = [_ORDINAL.match(row[0].strip()) for row in body if row and row[0].strip()]
    steps = [int(found[1]) for found in first if found]
    if len(steps) >= 4 and len(steps) == len(first):
        rising = sum(1 for a, b in pairwise(steps) if b == a + 1)
        if len(steps) - 1 > rising >= 0.7 * (len(steps) - 1):
            wrong = next((a, b) for a, b in pairwise(steps) if b != a + 1)
            told.append(
                f"the table '{rows[0][0]}' goes from {wrong[0]} to {wrong[1]} in its first column"
            )
    last = body[-1]
    if last and last[0].strip().lower() in ("total", "sum", "totals"):
        for column in range(1, len(last)):
            total = _number(last[column])
            parts = [_number(row[column]) for row in body[:-1] if column < len(row)]
            known = [part for part in parts if part is not None]
            if total is not None and len(known) == len(parts) and sum(known) != total:
                told.append(
                    f"the column '{rows[0][column]}' adds up to {sum(known)}, its total says {total}"
                )
    return told


def _number(cell: str) -> int | None:
    found = re.fullmatch(r"[+]?(\d[\d,]*)", cell.strip())
    return int(found[1].replace(",", "")) if found else None

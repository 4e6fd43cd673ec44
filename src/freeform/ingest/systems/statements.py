"""Sentences in which a book says what dice to roll and what the roll is held against. Pure.

`Roll 2d6, add your skill; 8 or more succeeds`, `Roll a twenty-sided die; less than or equal to the
attribute`. Dice that only measure harm, heal, or choose a row of a table are left out. What such
sentences agree on is how the game decides; where they do not agree, nothing is claimed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

Way = Literal["under", "over", "bands", "count", "highest", ""]

_NUMBERS = {"a": 1, "an": 1, "one": 1, "single": 1, "two": 2, "pair": 2, "three": 3, "four": 4}
_SIDES = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12, "twenty": 20}
_DIE = re.compile(
    r"\b(?:(?P<w>a|an|one|single|two|pair of|three|"
    r"four)(?: [a-z-]+){0,2}? )?(?:(?P<n>\d{1,2})?d(?P<s>4|6|8|10|12|20|100|%)"
    r"(?:s|’s|'s)?|(?P<side>four|six|eight|ten|twelve|twenty|4|6|8|10|12|20)-sided (?:die|"
    r"dice)|(?P<pct>percentile) dice)(?!\w)",
    re.I,
)
_ROLL = re.compile(r"\b(?:roll|rolls|rolled|rolling|throw|throws)\b", re.I)
_OTHER = re.compile(
    r"\b(?:damage|heals?|healing|hit points?|hp|table|below to|randomly|times|gains?|loses?|"
    r"minutes|hours|days|"
    r"number of|advantage|disadvantage|reroll|extra|treat|additional|subtract|instead|penalty|"
    r"bonus equal|again)\b|"
    r"\bx\s?\d|[+−–-]\s?\d*d\d",
    re.I,
)
#: A sentence that says what a roll is, whoever makes it.
_DEFINES = re.compile(
    r"\b(?:to (?:make|resolve|attempt|determine)\b[^.]{0,60}\b(?:check|test|save|roll|throw|"
    r"move|action|task)|"
    r"when(?:ever)?\b[^.]{0,60}\b(?:makes?|attempts?|have to make|"
    r"tells? you to)\b[^.]{0,40}\b(?:check|test|roll|throw|"
    r"action|task|move)|(?:always |simply )?means (?:that )?(?:you|they) (?:must )?roll|"
    r"for (?:all )?(?:checks|tests|rolls)|"
    r"it is a roll of|core (?:system|mechanic|rule))\b",
    re.I,
)
_OTHERS = re.compile(
    r"\b(?:gm|game master|referee|narrator|keeper|monsters?|adversar(?:y|ies)|enem(?:y|ies)|"
    r"opponents?)\b",
    re.I,
)
_UNDER = re.compile(
    r"≤|<=|\b(?:(?:equal to or|at or) (?:less|lower|under|below)|(?:less|lower) than or equal|"
    r"or (?:less|lower|under|below)"
    r"\b|roll(?:s|ing)? (?:equal or )?under|under (?:your|their|the|its)\b|not (?:more|"
    r"higher) than)",
    re.I,
)
_OVER = re.compile(
    r"≥|>=|\b(?:equals? or exceeds?|(?:equal to|at) or (?:above|over|greater|higher|more)|"
    r"(?:equal to|greater than|higher than) or (?:greater|higher|equal)|meets? or (?:exceeds?|"
    r"beats?)|or (?:more|higher|"
    r"greater|better|above|over)\b|at least|beats?\b|exceeds?\b|as high as)|\b\d+\+",
    re.I,
)
_BANDS = re.compile(
    r"\b(?:on|with) (?:an? )?(?:\d+\+|\d+\s?[-–]\s?\d+|\d+ (?:to|through) \d+\b)", re.I
)
#: A sentence that says what one result means; those that follow each other are read together.
_RESULT = re.compile(r"(?:on|with) (?:an? )?\d+", re.I)
_COUNT = re.compile(
    r"\b(?:each|every|any) (?:die|dice)\b[^.]{0,60}\b(?:success|hit)|"
    r"\bcount(?:ing|s)? (?:the )?(?:number of )?(?:successes|hits)|\bdice pool\b|"
    r"\bnumber of successes\b",
    re.I,
)
_HIGHEST = re.compile(
    r"\b(?:take|keep|read|use|look at) (?:only )?the (?:single )?(?:highest|best)\b", re.I
)
_AIM = re.compile(
    r"\b(?:exceeds?|beats?|total of|result of|target number (?:of|is)|at least|against)\s(?:a |"
    r"an )?(\d{1,2})\b|"
    r"\b(\d{1,2})(?:\+|,? or (?:more|higher|greater|better|above|over))",
    re.I,
)
_DECIDES = re.compile(
    r"\b(?:check|test|task|action|attempt|succeed|succeeds|success|fail|fails|save|saving|"
    r"difficulty|target number|dc|move"
    r")\b",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CODE = re.compile(r"\b\d{1,2}D(?:\+[12])?(?![\w])")
#: Letters behind the sentence in which it may say what the roll is held against.
WINDOW = 2
#: What it adds that a sentence defines a roll, and what remains where only the other side rolls so.
DEFINES, OTHERS = 4.0, 0.3
#: Share of the weight that must agree, where sentences define a roll and where none does.
CLEAR, ALONE = 0.5, 0.75


class Statement(NamedTuple):
    """What one sentence says."""

    number: int
    sides: int
    way: Way
    aims: tuple[int, ...]
    weight: float
    quote: str
    defines: bool = False


def statements_in(text: str) -> list[Statement]:
    """Every sentence that tells to roll dice which decide something."""
    pieces = [piece.strip() for piece in _SENTENCE.split(text) if piece.strip()]
    found = []
    for place, piece in enumerate(pieces):
        if not _ROLL.search(piece) or piece.startswith("|"):
            continue
        die = _DIE.search(piece)
        if die is None or _OTHER.search(piece[max(0, die.start() - 60) : die.end() + 25]):
            continue
        behind = [below for below in _behind(pieces, place) if below[:1] != "|"]
        window = " ".join([piece, *behind])
        count, sides = _dice(die)
        way = _way(window)
        weight = 1.0 + 1.5 * bool(way) + 1.0 * bool(_DECIDES.search(window))
        defines = bool(_DEFINES.search(piece))
        weight += DEFINES * defines
        if _OTHERS.search(piece[: die.start()]):
            weight *= OTHERS
        aims = tuple(int(a or b) for a, b in _AIM.findall(window)) if way == "over" else ()
        found.append(Statement(count, sides, way, aims, weight, piece, defines))
    return found


def _behind(pieces: Sequence[str], place: int) -> Sequence[str]:
    """The sentences behind one, as far as they may belong to it."""
    end = place + 1 + WINDOW
    while end < len(pieces) and _RESULT.match(pieces[end]) and _RESULT.match(pieces[end - 1]):
        end += 1
    return pieces[place + 1 : end]


def _dice(found: re.Match[str]) -> tuple[int, int]:
    sides = found["s"] or found["side"]
    if sides is None or sides == "%":
        return 1, 100
    size = int(sides) if sides.isdigit() else _SIDES[sides.lower()]
    words = (found["w"] or "").lower().split()
    count = int(found["n"]) if found["n"] else _NUMBERS.get(words[0], 1) if words else 1
    return count, size


def _way(window: str) -> Way:
    if _HIGHEST.search(window):
        return "highest"
    if _COUNT.search(window):
        return "count"
    if _BANDS.search(window):
        return "bands"
    if _UNDER.search(window) and not _OVER.search(window):
        return "under"
    return "over" if _OVER.search(window) else ""


def has_dice_codes(text: str) -> bool:
    """Whether people's skills are written as dice to be summed (`3D+2`)."""
    return len(_CODE.findall(text)) >= 20


class Agreed(NamedTuple):
    """What most statements say, and how large their share is."""

    number: int
    sides: int
    way: Way
    aim: int
    share: float
    quote: str
    defined: bool

    @property
    def clear(self) -> bool:
        """Whether it may be claimed: definitions need not be alone, other sentences nearly so."""
        return self.share >= (CLEAR if self.defined else ALONE)

    @property
    def dice(self) -> str:
        """As one writes them."""
        return f"{self.number}d{self.sides}"


def agreed(found: Sequence[Statement]) -> Agreed | None:
    """The dice, the way and the usual number that the statements agree on; None without any. Where
    some define a roll, only those count."""
    defining = [each for each in found if each.defines]
    found = defining or found
    if not found:
        return None
    dice: dict[tuple[int, int], float] = defaultdict(float)
    for each in found:
        dice[each.number, each.sides] += each.weight
    (count, sides), weight = max(dice.items(), key=lambda row: row[1])
    mine = [each for each in found if (each.number, each.sides) == (count, sides)]
    ways: dict[Way, float] = defaultdict(float)
    for each in mine:
        if each.way:
            ways[each.way] += each.weight
    way, most = max(ways.items(), key=lambda row: row[1], default=("", 0.0))
    aims = Counter(aim for each in mine if each.way == way for aim in each.aims if aim > count)
    share = weight / sum(dice.values()) * (most / sum(ways.values()) if ways else 1.0)
    best = max(mine, key=lambda each: (each.way == way, each.weight))
    aim = aims.most_common(1)[0][0] if aims else 0
    return Agreed(count, sides, way, aim, round(share, 3), best.quote, bool(defining))

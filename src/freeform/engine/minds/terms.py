"""An offer, taken apart: what the speaker would give or do, and what they want for it.

    `I'll see you home if you say who paid` ─> mine: I'll see you home · theirs: you say who paid
    `twenty coins for the key`              ─> mine: twenty coins · theirs: the key

Only the form is read: who is the subject of a part, and what `for` stands between.
"""

import re
from dataclasses import dataclass

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Affordance
from freeform.engine.authored.script import Condition
from freeform.engine.table import Rules
from freeform.engine.world.names import words
from freeform.engine.world.state import GameState

_PARTS = re.compile(
    r"\s*(?:[.;:!?,\"“”—]+|\b(?:if|and|then|but|or|when|once|in exchange|in return)\b"
    r"|(?=\b(?:will|would|can|could|do) you\b))\s*",
    re.I,
)
_FOR = re.compile(r"\s+for\s+(?!you\b|me\b|us\b|him\b|her\b|them\b|free\b)", re.I)
_WORD = re.compile(r"[a-z0-9]+", re.I)
_GROUPED = re.compile(r"(?<![0-9])[0-9]{1,3}(?:[ ,.'’\u00a0\u202f][0-9]{3})+(?![0-9])")
"""`1,000`: one number."""
_SPEAKER = frozenset({"i", "we", "my", "our", "mine"})
_LISTENER = frozenset({"you", "your", "yours", "u", "me", "us"})
"""Who is bidden (`tell me`) is the one spoken to."""
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBERS = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
}
_TIMES = {"dozen": 12, "hundred": 100, "thousand": 1000}
_MOST_DIGITS = 12


@dataclass(frozen=True)
class OfferedTerms:
    """What is offered, and what for; either may be left open."""

    mine: str = ""
    theirs: str = ""

    @property
    def amount(self) -> int:
        """How much is offered, where it is counted; 0 where it is not."""
        return amount_in(self.mine)


def terms_of(said: str) -> OfferedTerms:
    """An offer's two sides, each in the speaker's words."""
    sides: dict[bool, list[str]] = {True: [], False: []}
    is_mine = True
    for part in _PARTS.split(_joined(said)):
        if not part or not part.strip():
            continue
        is_mine = _is_mine(part, is_mine)
        first, *rest = _FOR.split(part.strip(), maxsplit=1)
        sides[is_mine].append(first)
        if rest:
            sides[not is_mine].append(rest[0])
    return OfferedTerms(" ".join(sides[True]), " ".join(sides[False]))


def _is_mine(part: str, before: bool) -> bool:
    """Whether a part is the speaker's, by who is named first in it; else as the part before."""
    for word in _WORD.findall(part.lower()):
        if word in _SPEAKER:
            return True
        if word in _LISTENER:
            return False
    return before


def amount_in(text: str, of: frozenset[str] = frozenset()) -> int:
    """The number in words or figures; 0 where there is none. Of several the first: the one that
    counts `of`, where those words are given; a bare `one` that counts nothing is a pronoun."""
    counts = _counts_in(_WORD.findall(_joined(text.lower())))
    of_it = [count.number for count in counts if of.intersection(words(count.before))]
    plain = [count.number for count in counts if not count.is_bare]
    bare = [] if of else [count.number for count in counts]
    return next(iter([*of_it, *plain, *bare]), 0)


def _joined(text: str) -> str:
    """The same, with each number in one piece."""
    return _GROUPED.sub(lambda found: re.sub("[^0-9]", "", found[0]), text)


@dataclass(frozen=True)
class _Count:
    """A number, the word it stands before, and whether it is `one` and no more."""

    number: int
    before: str
    is_bare: bool


def _counts_in(said: list[str]) -> list[_Count]:
    """Every number that is said, in order."""
    counts, at = list[_Count](), 0
    while at < len(said):
        end, number = _read(said, at)
        if end > at:
            before = " ".join(said[end : end + 1])
            counts.append(_Count(number, before, said[at:end] == ["one"]))
        at = max(end, at + 1)
    return counts


def _read(said: list[str], at: int) -> tuple[int, int]:
    """Where the number that begins there ends, and what it is: `two hundred and five`, not `five
    ten`."""
    total, part, room = 0, 0, 10**_MOST_DIGITS
    while at < len(said):
        linked = int(_links(said, at) and total + part > 0)
        word = said[at + linked]
        value = int(word[:_MOST_DIGITS]) if word.isdigit() else _NUMBERS.get(word, -1)
        if word == "thousand":
            total, part, room = (total + part or 1) * _TIMES[word], 0, 1000
        elif word in _TIMES:
            part, room = max(part, 1) * _TIMES[word], 100
        elif 0 <= value < room:
            part, room = part + value, 10 if word in _TENS and value else 0
        else:
            break
        at += 1 + linked
    return at, total + part


def _links(said: list[str], at: int) -> bool:
    """Whether an `and` stands there inside a number."""
    before, here, behind = said[at - 1], said[at], said[at + 1 : at + 2]
    return here == "and" and before in _TIMES and bool(_NUMBERS.keys() & behind)


def known_price(who: str, state: GameState, rules: Rules) -> str:
    """What everybody knows that someone asks, where an author wrote a deed that pays it."""
    paid = [
        words(" ".join(deed.words))
        for deed in rules.scenario.affordances
        if deed.action == "give" and deed.target == who and check(_unpaid(deed), state).holds
    ]
    for fact in state.facts_of(who):
        text = str(fact.object.get("text") or "")
        if fact.visibility == "known" and any(words(text) & some for some in paid):
            return text
    return ""


def _unpaid(deed: Affordance) -> list[Condition]:
    """Its conditions without what one must have to pay."""
    return [one for one in deed.when if one.resource is None and one.has is None]

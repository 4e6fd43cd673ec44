"""Every number of a written sheet with the words beside it, in whatever order they stand: `Hit
points (max 22): 9`, `9 out of 22 hp`, `Health: 22 → 9`, `HP......9`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from freeform.assistant.sheet.written.outline import BULLET, SheetLabel, WrittenPart, plain
from freeform.language.slips import is_slip
from freeform.language.tables import cues
from freeform.language.words import stop_words

Role = Literal["", "most", "now", "lost", "beside", "was"]
_NAMED_ROLES: tuple[Role, ...] = ("most", "now", "lost", "beside")
_LEADERS = re.compile(r"\.{2,}|…+|_{3,}|(?<=\w)\s+-{2,}\s+(?=[+\d])")
"""Dots that lead the eye from a label to its number."""
_SEGMENTS = re.compile(r"\s+[·•|]\s+|\s*;\s+|\t+|(?<![:=])\s{2,}|\.\s+(?=[A-Z])")
_TOKEN = re.compile(
    r"(?P<dice>(?<![\w.])\d*d\d+(?:\s?[+\-−–]\s?\d+)?)"
    r"|(?P<word>\d+(?:st|nd|rd|th)\b|[A-Za-z][\w'’-]*\.?)"
    r"|(?P<number>(?<![\w.])[+\-−–]?\d[\d,]*)"
    r"|(?P<arrow>->|=>|→|➔|⇒)|(?P<mark>[/,:=()\[\]{}])"
)
_LABEL_WORDS = 5
"""A longer label is a sentence."""
_ENDING = ("number", "mark", "arrow")
_BIGGEST = 7
"""Digits of a number that somebody counts."""


class Amount(NamedTuple):
    """A number, and which of its label's numbers it is."""

    value: int
    role: Role = ""
    signed: bool = False


@dataclass
class WrittenNumber:
    """A label and the numbers beside it."""

    label: str
    amounts: list[Amount] = field(default_factory=list)
    line: str = ""
    heading: str = ""

    def of(self, role: Role) -> int | None:
        """Its first number of that role."""
        return next((each.value for each in self.amounts if each.role == role), None)

    def plainly(self) -> list[int]:
        """Its numbers that no word says anything of, and none that is added to a roll beside
        one that is not."""
        bare = [each for each in self.amounts if not each.role]
        whole = [each for each in bare if not each.signed]
        return [each.value for each in whole or bare]


class Pool(NamedTuple):
    """What there is of something, and of how much; None where it is not said."""

    now: int | None
    most: int | None
    beside: int = 0


def pool_of(told: WrittenNumber) -> Pool:
    """What its numbers say together."""
    bare = told.plainly()
    now, most, lost = told.of("now"), told.of("most"), told.of("lost")
    if most is None:
        most = told.of("was")
    if most is None and bare:
        most = max(bare[:2]) if now is None else bare[0]
    if now is None and lost is not None and most is not None:
        now = max(0, most - lost)
    elif now is None and bare and bare[:1] != [most]:
        now = bare[0]
    elif now is None and len(bare) > 1:
        now = min(bare[:2])
    return Pool(now, most, told.of("beside") or 0)


@cache
def _roles() -> dict[str, Role]:
    found: dict[str, Role] = {}
    for role in _NAMED_ROLES:
        found |= dict.fromkeys(cues("amounts")["parts"][role].split(), role)
    return found


@cache
def _between() -> frozenset[str]:
    return frozenset(cues("amounts")["of"].split())


@cache
def _fillers() -> frozenset[str]:
    return frozenset(cues("amounts")["beside_the_point"].split())


@lru_cache(maxsize=20_000)
def role_of(word: str) -> Role:
    """What a word says of the number beside it; '' where it is part of a label."""
    known, bare = _roles(), word.lower().strip(".")
    if bare in known:
        return known[bare]
    slips = {role for other, role in known.items() if len(bare) > 5 and is_slip(bare, other)}
    return slips.pop() if len(slips) == 1 else ""


def numbers_beside(parts: Sequence[WrittenPart]) -> list[WrittenNumber]:
    """All of a page, in its order; a row of a table under its first cell, with its columns."""
    found = list[WrittenNumber]()
    for part in parts:
        for line in part.lines:
            found += [_placed(each, line, part.heading) for each in numbers_in(line)]
        alike = Counter(tuple(row) for row in part.rows)
        for row in part.rows:
            told = _of_record(row) if alike[tuple(row)] == 1 else ()
            found += [_placed(each, "", part.heading) for each in told or _of_row(row)]
    return found


def _placed(told: WrittenNumber, line: str, heading: str) -> WrittenNumber:
    return WrittenNumber(told.label, told.amounts, line or told.label, heading)


def _of_record(row: dict[str, str]) -> list[WrittenNumber]:
    """The one row of a table, if it begins with a number: `18`, `48` under `AC`, `HP max`."""
    if not re.match(r"[+\-−–]?\d", next(iter(row.values()), "")) or len(row) < 2:
        return []
    lines = [f"{column}: {cell}" for column, cell in row.items() if column.strip()]
    return list(chain.from_iterable(map(numbers_in, lines)))


def _of_row(row: dict[str, str]) -> Iterator[WrittenNumber]:
    """`| HP | 31 | 54 |` under `now` and `max`; `| Con | 15 | +2 | +5 |` under `Save`."""
    columns, cells = list(row), list(row.values())
    if len(cells) < 2 or not re.search(r"[A-Za-z]", cells[0]):
        return
    pool = WrittenNumber(cells[0].lower())
    for column, cell in zip(columns[1:], cells[1:], strict=False):
        hit = re.fullmatch(r"[(\[]?\s*([+\-−–]?)\s?(\d{1,7})\s*[)\]]?", cell.strip())
        if hit is None:
            tells = len(cells) == 2 or (cell is cells[1] and not column.strip())
            yield from numbers_in(f"{cells[0]}: {cell}") if tells else ()
            continue
        amount = int(hit[2]) * (1 if hit[1] in ("", "+") else -1)
        roles = [role for word in column.split() if (role := role_of(word))]
        if roles:
            pool.amounts.append(Amount(amount, roles[0]))
        else:
            label = f"{cells[0]} {column}".lower().strip()
            yield WrittenNumber(label, [Amount(amount, "", bool(hit[1]))])
    if pool.amounts:
        yield pool


def numbers_in(line: str) -> list[WrittenNumber]:
    """Those of one line."""
    return [replace(each, amounts=list(each.amounts)) for each in _read_once(line)]


@lru_cache(maxsize=20_000)
def _read_once(line: str) -> tuple[WrittenNumber, ...]:
    """A page is asked for many things, and each time its lines are the same."""
    found = list[WrittenNumber]()
    said = _LEADERS.sub(": ", plain(BULLET.sub("", line)))
    for segment in _segments(said):
        for each in _of_segment(segment):
            if found and not each.label and all(amount.role for amount in each.amounts):
                found[-1].amounts += each.amounts  # `Hit points 27. Temporary: 5.`
            else:
                found.append(each)
    return tuple(each for each in found if each.label and each.amounts)


def _segments(said: str) -> list[str]:
    """A line in columns; a label and the number that stands under the next column are one."""
    found = list[str]()
    for part in _SEGMENTS.split(said):
        if found and re.match(r"[(\[+\-]?\d", part) and not re.search(r"\d", found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


class _Token(NamedTuple):
    kind: str
    text: str


def _of_segment(segment: str) -> list[WrittenNumber]:
    tokens = [_Token(hit.lastgroup or "", hit[0]) for hit in _TOKEN.finditer(segment)]
    tokens = [token for token in tokens if token.text.lower() not in _fillers()]
    inline, asides = _without_asides(tokens)
    found = _groups(inline)
    for aside in asides:
        found += _groups(aside)
    return found


def _without_asides(tokens: Sequence[_Token]) -> tuple[list[_Token], list[list[_Token]]]:
    """A line without the brackets that tell of something else: `(seriously wounded at 20)`. What
    stands in brackets beside a label, `(max 22)`, stays."""
    inline, asides, held = list[_Token](), list[list[_Token]](), list[_Token]()
    depth = 0
    for token in tokens:
        if token.text in "([{":
            depth += 1
        elif token.text in ")]}" and depth:
            depth -= 1
            if depth == 0:
                aside = any(map(_is_content, held)) and bool(inline)
                if aside:
                    asides.append(held)
                else:
                    inline += held
                held = []
        elif depth:
            held.append(token)
        else:
            inline.append(token)
    return [*inline, *held], asides


def _is_content(token: _Token) -> bool:
    if token.kind != "word" or role_of(token.text):
        return False
    return token.text.lower() not in stop_words() | _between()


@dataclass
class _Open:
    """A group while it is read."""

    words: list[str] = field(default_factory=list)
    numbers: list[tuple[int, Role, bool]] = field(default_factory=list)
    led: bool = False
    """Its label stands before its numbers."""
    shared: list[tuple[int, Role, bool]] = field(default_factory=list)
    """The number right before its words, which is theirs if no other is: `carries 4 javelins`."""

    def closed(self) -> WrittenNumber:
        label = " ".join(self.words).lower().strip(" .") if len(self.words) <= _LABEL_WORDS else ""
        return WrittenNumber(label, [Amount(*each) for each in self.numbers or self.shared])


def _groups(tokens: Sequence[_Token]) -> list[WrittenNumber]:
    """Labels with their numbers: words that are no role begin a new label once the one before has
    its numbers."""
    reading = _Reading(tokens)
    for at in range(len(tokens)):
        reading.take(at)
    return [each.closed() for each in [*reading.found, reading.now]]


class _Reading:
    """Tokens of a line as they become groups."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.tokens = tokens
        self.found, self.now = list[_Open](), _Open()
        self.behind = _roles_stand_behind(tokens)
        self.pending: Role = ""

    def take(self, at: int) -> None:
        """One token more."""
        token = self.tokens[at]
        if token.kind == "number" and len(token.text) <= _BIGGEST + 1:
            self._number(at)
        elif token.kind == "word" and (role := role_of(token.text)):
            self._role(at, role)
        elif _is_content(token):
            self._word(at)
        elif token.kind == "dice":
            self._begin()
        elif token.text == ":" and not self.now.numbers and _is_content(_next(self.tokens, at)):
            self.now.words = []  # A label over others: `Skills: Nature +3`.

    def _begin(self, shared: Sequence[tuple[int, Role, bool]] = ()) -> None:
        self.found.append(self.now)
        self.now = _Open(shared=list(shared))

    def _last(self, at: int) -> _Token:
        return self.tokens[at - 1] if at else _Token("", "")

    def _number(self, at: int) -> None:
        last = self._last(at)
        if _begins_anew(self.tokens, at, self.now, self.pending):
            self._begin()
        elif (last.kind == "arrow" and not self.now.led) or _is_subject(self.tokens, at, self.now):
            self.now.words = []  # What stood between numbers, or who has so many, is no label.
        self.now.led = self.now.led or bool(self.now.words)
        _keep(self.now, self.tokens[at].text, self.pending, last)
        self.pending = ""

    def _role(self, at: int, role: Role) -> None:
        now = self.now
        named = not now.led and now.words and not self.pending
        ends = self._last(at).kind == "number" and _ends_here(self.tokens, at, self.behind)
        if now.numbers and (named or ends):
            value, old, signed = now.numbers[-1]
            now.numbers[-1] = (value, old or role, signed)
        else:
            self.pending = role

    def _word(self, at: int) -> None:
        now, last = self.now, self._last(at)
        if now.numbers and now.words and (now.led or last.kind != "word"):
            self._begin(now.numbers[-1:] if last.kind == "number" else ())
        self.now.words.append(self.tokens[at].text.strip("."))


def _begins_anew(tokens: Sequence[_Token], at: int, now: _Open, pending: Role) -> bool:
    """Whether a number is of another label than the ones before it: `5 darts, 3 daggers`, `ac 12,
    15 with mage armor`."""
    last = tokens[at - 1] if at else _Token("", "")
    if pending or not now.words or _joins(last):
        return False
    listed = last.text == "," and _is_named_behind(tokens[at + 1 :])
    return listed or (bool(now.numbers) and not now.led)


def _is_subject(tokens: Sequence[_Token], at: int, now: _Open) -> bool:
    """Whether the words before the first number tell who has it: `Odile has 52 hit points`."""
    last = tokens[at - 1] if at else _Token("", "")
    small = last.kind == "word" and last.text.lower() in stop_words() - _between()
    return small and not now.numbers and _is_content(_next(tokens, at))


def _is_named_behind(rest: Sequence[_Token]) -> bool:
    """Whether words follow, before another number or comma."""
    ends = (token for token in rest if token.kind in _ENDING or _is_content(token))
    return next(ends, _Token("mark", "")).kind not in _ENDING


def _next(tokens: Sequence[_Token], at: int) -> _Token:
    return tokens[at + 1] if at + 1 < len(tokens) else _Token("", "")


def _joins(last: _Token) -> bool:
    return last.kind == "arrow" or last.text == "/" or last.text.lower() in _between()


def _keep(now: _Open, said: str, pending: Role, last: _Token) -> None:
    """A number with its role: the one that a word before gives it, or its place behind `of`, a
    slash or an arrow."""
    bare = said.replace(",", "")
    signed = bare[0] in "+-−–"
    value = int(re.sub(r"\D", "", bare)) * (-1 if bare[0] in "-−–" else 1)
    role = pending
    if last.text.lower() in _between() and (now.numbers or now.words):
        role = "most"
        if now.numbers and not now.numbers[-1][1]:
            now.numbers[-1] = (now.numbers[-1][0], "now", now.numbers[-1][2])
    elif last.kind == "arrow" and now.numbers:
        role = "now"
        before, had, sign = now.numbers[-1]
        now.numbers[-1] = (before, had or "was", sign)
    elif last.text == "/" and not signed and now.numbers and now.numbers[-1][0] < 0:
        now.numbers[-1] = (*now.numbers[-1][:2], False)  # `-3/22`: so many of those.
    now.numbers.append((value, role, signed))


def _roles_stand_behind(tokens: Sequence[_Token]) -> bool:
    """Whether each number has its word behind it: `22 max 9 now`."""
    order = [
        "n" if token.kind == "number" else "r"
        for token in tokens
        if token.kind == "number" or (token.kind == "word" and role_of(token.text))
    ]
    return order[:1] == ["n"] and order.count("r") >= order.count("n")


def _ends_here(tokens: Sequence[_Token], at: int, behind: bool) -> bool:
    """Whether a word tells of the number before it, not of the one that follows."""
    return behind or at + 1 == len(tokens) or tokens[at + 1].kind != "number"


def as_labels(found: Iterable[WrittenNumber]) -> Iterator[SheetLabel]:
    """The same as labels with their values."""
    for each in found:
        bare = [amount for amount in each.amounts if not amount.role]
        pool = pool_of(each)
        if pool.now is not None and pool.most is not None and pool.now <= pool.most:
            yield SheetLabel(each.label, f"{pool.now} / {pool.most}", each.heading, each.line)
        elif bare:
            said = f"{bare[0].value:+d}" if bare[0].signed else str(bare[0].value)
            yield SheetLabel(each.label, said, each.heading, each.line)
        elif pool.most is not None or pool.now is not None:
            alone = pool.now if pool.most is None else pool.most
            yield SheetLabel(each.label, str(alone), each.heading, each.line)

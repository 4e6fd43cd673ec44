"""Reads labels with their values out of lines, in whatever way a book sets them. Pure.

`Range: 60 feet`, `**Wants** to be served`, `STR 15, DEX 12`, `Attack-6 Hit-7`, `10 HP 3 Armor`,
`Large Giant Armor Class 11 (hide) Hit Points 66`. Which of the words before a number belong to
the label is not known from one line; so every reading is offered (`Class`, `Armor Class`, `Giant
Armor Class`), and counting over like texts decides (labels.py).
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from freeform.language.inflection import singular
from freeform.language.words import stop_words

Form = Literal["colon", "dash", "lead", "before", "after"]

NUMBER = r"(?:[+−–-]?\d[\d,./]*\d|[+−–-]?\d)"
VALUE = re.compile(
    rf"(?<![\w.])(?:[bw]\[)?(?:\d*[dDW]\d+|\d+[dDW](?![a-z])|{NUMBER})\]?(?:[+−–-]\d+)?%?"
)
_WORD = r"[^\W\d_][\w'’&./]*"
_BEFORE_NUMBER = re.compile(rf"(?<![\w+])(?:{_WORD}[ -]){{0,2}}{_WORD}$")
_AFTER = re.compile(r"\s?([^\W\d_]{2,14})\b")
_COLON = re.compile(r"\s?:(?=\s|\*|$)|\s[–—-](?=\s)")
_BEFORE_COLON = re.compile(
    rf"(?<![\w+])((?:{_WORD}(?: & | - |[ -])){{0,3}}{_WORD})(?: ?\([^)]{{1,12}}\))?$"
)
#: Letters before a colon in which its label must stand.
REACH = 50
_OPENING = re.compile(r"^(\*{2,3}|_{2})(?=\S)(.{1,60}?)\1")
_WRAPPED = re.compile(r"^(\*{1,3})(.*\S)\1$", re.S)
_MARKED = re.compile(r"(?<![*\w])(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1(?!\*)")
_BRACKETS = re.compile(r"\([^()]*\)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)", re.I)
#: A part of a line between commas or bars that has no number: its first word, and another.
_PART = re.compile(r"[,;|·•]\s+([A-Z][^\W\d_]*)(?= [^\W\d_])(?=[^\d,;|·•]*(?:[,;|·•]|$))")
#: A part of a line between bars or dots, with the word it opens with.
_BARRED = re.compile(r"(?:^|\s[|·•]\s+)([A-Z][^\W\d_]*)(?= \S)")
_BAR = re.compile(r"\s[|·•]\s")
#: Bars or dots that make a line a row of parts.
BARS = 2
#: Bold labels in a line from which on nothing else in it is one.
BOLD = 2
#: Share of a line's words that pairs of label and number must make up in a line of numbers.
DENSE = 0.5
#: Labels with numbers that make an opening run, and words that may stand between two numbers in it.
RUN, GAP = 3, 3


class LabelMark(NamedTuple):
    """A place where a label may stand. `readings`: the label's possible wordings, shortest first,
    with the place each begins; `end`: where its value begins, or (after a number) where it ends."""

    form: Form
    readings: tuple[tuple[str, int], ...]
    end: int
    value: str = ""
    at: int = -1
    """Where the number stands that the label may belong to."""


@lru_cache(maxsize=20_000)
def plain_line(text: str) -> str:
    """A line without marks of emphasis; stars that are values (`Potency: ***`) stay."""
    text = text.strip().removeprefix("- ")
    while wrapped := _WRAPPED.match(text):
        if wrapped[2].strip("*") == "":
            break
        text = wrapped[2].strip()
    return _MARKED.sub(r"\2", text).replace("  ", " ")


def title_case_line(line: str) -> bool:
    """Whether a line is written like a title: most of its longer words begin with a capital."""
    words = re.findall(r"[^\W\d_]{4,}", line)
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.7 * len(words)


def opening(text: str) -> str:
    """The emphasised words a line opens with, if something follows them."""
    text = text.strip().removeprefix("- ")
    found = _OPENING.match(text)
    if found is None or not text[found.end() :].strip(" .:-–"):
        return ""
    return found[2].strip(" .:-–—")


@lru_cache(maxsize=20_000)
def key_of(label: str) -> str:
    """A label to compare by: `Attacks` and `attack` are one."""
    words = re.findall(r"[^\W_]+", label.lower().replace("’", "'").replace("'", ""))
    return " ".join([*words[:-1], singular(words[-1])]) if words else ""


def title_mark(title: str) -> LabelMark | None:
    """The label and number a title ends with (`Aboleth CR 10`), if it is more than that."""
    numbers = [mark for mark in _number_marks(title) if mark.form == "before"]
    if not numbers or numbers[-1].at + len(numbers[-1].value) < len(title.rstrip()):
        return None
    short = tuple(row for row in numbers[-1].readings if row[1] > 0)[:1]
    return numbers[-1]._replace(readings=short) if short else None


def marks_in(line: str, lead: str, inside: Sequence[str] = ()) -> list[LabelMark]:
    """The places of labels in a plain line. `lead`: the emphasised words it opens with; `inside`:
    others further on, in their order."""
    found: list[LabelMark] = []
    if lead and line.startswith(lead):
        found.append(LabelMark("lead", ((lead, 0),), len(lead)))
    found += _bold_marks(line, inside, len(lead))
    bold = list(found)
    found += [mark for mark in _colon_marks(line) if not _same_place(bold, mark)]
    numbers = _number_marks(line)
    if len(bold) > BOLD:
        numbers = []  # the book itself says what a label is
    elif not _is_dense(line, numbers):
        numbers = _opening_run(line, numbers)
    if len(_BAR.findall(line)) >= BARS:
        found += _barred_marks(line, [*found, *numbers])
    if numbers:
        found += _part_marks(line, [*found, *numbers])
        taken = [(mark.readings[-1][1], mark.end) for mark in found]
        found += _not_units([mark for mark in numbers if not _inside(mark, taken)], found)
    return sorted(
        found, key=lambda mark: min(mark.readings[0][1], mark.at if mark.at >= 0 else mark.end)
    )


def _not_units(numbers: list[LabelMark], others: Sequence[LabelMark]) -> list[LabelMark]:
    """A word behind a number is a label only where no label stands before it in the line: else it
    says in what the value is measured (`Speed 30 ft., swim 40 ft.`)."""
    opened = min((mark.readings[0][1] for mark in others), default=10**6)
    if numbers and numbers[0].form == "before":
        opened = -1
    return [mark for mark in numbers if mark.form == "before" or mark.at < opened]


def _same_place(leads: Sequence[LabelMark], other: LabelMark) -> bool:
    at = other.readings[0][1]
    return any(lead.readings[0][1] <= at < lead.end for lead in leads)


def _bold_marks(line: str, inside: Sequence[str], start: int) -> list[LabelMark]:
    found = []
    for phrase in inside:
        at = line.find(phrase, start)
        if at < 0:
            continue
        start = at + len(phrase)
        if key_of(phrase):
            found.append(LabelMark("lead", ((phrase, at),), start))
    return found


def _part_marks(line: str, others: Sequence[LabelMark]) -> list[LabelMark]:
    """In a line of numbers between commas or bars, a part without a number may have a label as
    well: its first word (`ML 7, AL Neutral, XP 25`)."""
    if sum(1 for mark in others if mark.form == "before") < RUN:
        return []
    taken = {mark.readings[-1][1] for mark in others}
    return [
        LabelMark("lead", ((part[1], part.start(1)),), part.end(1))
        for part in _PART.finditer(line)
        if part.start(1) not in taken
    ]


def _barred_marks(line: str, others: Sequence[LabelMark]) -> list[LabelMark]:
    """In a line of parts between bars or dots each may open with a label (`Circle II · Reach a
    bow-shot`); whether it does is told by other lines."""
    taken = {at for mark in others for _, at in mark.readings}
    return [
        LabelMark("lead", ((part[1], part.start(1)),), part.end(1))
        for part in _BARRED.finditer(line)
        if part.start(1) not in taken
    ]


def _colon_marks(line: str) -> list[LabelMark]:
    found: list[LabelMark] = []
    for colon in _COLON.finditer(line):
        start = max(0, colon.start() - REACH)
        words = _BEFORE_COLON.search(line[start : colon.start()])
        if words:
            # A label begins with a capital, or stands first in its line.
            readings = _readings(words[1], start + words.start(1))
            fit = tuple(row for row in readings if row[0][0].isupper() or row[1] == 0)
            form: Form = "colon" if ":" in colon[0] else "dash"
            found += [LabelMark(form, fit, colon.end())] if fit else []
    return found


def _readings(words: str, start: int) -> tuple[tuple[str, int], ...]:
    """The endings of a run of words that could be a label: each begins with a capital, or is the
    last word alone."""
    starts = [found.start() for found in re.finditer(r"(?:(?<=[ -])|^)(?=\S)", words)]
    last = starts[-1]
    kept = [at for at in starts if words[at].isupper() or at == last]
    return tuple((words[at:], start + at) for at in reversed(kept))


def _number_marks(line: str) -> list[LabelMark]:
    found: list[LabelMark] = []
    for value in VALUE.finditer(line):
        words = _words_before(line, value)
        if words is not None:
            readings = [row for row in _readings(*words) if row[0][0].isupper()]
            if readings:
                mark = LabelMark("before", tuple(readings), value.start(), value[0], value.start())
                found.append(mark)
        after = _AFTER.match(line, value.end())
        if after and not _ORDINAL.fullmatch(after[1]) and after[1].lower() not in stop_words():
            label = ((after[1], after.start(1)),)
            found.append(LabelMark("after", label, after.end(), value[0], value.start()))
    return found


def _words_before(line: str, value: re.Match[str]) -> tuple[str, int] | None:
    """The words right before a number, with their place."""
    start = max(0, value.start() - REACH)
    head = line[start : value.start()].rstrip(" -–")
    found = _BEFORE_NUMBER.search(head)
    if found is None or value.start() - start - len(head) > 2:
        return None
    return found[0], start + found.start()


def _inside(mark: LabelMark, taken: Sequence[tuple[int, int]]) -> bool:
    at = mark.readings[0][1]
    return any(start <= at < end for start, end in taken)


def _opening_run(line: str, numbers: Sequence[LabelMark]) -> list[LabelMark]:
    """The labels with numbers that a line opens with, one right after the other, before it goes on
    in words."""
    run: list[LabelMark] = []
    end = 0
    for mark in numbers:
        if len(line[end : mark.at].split()) > GAP:
            break
        run.append(mark)
        end = mark.at + len(mark.value)
    forms = Counter(mark.form for mark in run)
    return run if max(forms.values(), default=0) >= RUN else []


def _is_dense(line: str, numbers: Sequence[LabelMark]) -> bool:
    """Whether a line is mostly labels with numbers, or opens with one and is short."""
    if not numbers:
        return False
    words = len(_BRACKETS.sub(" ", line).split())
    values = {mark.at for mark in numbers}
    if 2 * len(values) >= DENSE * words:
        return True
    first = numbers[0]
    return words <= 12 and first.form == "before" and first.readings[-1][1] == 0

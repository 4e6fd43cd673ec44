"""The sessions of notes in their order, and those that a question speaks of: the last, session 41,
the one before it, all since, a day."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from freeform.assistant.notes.dates import bare_of_day, find_day
from freeform.assistant.notes.model import Note
from freeform.assistant.notes.subjects import is_day_line, names_subject, session_of
from freeform.assistant.overlap import words_in

_WORD = r"(?:sessions?|games?|episodes?|evenings?|nights?|times?)"
_NUMBERS = re.compile(
    rf"\b{_WORD}\s*(?:no\.?|#|number)?\s*(\d{{1,4}}(?:\s*(?:,|and|&|or)\s*\d{{1,4}})*)\b", re.I
)
_NTH = re.compile(rf"\b(\d{{1,3}})(?:st|nd|rd|th)\s+{_WORD}\b", re.I)
_LAST = re.compile(
    rf"\b(?:last|latest|most recent|newest)\s+(?:(two|three|four|\d)\s+)?{_WORD}\b|\blast time\b",
    re.I,
)
_FIRST = re.compile(rf"\b(?:first|earliest)\s+(?:(two|three|four|\d)\s+)?{_WORD}\b", re.I)
_SINCE = re.compile(r"\b(?:since|after)\b", re.I)
_BEFORE = re.compile(rf"\b(?:before|prior to)\b|\bprevious {_WORD}\b|\b{_WORD} before\b", re.I)
_COUNT = {"two": 2, "three": 3, "four": 4}
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_SPELLED = re.compile(rf"\b({'|'.join(_ORDINALS)})\s+{_WORD}\b", re.I)


@dataclass
class SessionMark:
    """One session: its number or 0, its day or '', what it is called, and its notes by place."""

    number: int
    date: str
    title: str
    notes: list[int] = field(default_factory=list)

    @property
    def label(self) -> str:
        """As an answer calls it: `Session 41 (2026-04-11)`."""
        if self.number:
            return f"Session {self.number}{f' ({self.date})' if self.date else ''}"
        return f"Session of {self.date}"


def sessions_of(notes: Sequence[Note]) -> list[SessionMark]:
    """The sessions, oldest first: by day where every one has a day, else by number."""
    found: dict[tuple[int, str], SessionMark] = {}
    for at, note in enumerate(notes):
        if not note.session and not note.date:
            continue
        key = (note.session, "") if note.session else (0, note.date)
        mark = found.setdefault(key, SessionMark(note.session, note.date, _title(note)))
        mark.date = mark.date or note.date
        mark.notes.append(at)
    marks = list(found.values())
    if all(mark.date for mark in marks):
        return sorted(marks, key=lambda mark: (mark.date, mark.number))
    return sorted(marks, key=lambda mark: (mark.number, mark.date))


def _title(note: Note) -> str:
    """What a session is called: its heading, or its file, without number and day."""
    parts = note.heading.split(" > ")
    head = next((part for part in parts if any(session_of({}, part))), parts[0])
    if is_day_line(head):
        return ""
    if not head or names_subject(head):
        head = note.file.rpartition("/")[2].rpartition(".")[0]
    bare = re.sub(r"\([^()]*\d[^()]*\)", " ", head)
    bare = re.sub(r"^s\d+\b|[\[(]?\d[\d./-]*[\])]?", " ", bare_of_day(bare), flags=re.I)
    return " ".join(re.sub(rf"\b{_WORD}\b|[-–—:]+", " ", bare, flags=re.I).split()).strip(" ,.")


@dataclass(frozen=True)
class SessionSpan:
    """The sessions a question means, and the words by which it says so."""

    marks: list[SessionMark]
    said: list[tuple[int, int]]
    missing: str = ""
    """A session that is asked for and is not there."""


def span_of(question: str, marks: Sequence[SessionMark]) -> SessionSpan | None:
    """The sessions that a question speaks of; None when it speaks of none."""
    if not marks:
        return None
    named = _named(question, marks)
    if named is None:
        return None
    chosen, said, missing = named
    before, since = _BEFORE.search(question), _SINCE.search(question)
    if missing or not chosen:
        return SessionSpan([], said, missing)
    order = list(marks)
    first, last = order.index(chosen[0]), order.index(chosen[-1])
    if before:
        said = [*said, before.span()]
        chosen = order[max(0, first - 1) : first]
    elif since and since.start() < said[0][0]:
        said = [*said, since.span()]
        # The session after one is the next; since one are all that follow.
        one = re.search(rf"\b{_WORD} after\b", question, re.I)
        chosen = order[last + 1 : last + 2] if one else order[last + 1 :]
    return SessionSpan(list(chosen), said)


def _named(
    question: str, marks: Sequence[SessionMark]
) -> tuple[list[SessionMark], list[tuple[int, int]], str] | None:
    hit = _NUMBERS.search(question) or _NTH.search(question)
    if hit:
        wanted = [int(n) for n in re.findall(r"\d+", hit[1])]
        found = [mark for mark in marks if mark.number in wanted]
        known = {mark.number for mark in marks}
        lost = [n for n in wanted if n not in known]
        return found, [hit.span()], f"session {lost[0]}" if lost else ""
    if hit := _SPELLED.search(question):
        return _in_order(_ORDINALS.index(hit[1].lower()) + 2, marks, hit)
    if hit := _LAST.search(question):
        return list(marks)[-_how_many(hit[1]) :], [hit.span()], ""
    if hit := _FIRST.search(question):
        return list(marks)[: _how_many(hit[1])], [hit.span()], ""
    if day := find_day(question):
        found = [mark for mark in marks if day.is_on(mark.date)]
        return (found, [(0, 0)], "") if found else None
    return _titled(question, marks)


def _in_order(
    place: int, marks: Sequence[SessionMark], hit: re.Match[str]
) -> tuple[list[SessionMark], list[tuple[int, int]], str]:
    """`The third session`: by its number, or where there are no numbers by its place."""
    found = [mark for mark in marks if mark.number == place]
    if not any(mark.number for mark in marks):
        found = list(marks)[place - 1 : place]
    return found, [hit.span()], "" if found else f"session {place}"


def _titled(
    question: str, marks: Sequence[SessionMark]
) -> tuple[list[SessionMark], list[tuple[int, int]], str] | None:
    """A session by its title, where the question speaks of sessions."""
    if not re.search(rf"\b{_WORD}\b", question, re.I):
        return None
    asked = set(words_in(question))
    for mark in marks:
        title = set(words_in(mark.title))
        if len(title) > 1 and title <= asked:
            return [mark], [(0, 0)], ""
    return None


def _how_many(word: str | None) -> int:
    if not word:
        return 1
    return _COUNT.get(word.lower()) or int(word)

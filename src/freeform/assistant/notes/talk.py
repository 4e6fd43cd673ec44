"""The log of a chat as notes: `[06/02/2026, 20:05] Nessa: I ask the children.`, or who and when on
a line of its own with the words below it."""

import re

from freeform.assistant.notes.dates import day_comes_first, find_day
from freeform.assistant.notes.model import Note
from freeform.assistant.notes.subjects import marked_line
from freeform.assistant.overlap import mentioned
from freeform.core.text import slug

_DAY = r"(?P<day>\d[\d./-]{5,9}|\d{1,2}[- ][A-Za-z]{3,9}[- ]\d{2,4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4})"
_TIME = r"(?P<time>\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?)"
_LINE = re.compile(
    rf"^\[?{_DAY}[,\s]+{_TIME}\]?\s*[-–]?\s*(?P<who>[^:\n]{{1,60}}?):\s+(?P<said>.*)$"
)
_ABOVE = (
    re.compile(rf"^\[?{_DAY}[,\s]+{_TIME}\]?\s*[-–—]?\s*(?P<who>[^:\n]{{1,60}}?)\s*:?\s*$"),
    re.compile(
        rf"^(?P<who>[^:\n—–]{{1,60}}?)\s*(?:[—–]|\s-\s)\s*{_DAY}[,\s]+(?:at\s+)?{_TIME}\s*$"
    ),
    re.compile(rf"^(?P<who>[^:\n\[]{{1,60}}?)\s+\[?{_DAY}[,\s]+(?:at\s+)?{_TIME}\]?\s*$"),
)
"""Who spoke and when, above what was said."""
_SESSION = re.compile(r"\b(?:session|sitzung)\s*(?:no\.?|nr\.?|#)?\s*[\[(]?(\d{1,4})\b", re.I)
_MOST_OF = 0.5
_LEAST_ABOVE = 0.2
"""Of the lines of a log whose words stand below, so many tell who spoke."""


def is_talk(text: str) -> bool:
    """Whether most lines of a text are said by somebody at some time."""
    lines = [line for line in text.split("\n") if line.strip()][:200]
    said = sum(bool(_LINE.match(line)) for line in lines)
    above = sum(_speaker(line) is not None for line in lines)
    if said >= 3 and said >= _MOST_OF * len(lines):
        return True
    return above >= 3 and above >= _LEAST_ABOVE * len(lines)


def _speaker(line: str) -> re.Match[str] | None:
    """Who speaks from here on, where a line tells only that."""
    return next((hit for pattern in _ABOVE if (hit := pattern.match(line.strip()))), None)


def talk_notes(text: str, file: str) -> list[Note]:
    """A note for each thing said. A day is a session, numbered as those who talk number it, else as
    they come."""
    log = _Log(file, day_comes_first(text))
    for number, line in enumerate(text.split("\n"), start=1):
        said = _LINE.match(line)
        above = None if said else _speaker(line)
        if said:
            log.begin(said, number)
            log.say(said["said"])
        elif above:
            log.begin(above, number)
        elif line.strip():
            log.say(line.strip())
    log.close()
    return log.notes


class _Log:
    """Gathers what each one says."""

    def __init__(self, file: str, day_first: bool) -> None:
        self.file, self.day_first = file, day_first
        self.notes: list[Note] = []
        self.session, self.today = 0, ""
        self.who, self.line, self.date = "", 0, ""
        self.held: list[str] = []

    def begin(self, hit: re.Match[str], line: int) -> None:
        """Somebody speaks."""
        self.close()
        day = find_day(hit["day"], day_first=self.day_first)
        self.who, self.line = hit["who"].strip(), line
        self.date = day.iso if day else self.today

    def say(self, words: str) -> None:
        """Words of the one who speaks; what stands before any speaker is no part of the talk."""
        if self.who:
            self.held.append(words)

    def close(self) -> None:
        """What one said, as a note."""
        text = "\n".join(self.held).strip()
        self.held = []
        if not text:
            return
        named = _SESSION.search(text)
        if self.date != self.today:
            self.session = int(named[1]) if named else self.session + 1
            self.today = self.date
        elif named and not _ends(text):
            self.session = int(named[1])
        kind, _ = marked_line(text)
        self.notes.append(
            Note(
                id=f"note:{slug(self.file)}:{self.line}",
                about="event",
                title=self.who,
                text=text,
                session=self.session,
                date=self.today,
                heading=f"Session {self.session}",
                file=self.file,
                line=self.line,
                names=mentioned(text),
                kind=kind or "talk",
            )
        )


def _ends(said: str) -> bool:
    """Whether it speaks of a session's end, which begins none."""
    return bool(re.search(r"\b(?:end|ende) (?:of|von)\b", said, re.I))

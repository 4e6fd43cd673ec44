"""The log of a chat as notes: `[06/02/2026, 20:05] Nessa: I ask the children.`, `[20:05] nessa:
…` below a line with the day, or who and when on a line of its own with the words below it."""

import re
from collections.abc import Sequence

from freeform.assistant.notes.dates import day_comes_first, find_day
from freeform.assistant.notes.model import Note
from freeform.assistant.notes.subjects import is_day_line, marked_line, session_of
from freeform.assistant.overlap import mentioned
from freeform.core.text import slug

_DAY = r"(?P<day>\d[\d./-]{5,9}|\d{1,2}[- ][A-Za-z]{3,9}[- ]\d{2,4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4})"
_TIME = r"(?P<time>\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?)"
_LINE = re.compile(
    rf"^\[?{_DAY}[,\s]+{_TIME}\]?\s*[-–]?\s*(?P<who>[^:\n]{{1,60}}?):\s+(?P<said>.*)$"
)
_BY_THE_CLOCK = re.compile(
    rf"^\[?{_TIME}\]?\s*[-–|]?\s*(?:<(?P<who>[^<>\n]{{1,40}})>:?|(?P<named>[^:\n]{{1,40}}?):)"
    r"\s+(?P<said>\S.*)$"
)
"""Who said what at which hour; the day stands elsewhere."""
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
MOST_NAMES, MOST_WORDS = 0.5, 3
"""Those who talk by the clock are few against what they say, and their names are short: a diary
that tells the hours is none."""
SMALL_HOURS, A_NIGHT = 6, 8
"""Until then it is still the evening before; who talks so many hours later, talks of another."""
BEFORE_IT = 30
"""Words of what was said right before, that a message stands under."""
_LEAST_ABOVE = 0.2
"""Of the lines of a log whose words stand below, so many tell who spoke."""


def is_talk(text: str) -> bool:
    """Whether most lines of a text are said by somebody at some time."""
    lines = [line for line in text.split("\n") if line.strip()][:200]
    said = sum(bool(_LINE.match(line)) for line in lines)
    above = sum(_speaker(line) is not None for line in lines)
    if said >= 3 and said >= _MOST_OF * len(lines):
        return True
    if above >= 3 and above >= _LEAST_ABOVE * len(lines):
        return True
    return _is_by_the_clock(lines)


def _is_by_the_clock(lines: Sequence[str]) -> bool:
    hits = [hit for line in lines if (hit := _BY_THE_CLOCK.match(line.strip()))]
    who = [_who(hit) for hit in hits]
    if len(hits) < 3 or len(hits) < _MOST_OF * len(lines):
        return False
    short = all(len(name.split()) <= MOST_WORDS for name in who)
    return short and len(set(who)) <= max(2, MOST_NAMES * len(who))


def _who(hit: re.Match[str]) -> str:
    """Whoever a line says that speaks."""
    told = hit.groupdict()
    return (told.get("who") or told.get("named") or "").strip()


def _speaker(line: str) -> re.Match[str] | None:
    """Who speaks from here on, where a line tells only that."""
    return next((hit for pattern in _ABOVE if (hit := pattern.match(line.strip()))), None)


def talk_notes(text: str, file: str) -> list[Note]:
    """A note for each thing said. A day is a session, numbered as those who talk or the file number
    it, else as they come."""
    log = _Log(file, day_comes_first(text))
    for number, line in enumerate(text.split("\n"), start=1):
        said = _LINE.match(line) or _BY_THE_CLOCK.match(line.strip())
        above = None if said else _speaker(line)
        if said:
            log.begin(said, number)
            log.say(said["said"])
        elif above:
            log.begin(above, number)
        elif line.strip() and not log.turns_to(line.strip()):
            log.say(line.strip())
    log.close()
    return log.notes


class _Log:
    """Gathers what each one says."""

    def __init__(self, file: str, day_first: bool) -> None:
        self.file, self.day_first = file, day_first
        self.notes: list[Note] = []
        self.session, self.today = 0, ""
        self.who, self.line = "", 0
        self.clock = -1
        self.held: list[str] = []
        self.told, self.date = session_of({}, file, day_first=day_first)
        """The number that the file or a line between days tells for what follows; its day."""
        self.is_next = True
        """Whether what is said next is of another evening."""

    def turns_to(self, line: str) -> bool:
        """Whether a line between what is said only tells which evening comes now."""
        number, date = session_of({}, line, day_first=self.day_first)
        if self.who and not (
            is_day_line(line, day_first=self.day_first) or (number and line[:1] in "#=-–—*")
        ):
            return False
        if number or date:
            self.close()
            self.who, self.is_next = "", True
            self.told, self.date = number or self.told * (not self.notes), date or self.date
        return bool(number or date)

    def begin(self, hit: re.Match[str], line: int) -> None:
        """Somebody speaks."""
        self.close()
        told = hit.groupdict().get("day")
        day = find_day(told, day_first=self.day_first) if told else None
        if day and day.iso and day.iso != self.date:
            self.date = day.iso
            self.is_next = True
        is_earlier = self._is_earlier(hit["time"])
        self.is_next = self.is_next or (not told and is_earlier)
        self.who, self.line = _who(hit), line

    def _is_earlier(self, time: str) -> bool:
        """Whether the clock has gone back to another evening, where nothing tells the days."""
        hour, minute = (int(each) for each in re.findall(r"\d+", time)[:2])
        half = re.search(r"([ap])\.?m\b", time, re.I)
        hour = hour % 12 + 12 * (half[1].lower() == "p") if half else hour
        before, self.clock = self.clock, 60 * hour + minute
        if 0 <= before < 60 * SMALL_HOURS:
            return self.clock - before > 60 * A_NIGHT
        return before > self.clock >= 60 * SMALL_HOURS and before - self.clock > 60

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
        number = int(named[1]) if named else 0
        if self.is_next:
            self.session = self.told or number or self.session + 1
            self.told, self.is_next, self.today = 0, False, self.date
        elif named and not _ends(text):
            self.session = number
        kind, _ = marked_line(text)
        self.notes.append(
            Note(
                id=f"note:{slug(self.file)}:{self.line}",
                about="event",
                title=self.who,
                text=text,
                session=self.session,
                date=self.today,
                heading=f"Session {self.session}{self._after()}",
                file=self.file,
                line=self.line,
                names=mentioned(text),
                kind=kind or "talk",
            )
        )

    def _after(self) -> str:
        """What was said right before on the same evening: a message answers it."""
        before = self.notes[-1] if self.notes else None
        if before is None or before.session != self.session:
            return ""
        words = before.text.replace(" > ", " ").split()[-BEFORE_IT:]
        return f" > after {before.title}: {' '.join(words)}"


def _ends(said: str) -> bool:
    """Whether it speaks of a session's end, which begins none."""
    return bool(re.search(r"\b(?:end|ende) (?:of|von)\b", said, re.I))

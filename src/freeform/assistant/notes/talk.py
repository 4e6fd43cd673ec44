"""The log of a chat as notes: `[06/02/2026, 20:05] Nessa: I ask the children.`"""

import re

from freeform.assistant.notes.dates import day_comes_first, find_day
from freeform.assistant.notes.model import Note
from freeform.assistant.overlap import mentioned
from freeform.core.text import slug

_LINE = re.compile(
    r"^\[?(?P<day>[\d./-]{6,10})[,\s]+(?P<time>\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?)\]?"
    r"\s*[-–]?\s*(?P<who>[^:\n]{1,60}?):\s+(?P<said>.*)$"
)
_SESSION = re.compile(r"\b(?:session|sitzung)\s*(?:no\.?|nr\.?|#)?\s*[\[(]?(\d{1,4})\b", re.I)
_MOST_OF = 0.5


def is_talk(text: str) -> bool:
    """Whether most lines of a text are said by somebody at some time."""
    lines = [line for line in text.split("\n") if line.strip()][:200]
    said = sum(bool(_LINE.match(line)) for line in lines)
    return said >= 3 and said >= _MOST_OF * len(lines)


def talk_notes(text: str, file: str) -> list[Note]:
    """A note for each thing said. A day is a session, numbered as those who talk number it, else as
    they come."""
    day_first = day_comes_first(text)
    notes: list[Note] = []
    session, today = 0, ""
    for number, line in enumerate(text.split("\n"), start=1):
        hit = _LINE.match(line)
        if hit is None:
            if notes and line.strip():
                notes[-1].text += f"\n{line.strip()}"
            continue
        day = find_day(hit["day"], day_first=day_first)
        date = day.iso if day else today
        named = _SESSION.search(hit["said"])
        if date != today:
            session = int(named[1]) if named else session + 1
            today = date
        elif named and not _ends(hit["said"]):
            session = int(named[1])
        notes.append(
            Note(
                id=f"note:{slug(file)}:{number}",
                about="event",
                title=hit["who"].strip(),
                text=hit["said"].strip(),
                session=session,
                date=today,
                heading=f"Session {session}",
                file=file,
                line=number,
                names=mentioned(hit["said"]),
                kind="talk",
            )
        )
    return notes


def _ends(said: str) -> bool:
    """Whether it speaks of a session's end, which begins none."""
    return bool(re.search(r"\b(?:end|ende) (?:of|von)\b", said, re.I))

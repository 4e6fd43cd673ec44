"""READ THIS FIRST for notes: a folder or file of Markdown becomes notes, session by session.

    file ── head, name or heading tells the session ── headings tell what a part is about ── list
    lines and paragraphs

A session is numbered (`# Session 3`, `# Session [3]`, `session: 3`, session-03.md, a bare line
`Session 3 - 7.2.2026`) or dated (`## 2026-02-07`, a line `Date: 2/7/2026`). A folder tells what its
files are about (`People/`, `Quests/`). The log of a chat is read by talk.py. What
stands under a heading for the game master, in a secret callout or in a comment is marked and never
reaches a player.
"""

import re
from pathlib import Path
from typing import Any

from freeform.assistant.notes.dates import day_comes_first, find_day
from freeform.assistant.notes.head import head_of, is_template
from freeform.assistant.notes.model import Note, Subject
from freeform.assistant.notes.subjects import (
    COUNTED,
    counting_words,
    folder_subject,
    is_day_line,
    made_on,
    marked_line,
    names_subject,
    session_of,
    subject_of,
)
from freeform.assistant.notes.talk import is_talk, talk_notes
from freeform.assistant.overlap import mentioned
from freeform.core.errors import BadFile, UserError
from freeform.core.text import shorten, slug
from freeform.packs.folder.files import Unreadable, decode_gently
from freeform.packs.folder.secrecy import GUESSED, bare, is_marked

NOTES = (".md", ".markdown", ".txt")
"""How the names of notes end."""
LISTED = 8
"""How deep a part lies that a list line names; one that a line of its own names lies a step higher,
below all headings."""
MOST_FILES, MOST_BYTES = 5000, 8 * 1024 * 1024
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_BARE_SESSION = re.compile(
    r"^(?:\*\*|__)?(?:session|sitzung|episode|séance|sesión)\s*(?:no\.?|nr\.?|#)?\s*"
    r"[\[(]?\d{1,4}[\])]?"
    r"(?:\*\*|__)?\s*(?:$|[-–—:,(|.].{0,80}$)",
    re.I,
)
"""A line that is a heading although nothing marks it as one."""
_DATE_LINE = re.compile(
    r"^[\W_]*(?:date|datum|played(?: on)?|gespielt(?: am)?)\W*:?\W*(.{6,40})$", re.I
)
_LABEL = re.compile(
    r"^(?P<bullet>[-*+•]\s+)?(?P<bold>\*\*|__)?(?P<label>[A-Za-zÄÖÜäöü][\w' -]{2,30}?)"
    r"(?P<colon>:)?(?:\*\*|__)?:?$"
)
"""A line that only names what comes below it: `Loot:`, `**Loose ends**`, `- loot`."""
_LINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]+)\]\]")
_BULLET = re.compile(r"^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$")
_NAMED = re.compile(
    r"^(?:\*\*(?P<bold>[^*]{2,80}?):?\*\*|__(?P<under>[^_]{2,80})__|\[\[(?P<link>[^\]|]{2,80})"
    r"(?:\|[^\]]*)?\]\]|(?P<plain>[A-ZÀ-Þ][^:.\n]{1,50}?)(?=:\s|\s[-–—]\s))"
)
_STATUS = re.compile(
    r"\((open|done|finished|complete[d]?|failed|abandoned|active|closed|in progress|ongoing)\)",
    re.I,
)
_DONE = frozenset({"done", "finished", "complete", "completed", "closed"})
_SECRET = re.compile(r"^>\s*\[!(gm|dm|secret|spoiler)[^\]]*\]", re.I)
_TICK = re.compile(r"^\[(?P<tick>[ xX])\]\s*")
_FIELD = re.compile(r"^\s*(?:[-*]\s+)?\[?(?P<key>[A-Za-z][\w -]{1,30})::\s*(?P<value>.*?)\]?\s*$")
"""A field inside a note, as Obsidian's Dataview reads it: `Date:: 2026-03-29`."""
_EMBED = re.compile(r"^!\[\[[^\]]*\]\]\s*$|^!\[[^\]]*\]\([^)]*\)\s*$|^#[\w/-]+(?:\s+#[\w/-]+)*\s*$")
"""A line that is a picture or tags alone."""
_ONLY_LINKS = re.compile(r"(?:\[\[[^\]]*\]\][\s·,|/-]*)+")
"""A line of links and nothing else is a page of contents."""
_CALLOUT = re.compile(r"^>\s*\[![^\]]*\][+-]?\s*")
_MARKS = re.compile(r"\*\*|__")
_COMMENT = re.compile(r"%%.*?%%|<!--.*?-->", re.S)


def read_notes(path: Path) -> list[Note]:
    """All notes of a file or folder, in the order of their sessions. BadFile or UserError say what
    is wrong."""
    if not path.exists():
        raise BadFile(str(path), "there is no such file or folder; check the path")
    files = note_files(path)
    if not files:
        raise UserError(
            f"{path} holds no Markdown notes; write some, e.g. {path.name}/session-01.md"
        )
    notes: list[Note] = []
    for file in files:
        name = file.relative_to(path).as_posix() if path.is_dir() else file.name
        try:
            if file.stat().st_size > MOST_BYTES:
                continue
            text = decode_gently(file.read_bytes())[0]
        except (OSError, Unreadable):
            continue
        notes += notes_of(text, name)
    return sorted(notes, key=lambda note: (note.session, note.date, note.file, note.line))


def note_files(path: Path) -> list[Path]:
    """The texts of a file or folder, but for hidden ones."""
    if path.is_file():
        return [path]
    found = [f for f in path.rglob("*") if f.suffix.lower() in NOTES and f.is_file()]
    shown = [
        f for f in found if not any(part.startswith(".") for part in f.relative_to(path).parts)
    ]
    return sorted(shown)[:MOST_FILES]


def notes_of(text: str, file: str) -> list[Note]:
    """The notes of one file."""
    if is_talk(text):
        return talk_notes(text, file)
    head, body, first = head_of(text)
    body = _COMMENT.sub(lambda m: "\n" * m[0].count("\n"), body)
    if is_template(file, text):
        return []
    session, date = session_of(head, file)
    if not date and (session or not folder_subject(file.rpartition("/")[0])):
        date = made_on(head)
    hidden = any(str(head.get(key)).lower() in ("true", "yes") for key in ("gm_only", "dm_only"))
    reader = _Reader(file, session, date, hidden)
    reader.day_first = day_comes_first(body)
    reader.counted = counting_words(body)
    reader.begin(head)
    for at, line in enumerate(body.split("\n")):
        reader.take(line, first + at)
    reader.close()
    return reader.notes


class _Reader:
    """Walks the lines of a file."""

    def __init__(self, file: str, session: int, date: str, hidden: bool) -> None:
        self.file, self.session, self.date, self.hidden = file, session, date, hidden
        self.notes: list[Note] = []
        self.path: list[tuple[int, str, bool]] = []
        self.about: Subject = "session"
        self.kind = "session"
        self.held: list[str] = []
        self.line = 0
        self.bullet = False
        self.secret_block = False
        self.day_first = False
        self.counted: frozenset[str] = frozenset()
        """Words by which the file counts its sessions."""
        self.status = ""
        """Of the quest that a file is about."""
        self.own = ""
        """Whom or what a file is about, by its name."""
        self.aliases: list[str] = []
        """What else that is called."""
        self.once = ""
        """The kind that the note being gathered tells of itself."""

    @property
    def gm_only(self) -> bool:
        return self.hidden or self.secret_block or any(secret for _, _, secret in self.path)

    def begin(self, head: dict[str, Any]) -> None:
        """What the folder and the head of a file tell of all that is in it."""
        folder, _, name = self.file.rpartition("/")
        stem = name.rpartition(".")[0]
        kind = str(head.get("type") or head.get("kind") or "")
        found = folder_subject(folder) or (subject_of(kind) if names_subject(kind) else None)
        if self.session or self.date:
            return
        if not found:
            # A file that bears the name of a list, `Open threads.md`, is that list.
            listed = subject_of(stem)
            self.about, self.kind = listed if listed else (self.about, self.kind)
            return
        self.about, self.kind = found
        self.own = stem
        self.aliases = [str(name) for name in _listed(head.get("aliases") or head.get("alias"))]
        if self.about != "quest":
            return
        self.status = _state_of(str(head.get("status") or "open"))
        told = [f"{key}: {value}" for key, value in head.items() if isinstance(value, str | int)]
        if told:
            self.line, self.held = 1, ["; ".join(told)]
            self.close()

    def take(self, line: str, number: int) -> None:
        """One line."""
        if match := _HEADING.match(line):
            self.close()
            self._enter(len(match[1]), match[2].strip("* "))
            return
        if self._marks(line) or _EMBED.match(line.strip()):
            return
        if _SECRET.match(line):
            self.close()
            self.secret_block = True
            return
        if self.secret_block and not line.startswith(">"):
            self.close()
            self.secret_block = False
        if line.startswith(">"):
            line = _CALLOUT.sub("", line).lstrip("> ")
        if not line.strip():
            if not self.bullet or self.held:
                self.close()
            return
        self._gather(line, number)

    def _gather(self, line: str, number: int) -> None:
        """A line with words: it begins a note, or goes on with one."""
        bullet = _BULLET.match(line)
        kind, said = marked_line(bullet[2] if bullet else line)
        if kind:
            self.close()
            self.once, self.bullet, self.line, self.held = kind, True, number, [said]
        elif bullet and (len(bullet[1]) < 2 or self._is_listing()):
            self.close()
            if len(bullet[1]) < 2:
                self._leave(LISTED)
            self.bullet, self.line, self.held = True, number, [bullet[2]]
        else:
            if not self.held:
                if self.notes and self.path and self.notes[-1].heading.endswith(self.path[-1][1]):
                    self._leave(LISTED - 1)  # Prose after a list is no more of it.
                self.line, self.bullet = number, False
            self.held.append(line.strip())

    def _is_listing(self) -> bool:
        """Whether a list line names what the lines below it are: `- loot`."""
        return bool(self.path) and self.path[-1][0] == LISTED

    def _leave(self, level: int) -> None:
        """Back above parts of that depth, and to what those around them are about."""
        if not (self.path and self.path[-1][0] >= level):
            return
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.about, self.kind = "session", "session"

    def _marks(self, line: str) -> bool:
        """Whether a line only tells which session, which day or what part comes now."""
        if _BARE_SESSION.match(line.strip()) and not self.held:
            self._enter(1, line.strip("*_ \n"))
            return True
        counted = COUNTED.match(line.strip()) if not self.held else None
        if counted and counted["word"].lower() in self.counted:
            heading = line.strip("*_ \n")
            self._enter(1, heading)
            self._counted(int(counted["number"]), heading)
            return True
        if field := _FIELD.match(line):
            self._field(field["key"].strip().lower(), field["value"])
            return True
        told = _DATE_LINE.match(line)
        day = find_day(told[1], day_first=self.day_first) if told else None
        if day and day.iso and not self.held:
            self.date = day.iso
            return True
        if is_day_line(line, day_first=self.day_first):
            self.close()
            self._enter(1, line.strip("*_ \n"))
            return True
        label = _LABEL.match(line) if not line[:1].isspace() else None
        marked = label and (label["bullet"] or label["bold"] or label["colon"] or not self.held)
        if label and marked and names_subject(label["label"]):
            self.close()
            self._enter(LISTED if label["bullet"] else LISTED - 1, label["label"])
            return True
        return False

    def _counted(self, number: int, heading: str) -> None:
        """A part that the file counts is a session, whatever it is called."""
        _, date = session_of({}, heading, day_first=self.day_first)
        self.session, self.date = number, date
        self.about, self.kind = "session", "session"

    def _field(self, key: str, value: str) -> None:
        """A field of the whole note; one that is none of ours is told as it stands."""
        number, date = session_of({key: value.strip()}, "", day_first=self.day_first)
        if number or date:
            self.session, self.date = number or self.session, date or self.date
            self.about, self.kind = "session", "session"
            for note in self.notes:
                note.session, note.date = note.session or self.session, note.date or self.date
        elif value.strip() and not value.strip().startswith("[["):
            self.close()
            self.held, self.bullet = [f"{key.capitalize()}: {value}"], True
            self.close()

    def _enter(self, level: int, heading: str) -> None:
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        session, date = session_of({}, heading, day_first=self.day_first)
        if session or (date and len(heading) < 60 and date != self.date):
            self.session, self.date = (
                session or self.session,
                date or ("" if session else self.date),
            )
            self.about, self.kind = "session", "session"
        else:
            found = subject_of(heading)
            if found:
                self.about, self.kind = found
            elif level <= 2 and not self.path:
                self.about, self.kind = "session", "session"
            elif not (self.path and self.about in ("npc", "location", "quest", "combat")):
                self.about, self.kind = "event", "event"
        secret = is_marked(heading) or bare(heading) in GUESSED
        self.path.append((level, heading, secret))

    def close(self) -> None:
        """What was gathered, as a note."""
        text = " ".join(self.held).strip() if self.bullet else "\n".join(self.held).strip()
        once, self.held, self.once = self.once, [], ""
        tick = _TICK.match(text) if self.bullet else None
        text = text[tick.end() :] if tick else text
        if not text or _ONLY_LINKS.fullmatch(text):
            return
        about: Subject = "event" if once else self.about
        if tick or once == "quest":
            about = "quest"
        heading = self.path[-1][1] if self.path else ""
        linked = _LINK.findall(text)
        marked, text = text, _LINK.sub(r"\1", text)
        named = (
            _NAMED.match(marked) if self.bullet or marked.startswith(("**", "__", "[[")) else None
        )
        name = (
            next((named[g] for g in ("bold", "under", "link", "plain") if named[g]), "")
            if named
            else ""
        )
        under = (
            heading
            if len(self.path) > 1 and self.about in ("npc", "location", "quest", "combat")
            else ""
        )
        own = _own_name(under) or self.own
        title = self.own or name.strip() or own or self._title(heading)
        if about == "quest" and (tick or once or self.bullet) and not (self.own or name):
            title = _MARKS.sub("", text)
        status = ""
        if about == "quest":
            told = _STATUS.search(text)
            word = told[1].lower() if told else "done" if tick and tick["tick"] != " " else "open"
            status = self.status or _state_of(word)
        place = " > ".join(part for _, part, _ in self.path)
        called = [name.strip(), own, *self.aliases, *linked, *mentioned(text)]
        names = list(dict.fromkeys(each for each in called if each))
        self.notes.append(
            Note(
                id=f"note:{slug(self.file)}:{self.line}",
                about=about,
                title=shorten(title, 80),
                text=text,
                session=self.session,
                date=self.date,
                heading=place,
                file=self.file,
                line=self.line,
                gm_only=self.gm_only,
                names=names,
                status=status,
                kind=once or ("quest" if tick else self.kind),
            )
        )

    def _title(self, heading: str) -> str:
        return heading or (f"Session {self.session}" if self.session else self.file)


def _state_of(word: str) -> str:
    """A quest's state by the word for it."""
    plain = word.lower().strip()
    if plain in _DONE:
        return "done"
    return "failed" if plain in ("failed", "abandoned") else "open"


def _own_name(heading: str) -> str:
    """`Combat: Griffon on the ridge` names the griffon; `NPCs` names nobody."""
    first, colon, rest = heading.partition(":")
    if colon and names_subject(first):
        return rest.strip()
    return "" if names_subject(heading) else heading


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []

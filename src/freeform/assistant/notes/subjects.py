"""What a part of notes is about, by the words of its heading, its label, its folder or its tag."""

import re
from typing import Any

from freeform.assistant.notes.dates import bare_of_day, find_day
from freeform.assistant.notes.model import Subject
from freeform.core.text import plain_form

_HEADS: tuple[tuple[Subject, str, str], ...] = (
    ("npc", "npc", r"npcs?|people|persons?|cast|who we met|characters? met|dramatis personae|allies|enemies|villains?"),
    ("location", "place", r"places?|locations?|where|regions?|geography|sites?"),
    ("quest", "quest", r"quests?|objectives?|goals?|leads?|threads?|hooks?|to[- ]?dos?|contracts?|missions?|open questions|loose ends?|still open|unresolved|next (?:time|session)|unfinished business"),
    ("combat", "combat", r"combats?|fights?|battles?|encounters?|ambush(es)?|skirmish(es)?"),
    ("decision", "decision", r"decisions?|choices?|votes?|agreements?|promises?|oaths?"),
    ("event", "loot", r"loot|treasures?|rewards?|items?|found|gained|spoils|purchases?|shopping"),
    ("character", "character", r"character (moments?|development|notes?)|party|growth|player characters?|pcs?|level ups?"),
    ("event", "event", r"events?|summary|recap|what happened|story|log|timeline|highlights?"),
)  # fmt: skip
_SUBJECTS = [(about, kind, re.compile(rf"(?:{words})\b", re.I)) for about, kind, words in _HEADS]
_LAST = [(about, kind, re.compile(rf"\b(?:{words})$", re.I)) for about, kind, words in _HEADS]
_SESSION = re.compile(
    r"\b(?:session|game|episode|chapter|part|night|sitzung|séance|sesión)\s*(?:no\.?|nr\.?|#)?\s*"
    r"[\[(]?(\d{1,4})\b",
    re.I,
)
_IN_NAMES = re.compile(r"(?:^|/)s(?:ess|ession)?[ ._#-]?0*(\d{1,3})\b", re.I)
"""`S11 black water.md`: so short only the name of a file says it."""
_INLINE = re.compile(
    r"^(?:[-*+]\s+)?(?:\*\*|__)?(?P<label>[A-Za-zÄÖÜäöü][\w' -]{2,30}?):(?:\*\*|__)?"
    r"\s+(?P<rest>\S.*)$"
)
_TAG = re.compile(r"(?<!\w)#(?P<tag>[a-z][\w-]{2,30})\b", re.I)
COUNTED = re.compile(
    r"^(?:\*\*|__)?(?P<word>[^\W\d_]{2,20})\s*#?(?P<number>\d{1,4})\b(?!\s*[.)x])(?P<rest>.{0,80})$"
)
"""A line that may count what is told: `NIGHT 2 - Sat 17 Oct`, `Abend 3`."""
_KEPT = ("played", "session_date", "session date", "datum", "when", "day")
"""Keys of a head that tell the day, beside `date`."""
LONGEST_LEAD = 3
"""Words of a heading that may stand before the one that tells."""
LONGEST_LABEL = 5
"""Words of a label that begins with the one that tells: `Loot from the mud:`."""


def subject_of(words: str) -> tuple[Subject, str] | None:
    """What these words say a part is about: they begin with it, or are few and end with it."""
    plain = plain_form(words)
    found = next(((a, k) for a, k, begins in _SUBJECTS if begins.match(plain)), None)
    if found or len(plain.split()) > LONGEST_LEAD:
        return found
    return next(((a, k) for a, k, ends in _LAST if ends.search(plain)), None)


def names_subject(words: str) -> bool:
    """Whether these words name a subject and nothing besides."""
    plain = plain_form(words).strip()
    return any(whole.fullmatch(plain) for _, _, whole in _SUBJECTS)


def folder_subject(folder: str) -> tuple[Subject, str] | None:
    """What the files of a folder are about."""
    plain = plain_form(folder.rpartition("/")[2])
    return next(((a, k) for a, k, words in _SUBJECTS if words.fullmatch(plain)), None)


def marked_line(line: str) -> tuple[str, str]:
    """The kind that a single line tells of itself, `loot: a silver mask`, `#loot a ring`, and the
    line without that; ('', line) where it tells none."""
    if hit := _TAG.search(line):
        found = subject_of(hit["tag"]) if names_subject(hit["tag"]) else None
        if found:
            return found[1], " ".join(_TAG.sub("", line).split())
    hit = _INLINE.match(line.strip())
    if hit and len(hit["label"].split()) <= LONGEST_LABEL:
        label, first = hit["label"], hit["label"].split()[0]
        told = next((words for words in (label, first) if names_subject(words)), "")
        found = subject_of(told) if told else None
        if found:
            return found[1], hit["rest"]
    return "", line


def session_of(head: dict[str, Any], text: str, *, day_first: bool = False) -> tuple[int, str]:
    """The number and the date, from a head or from any text such as a file's name."""
    number, date = 0, ""
    said = head.get("session") or head.get("session_number") or head.get("number")
    if isinstance(said, int) or (isinstance(said, str) and said.isdigit()):
        number = int(said)
    told = next((head[key] for key in ("date", *_KEPT) if head.get(key)), None)
    if told:
        day = find_day(str(told), day_first=day_first)
        date = day.iso if day else str(told)[:10]
    is_file = "/" in text or text.endswith((".md", ".markdown", ".txt"))
    words = text.replace("_", " ").replace("-", " ") if is_file else text
    match = _SESSION.search(words) or (_IN_NAMES.search(text) if is_file else None)
    if not number and match:
        number = int(match[1])
    spaced = text.replace("_", " ") if is_file else text
    if not date and (day := find_day(spaced, day_first=day_first)):
        date = day.iso
    return number, date


def made_on(head: dict[str, Any]) -> str:
    """The day on which a file was made, for one that is a session and tells no other."""
    day = find_day(str(head.get("created") or ""))
    return day.iso if day else ""


def is_day_line(line: str, *, day_first: bool = False) -> bool:
    """Whether a line is a date and hardly a word besides: `Samstag, den 14. März 2026`."""
    bare = line.strip(" *_#-–—:\t")
    if not bare or len(bare) > 48:
        return False
    day = find_day(bare, day_first=day_first)
    return bool(day and day.iso) and len(bare_of_day(bare).split()) <= 2


def counting_words(body: str) -> frozenset[str]:
    """The words by which a file counts its parts, in lines that nothing marks as headings: each
    stands alone after an empty line or at the top, at least twice, and the numbers only rise or
    only fall."""
    found: dict[str, list[int]] = {}
    before = ""
    for line in body.split("\n"):
        hit = COUNTED.match(line.strip())
        if hit and not before.strip():
            found.setdefault(hit["word"].lower(), []).append(int(hit["number"]))
        before = line
    ordered = [
        word
        for word, numbers in found.items()
        if len(numbers) > 1
        and numbers in (sorted(set(numbers)), sorted(set(numbers), reverse=True))
    ]
    return frozenset(ordered)

"""A character card as a story's beginning: the person, the opening, other greetings, the lore.

Cards are written for chat programs: macros such as `{{char}}`, HTML, scripts. What is read here is
plain text; what could not be taken is named.
"""

import html
import re
from typing import Any

from pydantic import Field

from freeform.core.record import Record
from freeform.packs.formats.card import Card
from freeform.packs.formats.lorebook import find_book

_CODE = re.compile(r"<(script|style|iframe|svg|object)\b.*?(?:</\1\s*>|\Z)", re.I | re.S)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_BREAK = re.compile(r"<\s*(?:br|/p|/div|/li|/h\d)\b[^>]*>", re.I)
_TAG = re.compile(r"</?[a-z][^<>]{0,400}>", re.I)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_CHAR = re.compile(r"\{\{\s*char\s*\}\}|<(?:bot|char)>", re.I)
_USERS = re.compile(r"(?:\{\{\s*user\s*\}\}|<user>)['’]s\b", re.I)
_USER = re.compile(r"\{\{\s*user\s*\}\}|<user>", re.I)
_CHOICE = re.compile(r"\{\{\s*(?:random|pick)\s*:+\s*([^{}]*)\}\}", re.I)
_MACRO = re.compile(r"\{\{[^{}]*\}\}")
_QUOTED = re.compile(r"[\"“]([^\"”\n]{3,300})[\"”]")
LONGEST = 20_000
"""Characters of one field that are read."""
_MOST_LINES, _MOST_LORE = 6, 400


class LoreNote(Record):
    """An entry of a card's book, and the words that call it up; none: it always holds."""

    keys: list[str]
    text: str


class CardStory(Record):
    """A card, ready for a story to be made of it."""

    name: str
    description: str
    personality: str = ""
    setting: str = ""
    """Where and when, as the card says it."""
    opening: str
    greetings: list[str] = Field(default_factory=list)
    """Other openings."""
    sayings: list[str] = Field(default_factory=list)
    lore: list[LoreNote] = Field(default_factory=list)
    not_taken: list[str] = Field(default_factory=list)


def story_of(card: Card, user: str = "you") -> CardStory:
    """What a card tells; `user` is whom `{{user}}` means."""
    reading = _Reading(card.name, user)
    data = card.data
    greetings = data.get("alternate_greetings")
    texts = [str(each) for each in greetings] if isinstance(greetings, list) else []
    described = reading.plain(str(data.get("description") or data.get("char_persona") or ""))
    setting = reading.plain(str(data.get("scenario") or data.get("world_scenario") or ""))
    first = reading.plain(str(data.get("first_mes") or data.get("char_greeting") or ""))
    examples = reading.plain(str(data.get("mes_example") or data.get("example_dialogue") or ""))
    opening = first or setting or f"{card.name} is here, and looks at you."
    lore = [_note(row, reading) for row in _rows(card.document)[:_MOST_LORE]]
    for key in ("system_prompt", "post_history_instructions"):
        if str(data.get(key) or "").strip():
            reading.leave(f"`{key}`: orders to a chat program are not followed")
    if isinstance(data.get("extensions"), dict) and data["extensions"]:
        reading.leave("`extensions` of other programs are kept with the card and not used")
    return CardStory(
        name=card.name,
        description=described or f"{card.name}.",
        personality=reading.plain(str(data.get("personality") or "")),
        setting=setting,
        opening=opening,
        greetings=[text for text in map(reading.plain, texts) if text],
        sayings=_QUOTED.findall(f"{first}\n{examples}")[:_MOST_LINES],
        lore=[note for note in lore if note.text],
        not_taken=reading.left,
    )


class _Reading:
    """Text made plain, and what was left out on the way."""

    def __init__(self, name: str, user: str) -> None:
        self._name, self._user = name, user
        self.left: list[str] = []

    def leave(self, reason: str) -> None:
        """Notes what was not taken, once."""
        if reason not in self.left:
            self.left.append(reason)

    def plain(self, text: str) -> str:
        """A text of a card without macros, markup and scripts."""
        if len(text) > LONGEST:
            self.leave(f"a field is longer than {LONGEST:,} characters; its beginning was read")
            text = text[:LONGEST]
        if _CODE.search(text):
            self.leave("scripts and styles in its texts")
        text = _BREAK.sub("\n", _COMMENT.sub("", _CODE.sub("", text)))
        if _IMAGE.search(text):
            self.leave("pictures in its texts")
        text = _IMAGE.sub("", _USERS.sub(self._whose(), _CHAR.sub(self._name, text)))
        text = _CHOICE.sub(_first_choice, _USER.sub(self._user, text))
        for macro in _MACRO.findall(text):
            self.leave(f"the macro {macro[:40]}")
        text = html.unescape(_TAG.sub("", _MACRO.sub("", text)))
        lines = [" ".join(line.split()) for line in text.splitlines()]
        joined = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
        return _at_the_start(joined) if self._user == "you" else joined

    def _whose(self) -> str:
        return "your" if self._user == "you" else f"{self._user}'s"


def _at_the_start(text: str) -> str:
    """`you` begins a sentence with a capital."""
    return re.sub(r"(^|[.!?]\s+|\n)(you(?:r)?)\b", lambda m: f"{m[1]}{m[2].capitalize()}", text)


def _first_choice(found: re.Match[str]) -> str:
    return re.split(r"::|,", found[1])[0].strip()


def _rows(document: dict[str, Any]) -> list[dict[str, Any]]:
    book = find_book(document)
    entries = book.get("entries") if isinstance(book, dict) else book
    rows = list(entries.values()) if isinstance(entries, dict) else entries
    return [row for row in rows or [] if isinstance(row, dict)]


def _note(row: dict[str, Any], reading: _Reading) -> LoreNote:
    keys = row.get("keys", row.get("key"))
    listed = keys if isinstance(keys, list) else str(keys or "").split(",")
    names = [" ".join(str(key).split())[:60] for key in listed if str(key).strip()]
    constant = bool(row.get("constant"))
    return LoreNote(
        keys=[] if constant else names, text=reading.plain(str(row.get("content") or ""))
    )

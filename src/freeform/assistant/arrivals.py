"""What a file from outside is to the assistant, by its content: a rulebook, a sheet, a card, a chat, or nothing of ours."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from freeform.assistant.notes.chat import chat_notes, is_chat
from freeform.assistant.rulebook.bring import kind_of_rulebook
from freeform.assistant.sheet.read import MOST, document_in, guess_kind
from freeform.core.errors import BadFile, UserError
from freeform.core.record import Record
from freeform.packs.formats.card import SIGNATURE, is_card
from freeform.packs.formats.lorebook import is_lorebook
from freeform.packs.lock import write_atomically

Arrival = Literal["rulebook", "sheet", "card", "chat", ""]


class KeptNotes(Record):
    """A chat that became notes."""

    kind: str = "chat"
    id: str
    path: str
    counts: dict[str, int] = Field(default_factory=dict)


def what_is(path: Path) -> Arrival:
    """The kind of a file or folder; '' is left to packs, vaults and campaigns."""
    if kind_of_rulebook(path):
        return "rulebook"
    if not path.is_file() or path.stat().st_size > MOST:
        return ""
    content = path.read_bytes()
    if content.startswith(SIGNATURE):
        return "card"
    if content.startswith(b"PK"):
        return "card" if is_card(content) else ""
    if is_chat(content):
        return "chat"
    if path.suffix.lower() in (".md", ".markdown", ".txt", ".html", ".htm"):
        return ""
    try:
        document = document_in(content, path.name)
    except BadFile:
        if content.lstrip()[:1] in (b"{", b"["):
            raise  # It wants to be JSON, and its own message says where it breaks.
        return ""
    kind = guess_kind(document)
    if kind == "card":
        is_json = (
            content.lstrip()[:1] == b"{"
        )  # cards are JSON; a YAML file with a name is something else
        return "card" if is_json and not is_lorebook(document) else ""
    return "sheet" if kind else ""


def keep_chat(content: bytes, file: str, home: Path, name: str = "") -> KeptNotes:
    """A chat as a folder of notes under the home, which `ask --notes NAME` reads."""
    found, text, messages = chat_notes(content, file)
    id = name or found
    place = home / "notes" / id / "chat.md"
    try:
        write_atomically(place, text.encode())
        write_atomically(place.with_name("chat.jsonl"), content)
    except OSError as wrong:
        raise UserError(
            f"the notes could not be kept in {place.parent}: {wrong.strerror}; make room"
        ) from None
    return KeptNotes(id=id, path=str(place.parent), counts={"messages": messages})

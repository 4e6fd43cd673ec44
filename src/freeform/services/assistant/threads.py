"""Conversations with the assistant, kept under the home: `threads/<id>.json`, a turn for each
question with its whole answer."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from freeform.assistant.model import Answer
from freeform.core.errors import BadFile, NotFound, UserError
from freeform.core.record import Record
from freeform.core.text import shorten, slug
from freeform.packs.lock import write_atomically
from freeform.settings import Settings

NEW = "new"
"""Asked for as a thread: begin one."""
MOST_TURNS = 200
REMEMBERED = 6
"""Questions of a thread that a new one may lean on."""


class AskedTurn(Record):
    """A question of a thread and what was told."""

    question: str
    told: Answer


class AskThread(Record):
    """A conversation."""

    id: str
    asked: list[AskedTurn] = Field(default_factory=list)


class ThreadRow(Record):
    """A conversation in a list: how it began, and how long it is."""

    id: str
    begins: str
    turns: int


def read_thread(settings: Settings, id: str) -> AskThread:
    """A conversation; an unknown id is one that has not begun."""
    place = _place(settings, id)
    if not place.is_file():
        return AskThread(id=id)
    try:
        return AskThread.model_validate_json(place.read_bytes())
    except (OSError, ValidationError) as wrong:
        reason = f"this conversation cannot be read any more; begin another with --thread {NEW}"
        raise BadFile(place.name, reason) from wrong


def keep_turn(settings: Settings, thread: AskThread, question: str, told: Answer) -> None:
    """Adds a question and its answer."""
    turns = [*thread.asked, AskedTurn(question=question, told=told)][-MOST_TURNS:]
    grown = AskThread(id=thread.id, asked=turns)
    try:
        write_atomically(_place(settings, thread.id), grown.model_dump_json().encode())
    except OSError as wrong:
        raise UserError(
            f"the conversation could not be kept under {settings.home}: {wrong.strerror}; make room"
        ) from None


def list_threads(settings: Settings) -> Sequence[ThreadRow]:
    """The conversations that are kept, the newest first."""
    folder = settings.home / "threads"
    if not folder.is_dir():
        return []
    files = sorted(folder.glob("*.json"), key=lambda file: -file.stat().st_mtime)
    rows = []
    for file in files:
        try:
            thread = AskThread.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):
            continue
        begins = shorten(thread.asked[0].question, 80) if thread.asked else ""
        rows.append(ThreadRow(id=thread.id, begins=begins, turns=len(thread.asked)))
    return rows


def show_thread(settings: Settings, id: str) -> AskThread:
    """One conversation. NotFound where it has not begun."""
    thread = read_thread(settings, id)
    if not thread.asked:
        raise NotFound(f"no conversation '{id[:80]}'; ask something with --thread {NEW}")
    return thread


def drop_thread(settings: Settings, id: str) -> str:
    """Forgets a conversation."""
    show_thread(settings, id)
    _place(settings, id).unlink(missing_ok=True)
    return id


def _place(settings: Settings, id: str) -> Path:
    if not slug(id) or slug(id) != id or len(id) > 80:
        raise UserError(
            f"'{id[:40]}' cannot name a conversation; use small letters, digits and _, "
            f"or --thread {NEW}"
        )
    return settings.home / "threads" / f"{id}.json"

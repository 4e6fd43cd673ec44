"""What a file or folder from outside is, by its content alone."""

import zipfile
from pathlib import Path
from typing import Literal

from freeform.assistant.notes.chat import is_chat
from freeform.assistant.notes.markdown import NOTES
from freeform.assistant.notes.shelf import is_session_notes
from freeform.assistant.rulebook.bring import kind_of_rulebook
from freeform.assistant.sheet.read import MOST, document_in, guess_kind, written_page
from freeform.assistant.sheet.written.read import is_written_character
from freeform.core.errors import BadFile
from freeform.engine.authored.library import is_scenario
from freeform.engine.campaign.archive import LOG, MANIFEST, is_log
from freeform.packs.formats.card import SIGNATURE, is_card
from freeform.packs.formats.lorebook import is_lorebook
from freeform.packs.verbs import kind_of

BroughtKind = Literal[
    "campaign",
    "pack",
    "lorebook",
    "vault",
    "card",
    "character",
    "rulebook",
    "chat",
    "notes",
    "scenario",
]
"""What can come of a file."""
Kind = Literal[BroughtKind, "log", "zip"]
"""`log` is a campaign as JSON lines, `zip` an archive that has to be unpacked to know more."""
READS = (
    "a campaign's archive or log, a scenario, a pack or a folder of notes (as it is or zipped), "
    "a lorebook, "
    "a D&D Beyond or Foundry character or one you wrote, a character card, "
    "the SRD as JSON, HTML or Markdown, or a SillyTavern chat"
)
_TEXTS = (".md", ".markdown", ".txt", ".html", ".htm")


def kind_of_arrival(path: Path) -> Kind:
    """The kind. BadFile says what could be brought in instead."""
    if path.is_dir():
        if kind_of_rulebook(path):
            return "rulebook"
        if kind_of(path) == "pack":
            return "pack"
        return "notes" if is_session_notes(path) else "vault"
    if not path.is_file():
        raise BadFile(str(path), "there is no such file or folder; check the path")
    if is_log(path):
        return "log"
    known = _kind_of_file(path)
    if known is not None:
        return known
    if zipfile.is_zipfile(path):
        return "campaign" if _holds_campaign(path) else "zip"
    try:
        kind_of(path)
    except BadFile:
        reason = f"nothing we read, neither a lorebook nor anything else; `import` takes {READS}"
        raise BadFile(str(path), reason) from None
    return "lorebook"


def _kind_of_file(path: Path) -> Kind | None:
    """What the assistant reads: a rulebook, a card, a chat, a character; None for all else."""
    if kind_of_rulebook(path):
        return "rulebook"
    if path.stat().st_size > MOST:
        return None
    content = path.read_bytes()
    if content.startswith(SIGNATURE):
        return "card"
    if content.startswith(b"PK"):
        return "card" if is_card(content) else None
    if is_chat(content):
        return "chat"
    if path.suffix.lower() in _TEXTS:
        return _kind_of_text(path, content)
    return _kind_of_document(content, path.name)


def _kind_of_text(path: Path, content: bytes) -> Kind | None:
    """A character that somebody wrote, or what happened in sessions."""
    page = written_page(content)
    if page and is_written_character(page):
        return "character"
    return "notes" if path.suffix.lower() in NOTES and is_session_notes(path) else None


def _kind_of_document(content: bytes, name: str) -> Kind | None:
    first = content.lstrip()[:1]
    try:
        document = document_in(content, name)
    except BadFile:
        if first in (b"{", b"["):
            raise  # It wants to be JSON, and its own message says where it breaks.
        return None
    if is_scenario(document):
        return "scenario"
    kind = guess_kind(document)
    if kind != "card":
        return "character" if kind else None
    # Cards are JSON; a YAML file with a name is something else. One that says what it is may hold
    # a book; of all others a book is the likelier.
    says_so = isinstance(document, dict) and str(document.get("spec")).startswith("chara_card")
    is_json_card = first == b"{" and (says_so or not is_lorebook(document))
    return "card" if is_json_card else None


def _holds_campaign(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as zip:
            names = zip.namelist()
    except zipfile.BadZipFile:
        return False
    return MANIFEST in names and LOG in names

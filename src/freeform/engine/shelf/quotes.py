"""The page of a pack behind a fact: file, section and a short quote."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from freeform.core.errors import FreeformError
from freeform.core.text import shorten
from freeform.engine.shelf.books import Books
from freeform.engine.world.names import words
from freeform.engine.world.state import Entity
from freeform.language.sentences import sentences
from freeform.packs.lock import Locked
from freeform.packs.model import Entry, Section
from freeform.retrieval.briefing import items
from freeform.retrieval.documents import book_of

QUOTE = 240


def page_behind(
    subject: Entity | None,
    pack_id: str,
    text: str,
    packs: dict[str, Locked],
    books: Books | None,
    *,
    open_only: bool,
) -> dict[str, Any]:
    """The step of a chain that names the pack. With `open_only`, GM-only text is quoted only where
    it says what is known already."""
    step: dict[str, Any] = {"what": "pack", "pack": pack_id}
    locked = packs.get(pack_id)
    if locked:
        step["version"] = locked.version
    if books is None or locked is None or subject is None:
        return step
    try:
        world = books.locked_world(packs)
    except FreeformError as wrong:
        return {**step, "note": str(wrong)}
    local = subject.pack_entity_id or subject.id.rpartition(":")[2]
    own = world.entry(local if ":" in local else f"{pack_id}:{local}")
    best = _best(world.entries, own, words(text) - words(subject.name), open_only)
    line = best or (_opening(own) if own and own.sections else None)
    return {**step, **_page(line, packs)} if line else step


@dataclass(frozen=True)
class _Line:
    """A line of an entry that could be quoted."""

    entry: Entry
    section: Section
    text: str


def _best(
    entries: Sequence[Entry], own: Entry | None, wanted: frozenset[str], open_only: bool
) -> _Line | None:
    """The line that shares most words with the fact.

    The subject's own entry goes first, others must fit well.
    """
    best, most = None, 0
    half = (len(wanted) + 1) // 2
    for entry in ([own] if own else []) + [entry for entry in entries if entry is not own]:
        least = 1 if entry is own else max(3, half)
        for section in entry.sections:
            secret = open_only and (entry.gm_only or section.gm_only)
            for line in _lines(section):
                shared = len(wanted & words(line))
                if shared > most and shared >= (max(least, half) if secret else least):
                    best, most = _Line(entry, section, line), shared
    return best


def _opening(entry: Entry) -> _Line:
    """How an entry begins, where no line of it says the fact itself."""
    section = next((s for s in entry.sections if s.text and not s.gm_only), entry.sections[0])
    return _Line(entry, section, (sentences(section.text) or [""])[0])


def _page(line: _Line, packs: dict[str, Locked]) -> dict[str, Any]:
    entry, section = line.entry, line.section
    file, pack = entry.file_path, entry.pack_id
    for source in entry.sources:
        # An overlay put this section there: the page is in the pack that brought it.
        if source.id == section.source:
            file, pack = source.file_path, source.pack_id
    version = packs[pack].version if pack in packs else ""
    quote = shorten(" ".join(line.text.split()), QUOTE)
    page = {"pack": pack, "version": version, "file": file, "section": section.path, "quote": quote}
    book, pages = book_of(entry)
    return {**page, "book": book, "page": pages.get(section.heading, pages[""])} if book else page


def _lines(section: Section) -> list[str]:
    """What can be quoted: items of lists, sentences of prose."""
    return [line for item in items(section.text) for line in sentences(item)]

"""The page of a pack behind a fact: file, section and a short quote."""

from typing import Any

from freeform.core.errors import FreeformError
from freeform.core.text import sentences, shorten
from freeform.engine.books import Books
from freeform.engine.naming import words
from freeform.engine.world import Entity
from freeform.packs.lock import Locked
from freeform.packs.model import Entry, Section
from freeform.retrieval.briefing import items

QUOTE = 240


def page_behind(
    subject: Entity | None, pack_id: str, text: str, packs: dict[str, Locked], books: Books | None, *, open_only: bool
) -> dict[str, Any]:
    """The step of a chain that names the pack. With `open_only`, GM-only text is quoted only where it says
    what is known already."""
    step: dict[str, Any] = {"what": "pack", "pack": pack_id}
    held = packs.get(pack_id)
    if held:
        step["version"] = held.version
    if books is None or held is None or subject is None:
        return step
    local = subject.pack_entity_id or subject.id.rpartition(":")[2]
    try:
        entry = books.locked_world(packs).entry(local if ":" in local else f"{pack_id}:{local}")
    except FreeformError as wrong:
        return {**step, "note": str(wrong)}
    if entry is None:
        return step
    return {**step, **_page(entry, text, packs, open_only)}


def _page(entry: Entry, text: str, packs: dict[str, Locked], open_only: bool) -> dict[str, Any]:
    wanted = words(text)
    least = max(1, (len(wanted) + 1) // 2) if open_only else 1
    best: tuple[int, int, Section, str] | None = None
    for each in entry.sections:
        secret = entry.gm_only or each.gm_only
        for line in _lines(each):
            shared = len(wanted & words(line))
            if shared >= (least if secret else 1) and (best is None or (shared, -len(line)) > best[:2]):
                best = (shared, -len(line), each, line)
    section = best[2] if best else next((s for s in entry.sections if not s.gm_only), None)
    file, pack = entry.file_path, entry.pack_id
    if section and section.source:
        # An overlay put this section there: the page is in the pack that brought it.
        for source in entry.sources:
            if source.id == section.source:
                file, pack = source.file_path, source.pack_id
    quote = best[3] if best else (sentences(section.text) or [""])[0] if section else ""
    version = packs[pack].version if pack in packs else ""
    found = {"pack": pack, "version": version, "file": file, "section": section.path if section else entry.name}
    return {**found, "quote": shorten(" ".join(quote.split()), QUOTE)}


def _lines(section: Section) -> list[str]:
    """What can be quoted: items of lists, sentences of prose."""
    return [line for item in items(section.text) for line in sentences(item)]

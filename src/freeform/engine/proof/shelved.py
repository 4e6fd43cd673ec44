"""Whether a scenario's packs are on the shelf and hold what it takes from them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from freeform.core.errors import FreeformError
from freeform.engine.authored.library import content_folder
from freeform.engine.proof.sense import Found, rows_of
from freeform.engine.proof.shape import nearest
from freeform.packs.shelf import PackShelf


def missing_packs(data: dict[str, Any], home: Path | None) -> Iterator[Found]:
    """Packs that are not at hand, and entries that their packs do not have."""
    shelf = PackShelf(home or Path("nowhere"), bundled=content_folder("packs"))
    at_hand = {shelved.manifest.id: shelved for shelved in shelf.packs()}
    listed = data.get("packs")
    named = [str(pack).partition("@")[0] for pack in listed] if isinstance(listed, list) else []
    for number, id in enumerate(named):
        if id not in at_hand:
            near = nearest(id, sorted(at_hand))
            reason = f"no pack '{id}' is on the shelf{near}; install it, or leave it out"
            yield "error", ("packs", number), reason
    entries: dict[str, set[str]] = {}
    for number, row in enumerate(rows_of(data, "entities")):
        pack, entry = str(row.get("pack_id") or ""), str(row.get("pack_entity_id") or "")
        if not pack:
            continue
        if pack not in named:
            reason = f"'{row.get('id')}' comes from the pack '{pack}', which `packs` does not name"
            yield "error", ("entities", number, "pack_id"), f"{reason}{nearest(pack, named)}"
            continue
        if pack not in entries:
            entries[pack] = _entries(shelf, pack)
        if entry and entries[pack] and entry not in entries[pack]:
            near = nearest(entry, sorted(entries[pack]))
            reason = f"the pack '{pack}' has no entry '{entry}'{near}"
            yield "error", ("entities", number, "pack_entity_id"), reason


def _entries(shelf: PackShelf, pack: str) -> set[str]:
    try:
        return {entry.local_id for entry in shelf.load(shelf.find(pack)).entries}
    except FreeformError:
        return set()

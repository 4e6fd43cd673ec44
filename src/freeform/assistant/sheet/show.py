"""A sheet as plain lines: what `character show` prints."""

from collections.abc import Iterator

from freeform.assistant.sheet.model import SECTIONS, Sheet
from freeform.assistant.sheet.pieces import pieces_of
from freeform.core.errors import NotFound
from freeform.core.text import shorten

PARTS: dict[str, tuple[str, ...]] = {
    "character_basics": ("identity", "ability_scores"),
    "combat_info": ("combat_stats", "action_economy"),
    "abilities_info": ("proficiencies", "features_and_traits"),
    "inventory_info": ("inventory",),
    "magic_info": ("spell_list",),
    "story_info": ("personality", "backstory"),
    "social_info": ("relations",),
    "progress_info": ("progress",),
}
"""The eight sections, and the parts that answers cite."""


def section_named(name: str) -> str:
    """The section of that name; `combat`, `magic` and the names of parts will do."""
    wanted = name.lower().replace("-", "_").strip()
    for section, parts in PARTS.items():
        if wanted in (section, section.rpartition("_")[0], *parts):
            return section
    raise NotFound(f"a sheet has no section '{name[:40]}'; it is one of {', '.join(SECTIONS)}")


def lines_of(sheet: Sheet, section: str = "", most: int = 400) -> Iterator[str]:
    """The sheet, or one section of it, each number with its parts."""
    chosen = [section_named(section)] if section else list(SECTIONS)
    pieces = pieces_of(sheet)
    for name in chosen:
        shown = [piece for piece in pieces if piece.section in PARTS[name]]
        if not shown:
            continue
        yield name.replace("_", " ").upper()
        for piece in shown:
            text = (
                piece.text if piece.text.startswith(piece.title) else f"{piece.title}: {piece.text}"
            )
            yield f"  {shorten(' '.join(text.split()), most)}"
        yield ""
    for line in sheet.missing:
        yield f"Missing: {line}."

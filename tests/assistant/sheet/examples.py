"""Where the example sheet lies, and small actors and exports to change."""

import json
from pathlib import Path
from typing import Any

from freeform.assistant.sheet.model import (
    AbilityScore,
    CharacterBasics,
    ClassLevel,
    Item,
    Sheet,
    SheetEffect,
)
from freeform.engine.authored.library import content_folder

BRANNOC = content_folder("demo") / "brannoc" / "sheet.json"
NOTES = content_folder("demo") / "brannoc" / "notes"


def brannoc() -> dict[str, Any]:
    """The example's export, to be changed."""
    found: dict[str, Any] = json.loads(BRANNOC.read_text(encoding="utf-8"))
    return found


def raw(document: Any) -> bytes:
    """A document as a file."""
    return json.dumps(document).encode()


def hero(
    *classes: tuple[str, int],
    scores: dict[str, int] | None = None,
    effects: list[SheetEffect] | None = None,
    items: list[Item] | None = None,
    edition: str = "2014",
) -> Sheet:
    """A sheet made by hand."""
    sheet = Sheet(
        edition=edition,  # type: ignore[arg-type]
        character_basics=CharacterBasics(
            name="Ash",
            classes=[
                ClassLevel(name=name, level=level, start=not at)
                for at, (name, level) in enumerate(classes)
            ],
            abilities={a: AbilityScore(base=b) for a, b in (scores or {}).items()},
        ),
        effects=effects or [],
    )
    bag = sheet.inventory_info.model_copy(update={"items": items or []})
    return sheet.model_copy(update={"inventory_info": bag})


def data_file(data: Path, *parts: str) -> bytes:
    """A file of the shared data."""
    return data.joinpath("characters", *parts).read_bytes()

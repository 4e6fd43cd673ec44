"""The entries of rulebook packs at hand, quickly: read once for each version of a pack, then from a
small cache."""

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from freeform.core.errors import BadFile
from freeform.core.text import slug
from freeform.packs.lock import write_atomically
from freeform.packs.model import Entry
from freeform.packs.resolve import Shelved
from freeform.packs.shelf import RECEIPT, PackShelf

FORMAT = 4
_PAPERS = frozenset({"sources", "references", "licence", "license", "attribution"})
"""Sections that say where an entry comes from: not an answer to anything asked."""
"""Goes up when rows are made differently, so that caches are made anew."""
WHOLE = 2400
"""An entry up to so many characters is one piece; a longer one is a piece for each section."""


@dataclass
class RowPart:
    """A section of an entry, or the whole of a short one."""

    path: str
    text: str
    line: int = 0
    gm_only: bool = False


@dataclass
class RulebookRow:
    """One thing of the rules."""

    id: str
    pack: str
    name: str
    kind: str
    edition: Literal["", "5.1", "5.2"]
    file: str
    aliases: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    parts: list[RowPart] = field(default_factory=list)
    gm_only: bool = False
    path: str = ""

    @property
    def section(self) -> str:
        """`rulebook.spells.fireball`, `rulebook.combat.grappling`."""
        chapter = slug(self.path.split(" > ")[-2]) if " > " in self.path else ""
        folder = self.file.partition("/")[0]
        place = chapter if chapter and folder in ("rules", "culture") else folder
        return f"rulebook.{place or self.kind}.{self.id.rpartition(':')[2]}"

    def piece_id(self, at: int) -> str:
        """The id of its part."""
        return f"rule:{self.id}#{at}" if len(self.parts) > 1 else f"rule:{self.id}"


def is_rulebook(shelved: Shelved) -> bool:
    """Whether a pack is one: it says so, or is tagged so."""
    manifest = shelved.manifest
    return bool(manifest.extra.get("rulebook")) or "rulebook" in manifest.tags


def rows_of(shelf: PackShelf, packs: list[Shelved]) -> list[RulebookRow]:
    """The entries of these packs. A digest gives way to a fuller book of the same edition."""
    found: list[RulebookRow] = []
    for shelved in packs:
        found += _cached(shelf, shelved)
    digests = {s.manifest.id for s in packs if s.manifest.extra.get("digest")}
    fuller: set[tuple[str, str, str]] = {
        (row.edition, slug(row.name), row.kind) for row in found if row.pack not in digests
    }
    return [
        kept
        for row in found
        if (kept := row if row.pack not in digests else _left(row, fuller)) is not None
    ]


def _left(row: RulebookRow, fuller: set[tuple[str, str, str]]) -> RulebookRow | None:
    """What is left of a digest's row beside fuller books: the editions that none of them covers."""
    told = row.data.get("editions") or [row.edition]
    left = [edition for edition in told if (edition, slug(row.name), row.kind) not in fuller]
    if not left:
        return None
    return (
        replace(row, edition=left[0], data={**row.data, "editions": left}) if left != told else row
    )


def version_of(shelf: PackShelf, shelved: Shelved) -> str:
    """What changes when the pack does; from its receipt where it has one, which spares reading its
    files."""
    try:
        receipt = json.loads((Path(shelved.path) / RECEIPT).read_bytes())
        return str(receipt["digest"])[:24]
    except (OSError, ValueError, KeyError, TypeError):
        return shelf.digest(shelved)[:24]


def _cached(shelf: PackShelf, shelved: Shelved) -> list[RulebookRow]:
    version = version_of(shelf, shelved)
    place = shelf.folder.parent / "index" / f"rules-{shelved.manifest.id}-{version}.json"
    try:
        held = json.loads(place.read_bytes())
        if held["format"] == FORMAT:
            return [_row(each) for each in held["rows"]]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    edition = str(shelved.manifest.extra.get("edition", ""))
    rows = [row_of(entry, edition) for entry in shelf.load(shelved).entries]
    try:
        for old in place.parent.glob(f"rules-{shelved.manifest.id}-*.json"):
            old.unlink(missing_ok=True)
        write_atomically(
            place, json.dumps({"format": FORMAT, "rows": [asdict(r) for r in rows]}).encode()
        )
    except OSError:
        pass  # Without room for a cache the next look is slower, and nothing else.
    return rows


def _row(held: dict[str, Any]) -> RulebookRow:
    parts = [RowPart(**part) for part in held.pop("parts")]
    return RulebookRow(**held, parts=parts)


def row_of(entry: Entry, edition: str = "") -> RulebookRow:
    """An entry of a pack as a row."""
    extra = dict(entry.extra)
    told = str(extra.pop("edition", "") or edition)
    if told not in ("", "5.1", "5.2"):
        raise BadFile(entry.file_path, f"the edition `{told}` is unknown; write 5.1 or 5.2")
    kind = str(extra.pop("kind", "") or entry.type)
    path = str(extra.pop("path", ""))
    sections = [s for s in entry.sections if s.text.strip()]
    sections = [s for s in sections if s.heading.strip().lower() not in _PAPERS] or sections
    whole = sum(len(s.text) for s in sections) <= WHOLE and not any(s.gm_only for s in sections)
    if whole:
        text = "\n\n".join(
            f"**{s.heading}.** {s.text}" if s.level > 1 else s.text for s in sections
        )
        parts = [
            RowPart(entry.name, text.strip(), sections[0].line if sections else 0, entry.gm_only)
        ]
    else:
        parts = [
            RowPart(s.path, s.text.strip(), s.line, s.gm_only or entry.gm_only) for s in sections
        ]
    return RulebookRow(
        id=entry.id,
        pack=entry.pack_id,
        name=entry.name,
        kind=kind,
        edition=told,  # type: ignore[arg-type]
        file=entry.file_path,
        aliases=list(entry.aliases),
        data=extra,
        parts=parts,
        gm_only=entry.gm_only,
        path=path,
    )

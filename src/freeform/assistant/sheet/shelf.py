"""Where sheets are kept: the raw import, hashed and never changed, and the normal form made from it.

<home>/characters/<id>/sheet.json   the normal form with its numbers
                       raw/<hash>   each file that was imported, byte for byte
"""

from collections.abc import Iterable
from pathlib import Path

from pydantic import Field, ValidationError
from rapidfuzz import process

from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.numbers.derive import complete
from freeform.assistant.sheet.read import read_sheet
from freeform.core.errors import BadFile, NotFound, UserError
from freeform.core.record import Record
from freeform.core.text import plain_form, slug
from freeform.packs.lock import write_atomically


class SheetChange(Record):
    """One difference. `before` is '' for something new, `after` for something gone."""

    what: str
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        if not self.before:
            return f"new: {self.what}" + (f" {self.after}" if self.after != "yes" else "")
        if not self.after:
            return f"gone: {self.what}"
        return f"{self.what}: {self.before} > {self.after}"


def differences(old: Sheet | None, new: Sheet) -> list[SheetChange]:
    """From the sheet that is kept to the one that came; everything is new where none is kept."""
    changes: list[SheetChange] = []
    if old is None:
        return [SheetChange(what=f"sheet of {new.name}", after="yes")]
    mine, theirs = _headlines(old), _headlines(new)
    for label, before in mine.items():
        if before != theirs[label]:
            changes.append(
                SheetChange(what=label, before=before or "none", after=theirs[label] or "none")
            )
    for key in (*old.derived, *(k for k in new.derived if k not in old.derived)):
        one, other = old.derived.get(key), new.derived.get(key)
        label = (other or one or new.derived[key]).label
        if one is None or other is None or one.value != other.value:
            changes.append(
                SheetChange(
                    what=label,
                    before=str(one.value) if one else "",
                    after=str(other.value) if other else "",
                )
            )
    changes += _lists("item", _items(old), _items(new))
    changes += _lists(
        "spell", (s.name for s in old.magic_info.spells), (s.name for s in new.magic_info.spells)
    )
    changes += _lists("feature", _features(old), _features(new))
    return changes


def _headlines(sheet: Sheet) -> dict[str, str]:
    basics = sheet.character_basics
    return {
        "level": str(basics.level),
        "species": basics.species,
        "background": basics.background,
        "hit points": str(sheet.combat_info.hp.current),
        "experience": str(sheet.progress_info.xp),
        "edition": sheet.edition,
    }


def _items(sheet: Sheet) -> list[str]:
    return [f"{i.name} x {i.qty}" if i.qty != 1 else i.name for i in sheet.inventory_info.items]


def _features(sheet: Sheet) -> list[str]:
    return [f.name for f in (*sheet.abilities_info.features, *sheet.abilities_info.feats)]


def _lists(kind: str, before: Iterable[str], after: Iterable[str]) -> list[SheetChange]:
    old, new = dict.fromkeys(before), dict.fromkeys(after)
    return [
        *(SheetChange(what=f"{kind} {name}", after="yes") for name in new if name not in old),
        *(SheetChange(what=f"{kind} {name}", before="yes") for name in old if name not in new),
    ]


class SheetRow(Record):
    """A sheet as a list shows it."""

    id: str
    name: str
    system: str
    level: int
    classes: list[str] = Field(default_factory=list)
    edition: str = ""
    kind: str = ""
    file: str = ""


class SheetPreview(Record):
    """What an import would do: the sheet, what it changes, what it lacks. Nothing is kept yet."""

    id: str
    name: str
    kind: str
    hash: str
    already: bool = False
    """The very same file is kept already."""
    replaces: bool = False
    changes: list[SheetChange] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)
    sheet: Sheet


class SheetShelf:
    """The sheets under a home."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "characters"

    def rows(self) -> list[SheetRow]:
        """Every sheet, by name; a folder that does not read is passed over."""
        found = []
        for path in sorted(self.folder.glob("*/sheet.json")):
            try:
                found.append(row_of(self._load(path)))
            except BadFile:
                continue
        return found

    def get(self, ref: str) -> Sheet:
        """The sheet of that id or name. NotFound says what there is."""
        path = self.folder / (slug(ref) or "_") / "sheet.json"
        if path.is_file():
            return self._load(path)
        rows = self.rows()
        wanted = plain_form(ref)
        named = [row for row in rows if wanted in (plain_form(row.name), row.id)]
        named = named or [row for row in rows if wanted and plain_form(row.name).startswith(wanted)]
        if len(named) == 1:
            return self._load(self.folder / named[0].id / "sheet.json")
        names = [row.id for row in rows]
        near = process.extractOne(slug(ref), names, score_cutoff=70) if names else None
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names) or 'none'}"
        raise NotFound(
            f"no character is called '{ref[:60]}'; {hint}, or run: character import FILE"
        )

    def preview(self, content: bytes, file: str, at: str = "", id: str = "") -> SheetPreview:
        """What keeping that file would change."""
        sheet = read_sheet(content, file, at)
        sheet = sheet.model_copy(update={"id": slug(id) or sheet.id})
        sheet = sheet.model_copy(update={"raw_ref": f"raw/{sheet.source.hash.partition(':')[2]}"})
        kept = self.folder / sheet.id / "sheet.json"
        old = self._load(kept) if kept.is_file() else None
        return SheetPreview(
            id=sheet.id,
            name=sheet.name,
            kind=sheet.source.kind,
            hash=sheet.source.hash,
            already=old is not None and old.source.hash == sheet.source.hash,
            replaces=old is not None,
            changes=differences(old, sheet),
            missing=sheet.missing,
            sheet=sheet,
        )

    def keep(self, content: bytes, preview: SheetPreview) -> Sheet:
        """Keeps the raw file and the sheet made from it."""
        home = self.folder / preview.id
        raw = home / preview.sheet.raw_ref
        try:
            if not raw.is_file():
                write_atomically(raw, content)
                raw.chmod(0o444)
            write_atomically(home / "sheet.json", preview.sheet.model_dump_json(indent=1).encode())
        except OSError as wrong:
            why = wrong.strerror or type(wrong).__name__
            raise UserError(
                f"the sheet could not be kept in {home}: {why}; choose another --home"
            ) from None
        return preview.sheet

    def remove(self, id: str) -> str:
        """Takes a sheet away; its raw files stay, renamed, so nothing imported is lost."""
        sheet = self.get(id)
        (self.folder / sheet.id / "sheet.json").unlink()
        return sheet.id

    def _load(self, path: Path) -> Sheet:
        try:
            return complete(Sheet.model_validate_json(path.read_bytes()))
        except (OSError, ValidationError):
            raise BadFile(
                str(path), "the kept sheet does not read; import its raw file again"
            ) from None


def row_of(sheet: Sheet) -> SheetRow:
    """A sheet in a line."""
    basics = sheet.character_basics
    return SheetRow(
        id=sheet.id,
        name=sheet.name,
        system=sheet.system,
        level=basics.level,
        classes=[f"{c.name} {c.level}" for c in basics.classes],
        edition=sheet.edition if sheet.system == "dnd5e" else "",
        kind=sheet.source.kind,
        file=sheet.source.file,
    )

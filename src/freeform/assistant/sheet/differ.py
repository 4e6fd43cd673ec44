"""What an import would change: numbers, things, spells, features, one line each, before anyone accepts it."""

from collections.abc import Iterable

from freeform.assistant.sheet.model import Sheet
from freeform.core.record import Record


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

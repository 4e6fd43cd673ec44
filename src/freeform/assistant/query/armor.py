"""The calculator for Armor Class: what it would be with or without something, every step shown."""

import re
from collections.abc import Sequence

from freeform.assistant.model import Number
from freeform.assistant.query.clause import AskedClause, Link, NamedRow
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding, Row, ThingQuery
from freeform.assistant.query.schema import phrase
from freeform.assistant.sheet.model import Item, Sheet, SheetEffect
from freeform.assistant.sheet.numbers.derive import complete

_OFF = frozenset({"without", "drop", "lose", "remove", "take", "minus"})
_ALONE = re.compile(r"\b(?:nothing else|only|alone|just)\b", re.I)
_CHANGES = re.compile(
    r"\b(?:with|without|in|if|drop|wear|wearing|put|remove|lose|using|cast|would|on)\b", re.I
)
_BASE = re.compile(
    r"\b(?:AC|Armor Class)\b[^.]{0,60}?\b(1\d)\s*\+\s*"
    r"(?:its|your|the target's|his|her|their)?\s*Dex",
    re.I,
)
_GROUPS = ("light", "medium", "heavy", "shield")


def armor_asked(clause: AskedClause, named: Sequence[NamedRow]) -> bool:
    """Whether it asks for an Armor Class under other circumstances."""
    has_ac = any(row.name == "Armor Class" for each in named for row in each.rows)
    return has_ac and bool(_CHANGES.search(clause.text)) and bool(_worn(clause, named))


def _worn(clause: AskedClause, named: Sequence[NamedRow]) -> list[tuple[NamedRow, Row]]:
    """The armour, shields and spells that the clause names, the sheet's own before a book's."""
    found = []
    for each in named:
        fit = [row for row in each.rows if "armor" in row.kinds or _grants(row)]
        if fit:
            found.append((each, min(fit, key=lambda row: row.tool != "character_data")))
    return found


def _grants(row: Row) -> bool:
    return "spell" in row.kinds and bool(_BASE.search(row.piece.text))


def armor_class_if(
    sheet: Sheet, clause: AskedClause, named: Sequence[NamedRow]
) -> tuple[QueryFinding, list[Link]] | None:
    """The number under those circumstances, with its steps; None where nothing can be counted."""
    items = list(sheet.inventory_info.items)
    effects = list(sheet.effects)
    cites, links, changes = list[Cite](), list[Link](), list[str]()
    chosen = _worn(clause, named)
    if not chosen:
        return None
    for each, row in chosen:
        links.append(each.link)
        off = _is_off(clause, each.link)
        cites.append(Cite(row.piece))
        changes.append(f"{'without' if off else 'with'} {row.name}")
        if "spell" in row.kinds:
            base = _BASE.search(row.piece.text)
            effects.append(
                SheetEffect(
                    target="ac:base",
                    kind="set",
                    value=int(base[1]) if base else 13,
                    source=row.name,
                )
            )
            items = [
                _with(item, False) if item.armor and item.armor != "shield" else item
                for item in items
            ]
        else:
            items = _changed(items, row, off)
    if _ALONE.search(clause.text):
        effects = [effect for effect in effects if not effect.target.startswith("ac")]
        worn = {row.name for _, row in chosen}
        items = [
            item if item.name in worn or not item.armor else _with(item, False) for item in items
        ]
    bag = sheet.inventory_info.model_copy(update={"items": items})
    number = complete(sheet.model_copy(update={"inventory_info": bag, "effects": effects})).derived[
        "armor_class"
    ]
    links += [
        Link(at, 1)
        for at, token in enumerate(clause.tokens)
        if token.text in _OFF or _changing(token.text)
    ]
    stated: list[Cite] = []
    for each in named:
        own = [row for row in each.rows if row.name == "Armor Class"]
        links += [each.link] if own else []
        stated += [Cite(row.piece) for row in own]
    stated = stated[:1]
    line = FoundLine(
        f"**Armor Class {number.value}** {_joined(changes)} = {steps(number)}", (*cites, *stated)
    )
    query = ThingQuery(tool="character_data", names=["Armor Class"], want="value", field="value")
    return QueryFinding("character_data", [line], query=query, numbers=[number]), links


def steps(number: Number) -> str:
    """The parts as a sum: `armor 16 (Chain Mail) + shield 2 (Shield)`."""
    told = []
    for part in number.parts:
        if isinstance(part.value, int | float):
            source = (
                f" ({part.source})"
                if part.source and part.source not in ("rule", part.label)
                else ""
            )
            told.append(f"{part.label} {part.value}{source}")
    return " + ".join(told)


def _joined(changes: list[str]) -> str:
    return ", ".join(dict.fromkeys(changes))


def _changing(word: str) -> bool:
    return bool(_CHANGES.fullmatch(word) or _ALONE.fullmatch(word)) or word in ("else", "nothing")


def _is_off(clause: AskedClause, link: Link) -> bool:
    before = [token.text for token in clause.tokens[max(0, link.at - 3) : link.at]]
    for word in reversed(before):
        if word in ("with", "in", "and", "wearing"):
            return False
        if word in _OFF:
            return True
    return False


def _with(item: Item, worn: bool) -> Item:
    return item.model_copy(update={"equipped": worn})


def _changed(items: list[Item], row: Row, off: bool) -> list[Item]:
    """The belongings with one thing put on or taken off; one of a book is put on as it is."""
    own = next(
        (item for item in items if phrase(item.name) == phrase(row.name) and item.armor), None
    )
    if own is None and not off:
        own = _from_book(row)
        items = [*items, own]
    if own is None:
        return items
    same_place = (
        (lambda other: other.armor == "shield")
        if own.armor == "shield"
        else (lambda other: other.armor in ("light", "medium", "heavy"))
    )
    return [
        _with(item, not off)
        if item is own
        else _with(item, False)
        if same_place(item) and not off
        else item
        for item in items
    ]


def _from_book(row: Row) -> Item:
    group = str(row.fields.get("group") or "heavy")
    value = row.fields.get("armor class value") or row.fields.get("armor class")
    digits = re.search(r"\d+", str(value or ""))
    found = int(digits[0]) if digits else 0
    return Item(name=row.name, armor=group if group in _GROUPS else "heavy", armor_class=found)

"""An entry of a rulebook as a row: what its data says, and every `**Label** value` of its text."""

import re

from freeform.assistant.model import Piece
from freeform.assistant.query.model import FieldValue, Row
from freeform.assistant.rulebook.catalogue import RulebookRow

_LABELLED = re.compile(
    r"^\*\*(?P<label>[A-Z][^*\n]{1,40}?)[:.]?\*\*[:.]?[ \t]*(?P<value>[^\n]+?)[ \t]*$", re.M
)
_SCORES = re.compile(r"^\|(?:\s*-?\d+ ?\([+-−]?\d+\)\s*\|){6}\s*$", re.M)
_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
_LONGEST = 240
"""A label with more behind it heads a paragraph."""


def rule_row(row: RulebookRow, piece: Piece) -> Row:
    """The entry with its fields, each with the words that tell it."""
    fields: dict[str, FieldValue] = {}
    quotes: dict[str, str] = {}
    for hit in _LABELLED.finditer(piece.text):
        label = hit["label"].lower().strip()
        if len(hit["value"]) <= _LONGEST and label not in fields:
            fields[label] = hit["value"].strip()
            quotes[label] = hit[0].strip()
    _scores(row, piece, fields, quotes)
    if isinstance(row.data.get("level"), int):
        fields["level"] = row.data["level"]
        quotes["level"] = piece.text.split("\n", 1)[0]
    for name in ("group", "school", "rarity"):
        if isinstance(row.data.get(name), str):
            fields.setdefault(name, row.data[name])
    if isinstance(row.data.get("armor_class"), int):
        fields["armor class value"] = row.data["armor_class"]
    fields["ritual"] = bool(row.data.get("ritual"))
    fields["concentration"] = bool(row.data.get("concentration"))
    kinds = (row.kind, "entry")
    return Row(kinds, row.name, piece, tuple(row.aliases), fields, quotes)


def _scores(
    row: RulebookRow, piece: Piece, fields: dict[str, FieldValue], quotes: dict[str, str]
) -> None:
    """The six scores, from the data and the line of the table that shows them."""
    told = row.data.get("abilities")
    if not isinstance(told, dict):
        return
    shown = _SCORES.search(piece.text)
    for ability in _ABILITIES:
        if isinstance(told.get(ability), int):
            fields[ability] = told[ability]
            quotes[ability] = shown[0].strip() if shown else ""

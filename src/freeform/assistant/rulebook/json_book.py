"""The rules from 5e-database's JSON: a folder of `5e-SRD-….json` files, or one of them."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from freeform.assistant.rulebook import json_classes, json_things
from freeform.assistant.rulebook.blocks import blocks_of_markdown
from freeform.assistant.rulebook.model import Book, Edition, RuleEntry
from freeform.assistant.rulebook.text_book import entries_of
from freeform.core.errors import BadFile

_URL = re.compile(r"^/api/(?:(2014|2024)/)?([a-z-]+)/")
MAKERS: dict[str, Callable[[dict[str, Any]], RuleEntry | None]] = {
    "spells": json_things.spell,
    "monsters": json_things.monster,
    "magic-items": json_things.magic_item,
    "equipment": json_things.equipment,
    "conditions": lambda row: json_things.plain(row, "condition"),
    "skills": json_things.skill,
    "ability-scores": json_things.ability,
    "feats": json_things.feat,
    "traits": json_things.trait,
    "races": json_classes.race,
    "species": json_classes.race,
    "subraces": json_classes.race,
    "backgrounds": json_classes.background,
    "weapon-properties": lambda row: json_things.plain(row, "weapon_property"),
    "damage-types": lambda row: json_things.plain(row, "damage_type"),
    "rules": lambda row: None,
}


def collection_of(rows: Any) -> tuple[str, str]:
    """Which collection a list of rows is, and the edition its addresses speak of; '' when it is
    none."""
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict):
        return "", ""
    match = _URL.match(str(rows[0].get("url", "")))
    if not match or not isinstance(rows[0].get("index"), str):
        return "", ""
    name = "levels" if "/levels/" in str(rows[0]["url"]) else match[2]
    return name, "5.2" if match[1] == "2024" else "5.1"


def json_files(path: Path) -> dict[Path, list[dict[str, Any]]]:
    """The collections in a file or folder, each a list of rows."""
    files = sorted(path.glob("**/*.json")) if path.is_dir() else [path]
    found: dict[Path, list[dict[str, Any]]] = {}
    for file in files[:200]:
        try:
            rows = json.loads(file.read_bytes())
        except (OSError, ValueError, RecursionError):
            if file == path:
                raise BadFile(str(file), "does not read as JSON; download it again") from None
            continue
        if collection_of(rows)[0]:
            found[file] = [
                row for row in rows if (isinstance(row, dict) and row.get("name")) or "level" in row
            ]
    return found


def read_json_book(path: Path) -> Book:
    """All collections as one book."""
    collections: dict[str, list[dict[str, Any]]] = {}
    edition: Edition = "5.1"
    for rows in json_files(path).values():
        name, told = collection_of(rows)
        edition = "5.2" if told == "5.2" else edition
        collections.setdefault(name, []).extend(rows)
    entries: list[RuleEntry] = []
    notes: list[str] = []
    for name, rows in collections.items():
        if name in ("classes", "levels", "features", "subclasses"):
            continue
        if name == "rule-sections":
            entries += _rules(rows)
            continue
        make = MAKERS.get(name) or (lambda row: json_things.plain(row, "rule"))
        for row in rows:
            try:
                made = make(row)
            except (AttributeError, KeyError, TypeError, ValueError):
                notes.append(f"{name}: '{row.get('name')}' has an unknown shape and was left out")
                continue
            if made:
                entries.append(made)
    entries += json_classes.class_entries(collections)
    return Book(
        name=f"SRD {edition}",
        edition=edition,
        entries=entries,
        source="5e-database JSON",
        notes=notes,
    )


def _rules(rows: list[dict[str, Any]]) -> list[RuleEntry]:
    """The chapters of rules, one entry for each heading in them."""
    blocks = []
    for row in rows:
        blocks += blocks_of_markdown(str(row.get("desc", "")))
    return entries_of(blocks)

"""Lorebooks (World Info, `character_book`, lorebook_v3, NovelAI) as packs. What we have no field
for is kept."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from freeform.core.errors import BadFile
from freeform.core.text import slug
from freeform.packs.folder.build import PackBuilder
from freeform.packs.folder.files import (
    MAX_OTHER,
    Unreadable,
    decode_gently,
    read_bytes,
)
from freeform.packs.folder.synonyms import type_of
from freeform.packs.model import ContentPackManifest, EntryType, Findings, License

_TEXT, _NAMES = ("content", "text", "entry"), ("name", "comment", "displayName", "title")
_KEYS, _SECOND = ("key", "keys"), ("keysecondary", "secondary_keys")
_MAX_FIELD = 8_000
_OFF = {"disable": True, "enabled": False, "disabled": True}


def is_lorebook(data: Any) -> bool:
    """Whether a JSON value is a lorebook of a kind we read."""
    return find_book(data) is not None


def find_book(data: Any) -> Mapping[str, Any] | None:
    """The part of a JSON value that holds the entries: itself, a card's book, or `data` of a
    lorebook_v3."""
    if not isinstance(data, dict):
        return None
    inner = data.get("data")
    for book in (
        data,
        data.get("character_book"),
        inner,
        _in(inner, "character_book"),
        data.get("originalData"),
    ):
        if isinstance(book, dict) and isinstance(book.get("entries"), dict | list):
            rows = (
                book["entries"].values() if isinstance(book["entries"], dict) else book["entries"]
            )
            if all(isinstance(row, dict) for row in rows) and any(
                _first(row, _TEXT) for row in rows
            ):
                return book
    return None


def _in(data: Any, key: str) -> Any:
    return data.get(key) if isinstance(data, dict) else None


def _first(row: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next(
        (row[key].strip() for key in keys if isinstance(row.get(key), str) and row[key].strip()), ""
    )


def read_lorebook(path: Path, found: Findings, pack_id: str = "") -> PackBuilder:
    """A builder with one entry per row of the lorebook. BadFile when the file is none."""
    try:
        if path.stat().st_size > MAX_OTHER:
            raise Unreadable("the file is too large for a lorebook; export it in parts")
        text, _ = decode_gently(read_bytes(path))
        book = find_book(_whole_characters(json.loads(text)))
    except OSError:
        raise BadFile(str(path), "there is no such file; give the lorebook's JSON") from None
    except Unreadable as wrong:
        raise BadFile(str(path), wrong.reason) from None
    except json.JSONDecodeError as wrong:
        raise BadFile(
            str(path), f"not JSON: {wrong.msg}; export the lorebook again", wrong.lineno
        ) from None
    except RecursionError:
        raise BadFile(str(path), "nested too deeply for a lorebook; export it again") from None
    if book is None:
        raise BadFile(
            str(path),
            "no lorebook: expected `entries` with `content`; export it as World Info JSON",
        )
    name = _first(book, ("name",)) or path.stem.replace("_", " ").title()
    rest = {
        key: value for key, value in book.items() if key not in ("entries", "name", "description")
    }
    builder = PackBuilder(
        ContentPackManifest(
            id=pack_id or slug(name)[:64] or "lorebook",
            name=name,
            version="1.0.0",
            layer="homebrew",
            license=License(
                type="custom", attribution=f"Imported from {path.name}; its author's terms apply."
            ),
            description=_first(book, ("description",)),
            extra=_keep(rest, path.name, found),
        )
    )
    add_rows(builder, book, path.name, found)
    return builder


def add_rows(builder: PackBuilder, book: Mapping[str, Any], file: str, found: Findings) -> None:
    """One entry for each row of a lorebook."""
    rows = book["entries"].values() if isinstance(book["entries"], dict) else book["entries"]
    for number, row in enumerate(rows, start=1):
        _add(builder, row, f"{file} entry {number}", found)


def _add(builder: PackBuilder, row: Mapping[str, Any], where: str, found: Findings) -> None:
    content = _first(row, _TEXT)
    keys = _words(row, _KEYS)
    spoken = [key for key in keys if not re.match(r"/.*/[a-z]*\Z", key)]
    name = " ".join(_first(row, _NAMES).split()) or (spoken[0].title() if spoken else "")
    if not content:
        found.warn(where, 0, "has no text and was left out; write some, then import again")
        return
    name = name or f"Entry {len(builder.entries) + 1}"
    kind = guess_type(name, [*spoken, *_words(row, _SECOND)])
    if kind is None:
        kind = "culture"
        found.warn(
            where,
            0,
            f"`{name}` is filed under culture, since a lorebook names no type; set `type:`",
        )
    off = any(row.get(key) is value for key, value in _OFF.items())
    if off:
        found.warn(where, 0, f"`{name}` was switched off, so it is kept for the game master only")
    local = builder.free_id(name)
    builder.add(
        local,
        kind,
        name,
        body=content.replace("\r\n", "\n").replace("\r", "\n"),
        aliases=[key for key in spoken if slug(key) != slug(name)],
        tags=_words(row, _SECOND),
        gm_only=off,
        extra=_keep({key: value for key, value in row.items() if key not in _TEXT}, where, found),
    )


def _whole_characters(data: Any) -> Any:
    """The same without halves of characters, which JSON can spell and no text file can hold."""
    return json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


def _keep(fields: Mapping[str, Any], where: str, found: Findings) -> dict[str, Any]:
    """Fields of theirs, for the frontmatter's `extra`; what a head cannot hold is kept as JSON text
    or named."""
    kept: dict[str, Any] = {}
    for key, value in fields.items():
        text = json.dumps(value, ensure_ascii=False)
        if len(text) > _MAX_FIELD:
            found.warn(
                where, 0, f"the field `{key}` is too large to keep; it stays in the lorebook only"
            )
        else:
            kept[key] = text if isinstance(value, dict | list) and _depth(value) > 8 else value
    return {"lorebook": kept} if kept else {}


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _words(row: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    for key in keys:
        value = row.get(key)
        if isinstance(value, str):
            value = value.split(",")
        if isinstance(value, list) and value:
            words = [
                " ".join(word.split()) for word in value if isinstance(word, str) and word.strip()
            ]
            return list(dict.fromkeys(words))
    return []


_PLACES = [
    "forest",
    "wood",
    "woods",
    "glade",
    "lake",
    "river",
    "mountain",
    "mountains",
    "valley",
    "village",
    "castle",
    "tower",
    "inn",
    "tavern",
    "street",
    "sea",
    "island",
    "temple",
    "cave",
    "desert",
    "swamp",
    "harbor",
    "harbour",
    "port",
    "kingdom",
    "empire",
    "land",
    "world",
    "realm",
]


def guess_type(name: str, words: list[str]) -> EntryType | None:
    """A type from the words of a name and its keys, where one of them speaks plainly."""
    for phrase in (name, *words):
        for word in reversed(slug(phrase).split("_")):
            if word in _PLACES:
                return "location"
            if kind := type_of(word):
                return kind
    return None

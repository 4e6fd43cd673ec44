"""Character cards (V1, V2, V3; PNG, JSON, charx) as packs and back. What we have no field for is
kept whole.

A card becomes a pack with one `npc` entry, its lorebook's entries beside it, and the card itself,
as it came, in `cards/`. Written out again, the card is the one that came with the entry's own text
laid over it.
"""

import base64
import binascii
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freeform.core.errors import BadFile, NotFound
from freeform.core.text import slug
from freeform.packs.folder.build import PackBuilder
from freeform.packs.formats.lorebook import add_rows, find_book
from freeform.packs.model import ContentPackManifest, Entry, Findings, License, Pack
from freeform.packs.verbs import Imported, counts_of

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_TEXT = 16 * 1024 * 1024
KEYWORDS = ("ccv3", "chara")
"""Where a PNG keeps its card; the first that is there wins."""
SECTIONS = {
    "Personality": "personality",
    "Scenario": "scenario",
    "First words": "first_mes",
    "How they speak": "mes_example",
    "GM: Notes of the author": "creator_notes",
    "GM: Instructions": "system_prompt",
}
NAMES = ("name", "char_name")
V2, V3 = "chara_card_v2", "chara_card_v3"


@dataclass(frozen=True)
class Card:
    """A card: the whole JSON document as it came, and the picture it came in, if any."""

    document: dict[str, Any]
    image: bytes = b""

    @property
    def data(self) -> dict[str, Any]:
        """The fields of the character, wherever the version keeps them."""
        inner = self.document.get("data")
        return inner if isinstance(inner, dict) else self.document

    @property
    def name(self) -> str:
        """The character's name."""
        return next(
            (" ".join(str(self.data[key]).split()) for key in NAMES if self.data.get(key)), ""
        )


def is_card(content: bytes) -> bool:
    """Whether it is a PNG, or JSON or charx with a card in it."""
    if content.startswith(SIGNATURE):
        return True
    try:
        read_card(content, "")
    except BadFile:
        return False
    return True


def read_card(content: bytes, file: str) -> Card:
    """The card in a file. BadFile says what is wrong with it."""
    if content.startswith(SIGNATURE):
        return _from_png(content, file)
    if content.startswith(b"PK"):
        return _from_charx(content, file)
    return Card(_document(content, file))


def _from_png(content: bytes, file: str) -> Card:
    texts: dict[str, bytes] = {}
    for kind, body in chunks(content, file):
        if kind in (b"tEXt", b"zTXt", b"iTXt"):
            keyword, _, rest = body.partition(b"\0")
            name = keyword.decode("latin-1").lower()
            if name in KEYWORDS:
                texts[name] = _text(kind, rest, file)
    for name in KEYWORDS:
        if name in texts:
            try:
                return Card(_document(base64.b64decode(texts[name], validate=False), file), content)
            except binascii.Error:
                raise BadFile(
                    file, f"its `{name}` text is no base64; export the card again"
                ) from None
    raise BadFile(file, "the picture holds no character card; export the card again as PNG")


def chunks(content: bytes, file: str) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG, each checked against its sum."""
    at = len(SIGNATURE)
    while at < len(content):
        if at + 12 > len(content):
            raise BadFile(file, "the picture ends in the middle of a chunk; copy it again")
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        if at + 12 + length > len(content):
            raise BadFile(file, "the picture ends in the middle of a chunk; copy it again")
        (wanted,) = struct.unpack(">I", content[at + 8 + length : at + 12 + length])
        if zlib.crc32(kind + body) != wanted:
            name = kind.decode("latin-1") if kind.isalpha() else "unnamed"
            raise BadFile(file, f"its `{name}` chunk is damaged; copy the picture again")
        yield kind, body
        at += 12 + length
        if kind == b"IEND":
            return


def _text(kind: bytes, rest: bytes, file: str) -> bytes:
    """The text of a chunk after its keyword."""
    if kind == b"tEXt":
        return rest
    if kind == b"zTXt":
        return _inflate(rest[1:], file)
    packed, rest = rest[:1] == b"\x01", rest[2:]
    text = rest.split(b"\0", 2)[-1]
    return _inflate(text, file) if packed else text


def _inflate(packed: bytes, file: str) -> bytes:
    inflating = zlib.decompressobj()
    try:
        text = inflating.decompress(packed, MOST_TEXT)
    except zlib.error:
        raise BadFile(file, "its card does not unpack; export it again") from None
    if inflating.unconsumed_tail:
        raise BadFile(file, f"its card unpacks to more than {MOST_TEXT // 1024 // 1024} MB")
    return text


def _from_charx(content: bytes, file: str) -> Card:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as zip, zip.open("card.json") as inside:
            text = inside.read(MOST_TEXT + 1)
    except KeyError:
        raise BadFile(file, "the archive holds no card.json; export the card again") from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError, OSError):
        raise BadFile(file, "the archive does not open; export the card again") from None
    if len(text) > MOST_TEXT:
        raise BadFile(file, f"its card.json is larger than {MOST_TEXT // 1024 // 1024} MB")
    return Card(_document(text, file))


def _document(text: bytes, file: str) -> dict[str, Any]:
    try:
        # Halves of characters, which JSON can spell and no text file can hold, are replaced.
        found = json.loads(
            json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8", "replace")
        )
    except (ValueError, RecursionError):
        raise BadFile(file, "its card does not read as JSON; export it again") from None
    card = Card(found) if isinstance(found, dict) else None
    known = ("description", "personality", "first_mes", "char_persona")
    told = card is not None and (
        card.document.get("spec") in (V2, V3)
        or any(isinstance(card.data.get(key), str) for key in known)
    )
    if card is None or not card.name or not told:
        raise BadFile(
            file, "holds no character: expected a `name` and a `description`; export the card again"
        )
    return card.document


def card_builder(card: Card, file: str, found: Findings) -> PackBuilder:
    """A builder with the character as an `npc`, and its lorebook's entries."""
    data, name = card.data, card.name
    builder = PackBuilder(
        ContentPackManifest(
            id=slug(name)[:64] or "character",
            name=name,
            version="1.0.0",
            layer="homebrew",
            license=License(
                type="custom", attribution=f"Imported from {file}; its author's terms apply."
            ),
            author=" ".join(str(data.get("creator") or "").split())[:200],
            tags=_words(data.get("tags")),
        )
    )
    local = builder.free_id(name)
    nick = str(data.get("nickname") or "").strip()
    builder.add(
        local,
        "npc",
        name,
        body=_tame(str(data.get("description") or data.get("char_persona") or "")) or f"{name}.",
        tags=_words(data.get("tags")),
        aliases=[nick] if nick and nick != name else [],
    )
    for heading, key in SECTIONS.items():
        if text := _tame(str(data.get(key) or "")):
            builder.add_section(local, heading, text, gm_only=heading.startswith("GM:"))
    if book := find_book(card.document):
        add_rows(builder, book, file, found)
    return builder


def import_card(content: bytes, file: str, folder: Path) -> Imported:
    """A card as a pack in `folder`, ready to be installed."""
    card, found = read_card(content, file), Findings()
    builder = card_builder(card, file, found)
    pack = builder.build(folder / builder.manifest.id)
    kept = Path(pack.path) / "cards"
    kept.mkdir(exist_ok=True)
    local = builder.entries[0].local_id
    (kept / f"{local}.json").write_text(
        json.dumps(card.document, ensure_ascii=False, indent=1), encoding="utf-8"
    )
    if card.image:
        (kept / f"{local}.png").write_bytes(card.image)
    result = found.result()
    return Imported(
        kind="card",
        id=pack.id,
        version=pack.manifest.version,
        path=pack.path,
        counts=counts_of([entry.type for entry in pack.entries]),
        errors=[*result.errors, *pack.errors],
        warnings=[*result.warnings, *pack.warnings],
    )


def export_card(pack: Pack, local_id: str) -> Card:
    """An `npc` of a pack as a card: the one it came with, if any, with the entry's text laid over
    it."""
    entry = pack.entry(local_id)
    if entry is None or entry.type != "npc":
        raise NotFound(
            f"{pack.id} has no character '{local_id}'; `pack info {pack.id}` lists what it has"
        )
    kept = Path(pack.path) / "cards" / f"{entry.local_id}.json"
    empty = {key: "" for key in ("description", "character_version", "creator", *SECTIONS.values())}
    data = {**empty, "extensions": {}, "tags": entry.tags, "alternate_greetings": []}
    blank: dict[str, Any] = {"spec": V2, "spec_version": "2.0", "data": data}
    document = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else blank
    picture = kept.with_suffix(".png")
    card = Card(document, picture.read_bytes() if picture.is_file() else b"")
    _lay_over(card.data, entry)
    return card


def _lay_over(data: dict[str, Any], entry: Entry) -> None:
    """Sets only what the entry says otherwise, so that a card nobody touched goes out as it
    came."""
    told = {"name": entry.name}
    for section in entry.sections:
        key = "description" if section.level == 1 else SECTIONS.get(section.heading)
        if key:
            told[key] = section.text.strip()
    for key, text in told.items():
        if _tame(str(data.get(key) or "")) != _tame(text) and text != f"{entry.name}.":
            data[key] = text


def to_json(card: Card) -> bytes:
    """The card as a JSON file."""
    return json.dumps(card.document, ensure_ascii=False, indent=1).encode()


def to_png(card: Card) -> bytes:
    """The card in its picture, in the place of the one that was there; BadFile without a
    picture."""
    if not card.image:
        raise BadFile(card.name, "came without a picture; export it as JSON")
    text = base64.b64encode(json.dumps(card.document, ensure_ascii=False).encode())
    word = b"ccv3" if card.document.get("spec") == V3 else b"chara"
    out = [SIGNATURE]
    for kind, body in chunks(card.image, card.name):
        ours = kind in (b"tEXt", b"zTXt", b"iTXt") and body.partition(b"\0")[0].lower() in (
            b"chara",
            b"ccv3",
        )
        if kind == b"IEND":
            out.append(_chunk(b"tEXt", word + b"\0" + text))
        if not ours:
            out.append(_chunk(kind, body))
    return b"".join(out)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _words(value: Any) -> list[str]:
    words = value if isinstance(value, list) else []
    return list(dict.fromkeys(" ".join(str(word).split()) for word in words if str(word).strip()))[
        :50
    ]


def _tame(text: str) -> str:
    """The text without headings of its own, which would cut the entry into other sections."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(f"\\{line}" if line.startswith("#") else line for line in lines).strip()

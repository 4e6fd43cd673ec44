"""Packs: what is on the shelf, putting one there and taking it away, searching, making new ones."""

from pathlib import Path
from typing import Literal

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.engine.authored.library import systems
from freeform.engine.shelf import pack_install
from freeform.engine.shelf.pack_install import Shelving
from freeform.packs.formats.card import export_card, to_json, to_png
from freeform.packs.model import LAYERS, PackValidation
from freeform.packs.verbs import Imported as WrittenPack
from freeform.packs.verbs import PackInfo, PackList, Scaffolded, pack_import, pack_new
from freeform.retrieval.indexing import Progress
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Viewer
from freeform.services.house import House
from freeform.settings import Settings


class CardFile(Record):
    """A character as a card that other programs read."""

    name: str
    media_type: str
    content: bytes


def has_meaning(house: House) -> bool:
    """Whether passages are found by meaning too, and not by words alone."""
    return house.books.embedder is not None


class SystemRow(Record):
    """A family of games: rules to play with, and how its books are read."""

    id: str
    name: str
    inherits: str | None = None


def list_systems(settings: Settings) -> list[SystemRow]:
    """Every rules system one can play with, the ones taken out of books too."""
    rows = systems(settings.home)
    return [SystemRow(id=row.id, name=row.name, inherits=row.inherits) for row in rows]


async def list_packs(house: House) -> PackList:
    """Every version of every pack at hand."""
    return await pack_install.listed(house.books)


async def pack_info(house: House, pack: str, version: str = "*") -> PackInfo:
    """One pack: its manifest and what is in it."""
    return await pack_install.info(house.books, pack, version)


def validate_path(house: House, path: Path) -> PackValidation:
    """What is wrong with a pack somewhere on this machine, with file, line and fix."""
    return pack_install.validate(house.books, path)


def validate_pack(house: House, pack: str) -> PackValidation:
    """What is wrong with a pack on the shelf."""
    return pack_install.validate(house.books, Path(house.books.shelf.find(pack).path))


async def install_pack(
    house: House, path: Path, *, strict: bool = False, progress: Progress | None = None
) -> Shelving:
    """Puts a pack, a folder of notes or a lorebook on the shelf, and indexes it."""
    return await pack_install.install(house.books, path, progress, strict=strict)


async def remove_pack(
    house: House, pack: str, version: str = "*", *, force: bool = False
) -> Shelving:
    """Takes a pack from the shelf; refused while a campaign plays with it."""
    return await pack_install.remove(house.books, pack, version, force=force)


async def reindex_pack(house: House, pack: str, progress: Progress | None = None) -> Shelving:
    """Makes a pack's index anew."""
    return await pack_install.reindex(house.books, pack, progress)


async def search_packs(
    house: House,
    query: LoreRetrievalQuery,
    viewer: str = "",
    campaign: str = "",
    progress: Progress | None = None,
) -> LoreRetrievalResult:
    """Passages that fit, of all packs, or of a campaign's packs and history.

    The viewer is `player`, `gm` or `npc:ID`; nobody named is a player in a campaign, else the GM.
    """
    eyes = _viewer(viewer or ("player" if campaign else "gm"))
    store = house.table.store if campaign else None
    return await pack_install.search(
        house.books, query, eyes, progress, campaign=campaign, store=store
    )


def _viewer(text: str) -> Viewer:
    is_npc = text.startswith("npc:") and text != "npc:"
    if text not in ("player", "gm") and not is_npc:
        raise UserError(f"'{text}' is nobody; --as takes player, gm or npc:ID")
    return Viewer.parse(text)


def new_pack(folder: Path, pack: str, *, name: str = "", layer: str = "homebrew") -> Scaffolded:
    """Writes a small valid pack to begin from."""
    for known in LAYERS:
        if known == layer:
            return pack_new(folder, pack, name=name, layer=known)
    raise UserError(f"no layer '{layer}'; it is one of {', '.join(LAYERS)}")


def notes_as_pack(path: Path, folder: Path, *, pack: str = "", name: str = "") -> WrittenPack:
    """Writes notes or a lorebook as a pack, to be looked over and installed."""
    return pack_import(path, folder, pack_id=pack, name=name)


def character_card(
    house: House, pack: str, entry: str, format: Literal["json", "png"] = "json"
) -> CardFile:
    """A character of a pack as a card, with every field it came with."""
    shelf = house.books.shelf
    card = export_card(shelf.load(shelf.find(pack)), entry)
    name = f"{entry.rpartition(':')[2]}.{format}"
    if format == "png":
        return CardFile(name=name, media_type="image/png", content=to_png(card))
    return CardFile(name=name, media_type="application/json", content=to_json(card))

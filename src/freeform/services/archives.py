"""Everything out and everything in: a campaign as a file; a file of any kind, by its content."""

import tempfile
import zipfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from pydantic import Field

from freeform import wiring
from freeform.core.errors import BadFile, Conflict, UserError
from freeform.core.record import Record
from freeform.core.text import slug
from freeform.engine.campaign.archive import export_jsonl, export_vault, export_zip
from freeform.engine.campaign.notes import file_name
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER
from freeform.packs.lock import write_atomically
from freeform.services.arrivals import bring
from freeform.services.arrivals.bring import Arrival, BroughtIn
from freeform.services.arrivals.kinds import Kind, kind_of_arrival
from freeform.services.arrivals.unzip import unzip
from freeform.services.campaigns import campaign_view, map_view, table_view, world_view
from freeform.services.house import House
from freeform.services.pictures.carried import add_pictures
from freeform.services.pictures.kept import illustrated, shown_picture
from freeform.services.pictures.kept import read_picture as read_file
from freeform.services.pictures.seen import seen_pictures
from freeform.services.stories.cards import read_card
from freeform.services.stories.portraits import portrait_files
from freeform.services.table.sight import house_of_a_hero
from freeform.services.views.book import StoryText, story_page
from freeform.services.views.epub import story_epub
from freeform.services.views.in_character import in_character
from freeform.services.views.share import SharedStory, share_page
from freeform.services.views.story import story

_UNPACKED_PER_MB = 8_000_000
"""An archive may unpack to eight times the largest file that is taken."""


class Format(StrEnum):
    """How a campaign leaves: everything in one file, notes, the log, a page or a book to read, a
    page to show to others."""

    zip = "zip"
    obsidian = "obsidian"
    jsonl = "jsonl"
    html = "html"
    epub = "epub"
    share = "share"


class Exported(Record):
    """A campaign that was written out. Warnings name books it quotes that are not for others."""

    kind: Format
    campaign: str
    path: str
    counts: dict[str, int]
    warnings: list[str] = Field(default_factory=list)


class CampaignFile(Record):
    """A campaign as one file to be sent."""

    name: str
    content: bytes


_ENDINGS = {
    Format.zip: "zip",
    Format.obsidian: "obsidian.zip",
    Format.jsonl: "jsonl",
    Format.html: "html",
    Format.epub: "epub",
    Format.share: "share.html",
}
STORY_ALONE = frozenset({Format.html, Format.epub, Format.share})
"""What holds nothing but what was told at the table."""


async def export_campaign(house: House, campaign: str, path: Path, format: Format) -> Exported:
    """Writes a campaign out: all of it, what the player knows as notes, or its log."""
    match format:
        case Format.zip:
            files = wiring.campaign_files(house.settings)
            name = read_card(house.settings.home, campaign).name
            counts = await export_zip(campaign, path, house.table, files, name=name)
            add_pictures(house.settings.home, campaign, path)
        case Format.obsidian:
            counts = await export_vault(campaign, path, house.table)
            await _note_pictures(house, campaign, path)
        case Format.jsonl:
            counts = await export_jsonl(campaign, path, house.table)
        case Format.html | Format.epub | Format.share:
            counts = await _export_story(house, campaign, path, format)
    return Exported(
        kind=format,
        campaign=campaign,
        path=str(path),
        counts=counts,
        warnings=await _private_books(house, campaign),
    )


async def _note_pictures(house: House, campaign: str, folder: Path) -> None:
    """Pictures beside the notes, and a note that shows them."""
    rows = await seen_pictures(house, campaign)
    for row in rows:
        content = read_file(house.settings.home, campaign, row.id)
        write_atomically(folder / "Pictures" / f"{row.id}.jpg", content)
    lines = [
        f"## {file_name(row.name)} (turn {row.turn_no})\n\n![[{row.id}.jpg]]\n" for row in rows
    ]
    if lines:
        write_atomically(folder / "Pictures.md", "\n".join(["# Pictures\n", *lines]).encode())


async def _export_story(house: House, campaign: str, path: Path, format: Format) -> dict[str, int]:
    """The story to read, as one page, as a book, or to be shown to others: what was tried and told
    on the active branch, dice, and the map."""
    if format is Format.share:
        house = await house_of_a_hero(house, campaign)
    text = await _story_text(house, campaign)
    match format:
        case Format.epub:
            page = story_epub(text)
        case Format.share:
            page = share_page(await _shared_story(house, campaign, text)).encode()
        case _:
            page = story_page(text).encode()
    try:
        write_atomically(path, page)
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be written").lower()
        raise BadFile(str(path), f"{reason}; choose another place") from None
    return {"turns": len(text.turns)}


async def _story_text(house: House, campaign: str) -> StoryText:
    store = house.table.store
    state = await store.get_state(campaign)
    turns = story(await store.read(campaign), {}, state)
    view = await campaign_view(house, campaign)
    pictures = await seen_pictures(house, campaign)
    return StoryText(
        name=view.name,
        hero=state.name(PLAYER),
        opening=view.opening,
        turns=illustrated(turns, pictures, campaign),
        map=await map_view(house, campaign),
        opening_pictures=[shown_picture(row, campaign) for row in pictures if not row.turn_id],
        files={row.id: read_file(house.settings.home, campaign, row.id) for row in pictures},
    )


async def _shared_story(house: House, campaign: str, text: StoryText) -> SharedStory:
    """The story with what its hero knows: the player's own view of table and world, no more."""
    store = house.table.store
    state = await store.get_state(campaign)
    rules = Rules.of(await store.begun(campaign)).knowing(state)
    table = await table_view(house, campaign)
    faces = portrait_files(house.settings.home, state, rules)
    for row in await seen_pictures(house, campaign):
        if row.kind == "person" and row.id in text.files:  # not one that was drawn meanwhile
            faces[row.name] = text.files[row.id]
    turns = in_character(text.turns, await store.read(campaign))
    return SharedStory(
        **{**dict(text), "turns": turns},
        concept=table.hero.concept,
        entities=(await world_view(house, campaign)).entities,
        facts=table.facts,
        open_threads=[thread.title for thread in table.threads if thread.status == "active"],
        faces=faces,
    )


async def campaign_file(house: House, campaign: str, format: Format) -> CampaignFile:
    """The same as one file; notes are zipped."""
    with tempfile.TemporaryDirectory(prefix="freeform-export-") as scratch:
        path = Path(scratch) / "out"
        await export_campaign(house, campaign, path, format)
        if path.is_dir():
            path = _zipped(path, Path(scratch) / "notes.zip", campaign)
        return CampaignFile(name=f"{campaign}.{_ENDINGS[format]}", content=path.read_bytes())


def _zipped(folder: Path, to: Path, top: str) -> Path:
    """The files of a folder as a zip, under one folder named `top`."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as zip:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                zip.write(file, f"{top}/{file.relative_to(folder).as_posix()}")
    return to


async def _private_books(house: House, campaign: str) -> list[str]:
    """A warning for each pack of a campaign that is marked private: what was played quotes it."""
    held = (await house.table.store.begun(campaign)).packs
    if not held:
        return []
    private: set[str] = set()
    for shelved in house.books.shelf.packs():
        if shelved.manifest.id in held and "private" in shelved.manifest.tags:
            private.add(shelved.manifest.id)
    return [
        f"{name} came from a book without a known licence: keep this file to your own table"
        for name in sorted(private)
    ]


async def import_file(house: House, arrival: Arrival) -> BroughtIn:
    """Brings in whatever it is, found by its content. What is wrong is said of the name it has."""
    with tempfile.TemporaryDirectory(prefix="freeform-import-") as scratch:
        places = {scratch: arrival.name, str(arrival.path): arrival.name}
        with _named(places):
            try:
                return await _import(house, arrival, Path(scratch))
            except OSError as wrong:
                reason = (wrong.strerror or "it cannot be read").lower()
                raise BadFile(arrival.name, f"{reason}; check the file, and the disk") from None


async def _import(house: House, arrival: Arrival, scratch: Path) -> BroughtIn:
    kind = kind_of_arrival(arrival.path)
    if kind == "zip":
        return await _import_zipped(house, arrival, scratch)
    if kind in ("pack", "vault", "lorebook"):
        return await bring.bring_pack(house, arrival)
    return await _BRING[kind](house, arrival)


async def _import_zipped(house: House, arrival: Arrival, scratch: Path) -> BroughtIn:
    """What an archive holds. A vault without a folder of its own is called after the archive."""
    work = scratch / (slug(arrival.stem) or "vault")
    work.mkdir()
    folder = unzip(arrival.path, work, house.settings.serve_upload_mb * _UNPACKED_PER_MB)
    unpacked = replace(arrival, path=folder)
    found = kind_of_arrival(folder)
    if found in ("rulebook", "notes"):
        return await _BRING[found](house, unpacked)
    return await bring.bring_pack(house, unpacked, arrival.stem)


_BRING: dict[Kind, Callable[[House, Arrival], Awaitable[BroughtIn]]] = {
    "campaign": bring.bring_campaign,
    "log": bring.bring_log,
    "card": bring.bring_card,
    "character": bring.bring_character,
    "rulebook": bring.bring_rulebook,
    "chat": bring.bring_chat,
    "notes": bring.bring_notes,
    "scenario": bring.bring_scenario,
}


@contextmanager
def _named(places: dict[str, str]) -> Iterator[None]:
    """Whatever goes wrong speaks of the file as its sender calls it, and of no place of ours."""

    def told(text: str) -> str:
        for place, name in places.items():
            text = text.replace(place, name)
        return text

    try:
        yield
    except BadFile as wrong:
        raise BadFile(told(wrong.file), told(wrong.reason), wrong.line) from None
    except (UserError, Conflict) as wrong:
        raise type(wrong)(told(str(wrong))) from None

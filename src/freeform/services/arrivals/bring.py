"""Bringing one thing in, whatever its kind: one function for each, and the record of what came."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from freeform import wiring
from freeform.assistant.notes.chat import chat_notes
from freeform.assistant.notes.shelf import NotesShelf
from freeform.assistant.rulebook.bring import manifest_of, read_rulebook, write_rulebook
from freeform.assistant.sheet.shelf import SheetPreview, SheetShelf
from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.core.text import slug
from freeform.core.yamlfile import write_mapping
from freeform.engine.authored.from_card import scenario_of_card
from freeform.engine.authored.library import load_scenario, scenario_files
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.archive import import_log, import_zip, name_in_zip
from freeform.engine.proof.check import check_file
from freeform.engine.shelf import pack_install
from freeform.engine.shelf.pack_install import Shelving
from freeform.packs.folder.files import digest_of, list_files
from freeform.packs.formats.card import import_card, read_card
from freeform.packs.formats.card_story import story_of
from freeform.packs.lock import write_atomically
from freeform.packs.model import Findings
from freeform.retrieval.indexing import Progress
from freeform.services.arrivals.kinds import BroughtKind
from freeform.services.house import House
from freeform.services.pictures.carried import take_pictures
from freeform.services.stories.cards import StoryCard, write_card
from freeform.services.stories.portraits import keep_portrait

_MOST_WARNINGS = 50


class BookFacts(Record):
    """What a rulebook says of itself."""

    edition: str
    source: str
    license: str


class BroughtIn(Record):
    """What was brought in. `id` names it from now on; the rest is there where the kind has it."""

    kind: BroughtKind
    id: str
    counts: dict[str, int]
    warnings: list[str] = Field(default_factory=list)
    pack: Shelving | None = None
    sheet: SheetPreview | None = None
    book: BookFacts | None = None
    path: str = ""
    scenario: str = ""
    """The id of what can be played at once, where it makes something playable."""


@dataclass(frozen=True)
class Arrival:
    """Something to bring in: where it lies, what its sender calls it, and what is wished for it."""

    path: Path
    name: str
    """The name of its file, from which a nameless thing gets its own."""
    campaign: str = ""
    """The campaign's id, if it is a campaign; else the one that it had."""
    id: str = ""
    """The id of a sheet, a rulebook or a chat; else one is made from its name."""
    progress: Progress | None = None

    @property
    def stem(self) -> str:
        """The name of its file without its ending."""
        return Path(self.name).stem


async def bring_campaign(house: House, arrival: Arrival) -> BroughtIn:
    """An archive of a whole campaign."""
    files = wiring.campaign_files(house.settings)
    wanted = arrival.campaign or None
    id, counts = await import_zip(arrival.path, wanted, house.table, files)
    name = name_in_zip(arrival.path)
    if name != (await house.table.store.begun(id)).name:
        write_card(house.settings.home, id, StoryCard(name=name))
    left = await asyncio.to_thread(take_pictures, house.settings.home, id, arrival.path)
    return BroughtIn(kind="campaign", id=id, counts=counts, warnings=left[:_MOST_WARNINGS])


async def bring_log(house: House, arrival: Arrival) -> BroughtIn:
    """The log of a campaign's branch."""
    wanted = arrival.campaign or slug(arrival.stem) or "campaign"
    id, counts = await import_log(arrival.path, wanted, house.table)
    return BroughtIn(kind="campaign", id=id, counts=counts)


async def bring_pack(house: House, arrival: Arrival, title: str = "") -> BroughtIn:
    """A pack, a folder of notes or a lorebook."""
    done = await pack_install.install(house.books, arrival.path, arrival.progress, name=title)
    return BroughtIn.model_validate(
        {
            "kind": done.kind,
            "id": done.id,
            "counts": _counts(done),
            "warnings": _warnings(done),
            "pack": done,
        }
    )


async def bring_card(house: House, arrival: Arrival) -> BroughtIn:
    """A card is a pack, whose character can be met in play, a sheet, which can be asked, and a
    scenario that begins with its first message."""
    content = arrival.path.read_bytes()
    found = _preview(house, content, arrival)
    with tempfile.TemporaryDirectory(prefix="freeform-card-") as scratch:
        made = import_card(content, Path(arrival.name).name, Path(scratch))
        done = await pack_install.install(house.books, Path(made.path), arrival.progress)
    _sheets(house).keep(content, found)
    card = read_card(content, Path(arrival.name).name)
    story = story_of(card)
    scenario = keep_scenario(house.settings.home, scenario_of_card(story, pack=done.id))
    left = [f"not taken: {reason}" for reason in story.not_taken]
    if card.image:
        home, file = house.settings.home, Path(arrival.name).name
        left += filter(None, [keep_portrait(home, done.id, card.name, card.image, file)])
    if story.greetings:
        left.append(f"{len(story.greetings)} other greetings are kept with the card")
    return BroughtIn(
        kind="card",
        id=done.id,
        counts={**_counts(done), "characters": 1, "scenarios": 1, "lore": len(story.lore)},
        warnings=[*_warnings(done), *left],
        pack=done,
        sheet=found,
        scenario=scenario,
    )


async def bring_scenario(house: House, arrival: Arrival) -> BroughtIn:
    """A scenario, ours or in the older form; refused with its first mistake if it does not read."""
    home = house.settings.home
    scenario = load_scenario(str(arrival.path), home)
    report = await asyncio.to_thread(check_file, arrival.path, home, play=False)
    id = keep_scenario(home, scenario)
    counts = {
        "places": len(scenario.places),
        "people": len(scenario.people),
        "endings": len(scenario.endings),
    }
    warnings = [f"{each.severity}: {each.message}" for each in report.findings[:_MOST_WARNINGS]]
    return BroughtIn(kind="scenario", id=id, counts=counts, warnings=warnings, scenario=id)


def keep_scenario(home: Path, scenario: Scenario) -> str:
    """Writes a scenario where the shelf finds it, under its id or the next that is free."""
    data = scenario.model_dump(mode="json", exclude_unset=True)
    id, number = slug(scenario.id) or "story", 1
    known = scenario_files(home)
    while (f"{id}_{number}" in known and number > 1) or (number == 1 and id in known):
        same = load_scenario(id if number == 1 else f"{id}_{number}", home)
        if same.model_copy(update={"id": scenario.id}) == scenario:
            return same.id
        number += 1
    free = id if number == 1 else f"{id}_{number}"
    place = home / "scenarios" / f"{free}.yaml"
    write_atomically(place, write_mapping({**data, "id": free}).encode())
    return free


async def bring_character(house: House, arrival: Arrival) -> BroughtIn:
    """A character sheet of another program."""
    content = arrival.path.read_bytes()
    found = _preview(house, content, arrival)
    _sheets(house).keep(content, found)
    items = found.sheet.inventory_info.items
    counts = {"numbers": len(found.sheet.derived), "items": len(items)}
    return BroughtIn(
        kind="character", id=found.id, counts=counts, warnings=found.missing, sheet=found
    )


async def bring_rulebook(house: House, arrival: Arrival) -> BroughtIn:
    """A book of rules, as a pack that questions are answered from."""
    book = read_rulebook(arrival.path)
    books, wanted = house.books, slug(arrival.id)
    taken = wanted or manifest_of(book).id
    with tempfile.TemporaryDirectory(prefix="freeform-rules-") as scratch:
        folder = write_rulebook(book, Path(scratch), wanted)
        same = [shelved for shelved in books.shelf.packs() if shelved.manifest.id == taken]
        if same and books.shelf.digest(same[0]) != digest_of(list_files(folder, Findings())):
            raise UserError(
                f"the rulebook {taken} is there already, from another source; take it away first "
                f"(freeform-rpg pack remove {taken}), or keep both with --id {taken}_2"
            )
        done = await pack_install.install(books, folder, arrival.progress)
    kinds: Mapping[str, int] = Counter(entry.kind for entry in book.entries)
    return BroughtIn(
        kind="rulebook",
        id=done.id,
        counts={"entries": done.entries, "chunks": done.chunks, **kinds},
        warnings=book.notes,
        pack=done,
        book=BookFacts(edition=book.edition, source=book.source, license=book.license),
    )


async def bring_chat(house: House, arrival: Arrival) -> BroughtIn:
    """A chat of another program, as a folder of notes that questions are answered from."""
    content = arrival.path.read_bytes()
    found, text, messages = chat_notes(content, Path(arrival.name).name)
    id = slug(arrival.id) or found
    place = house.settings.home / "notes" / id / "chat.md"
    try:
        write_atomically(place, text.encode())
        write_atomically(place.with_name("chat.jsonl"), content)
    except OSError as wrong:
        raise UserError(
            f"the notes could not be kept in {place.parent}: {wrong.strerror}; make room"
        ) from None
    return BroughtIn(kind="chat", id=id, counts={"messages": messages}, path=str(place.parent))


async def bring_notes(house: House, arrival: Arrival) -> BroughtIn:
    """A group's notes: kept as they are, to be asked through every door."""
    row = NotesShelf(house.settings.home).keep(arrival.path, arrival.id or arrival.stem)
    counts = {"notes": row.notes, "sessions": row.sessions}
    place = house.settings.home / "notes" / row.id
    return BroughtIn(kind="notes", id=row.id, counts=counts, path=str(place))


def _preview(house: House, content: bytes, arrival: Arrival) -> SheetPreview:
    now = house.table.clock.now().isoformat(timespec="seconds")
    return _sheets(house).preview(content, Path(arrival.name).name[:120], now, arrival.id)


def _sheets(house: House) -> SheetShelf:
    return SheetShelf(house.settings.home)


def _counts(done: Shelving) -> dict[str, int]:
    return {"entries": done.entries, "chunks": done.chunks, "tokens": done.tokens}


def _warnings(done: Shelving) -> list[str]:
    problems = [*done.errors, *done.warnings]
    return [str(problem) for problem in problems[:_MOST_WARNINGS]]

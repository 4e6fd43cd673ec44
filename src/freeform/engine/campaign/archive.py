"""A campaign out of the house and back: one zip with everything, its log, or notes in Markdown."""

import json
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from pydantic import Field, ValidationError

from freeform.core.errors import BadFile, Conflict, UserError
from freeform.core.record import Record
from freeform.core.text import slug
from freeform.engine.campaign.notes import vault
from freeform.engine.log import Begun, Entry, Logged
from freeform.engine.table import Table

FORMAT = "freeform-campaign"
VERSION = 1
MANIFEST, LOG, DATABASE = "manifest.json", "log.jsonl", "table.db"
PICTURES = "pictures/"
"""Where an archive has its pictures; whoever brings it in looks at each of them."""
MOST_BYTES = {MANIFEST: 1_000_000, LOG: 2_000_000_000, DATABASE: 4_000_000_000}
MOST_TIMES_SMALLER = 400
"""A file that packs better than this is a bomb; our own logs pack about 20 to 1."""
PIECE = 1_000_000


class Manifest(Record):
    """What an archive says of itself."""

    format: str = FORMAT
    version: int = VERSION
    campaign: str
    name: str
    scenario: str
    counts: dict[str, int] = Field(default_factory=dict)


class HeldAgainst(Record):
    """A copy of a campaign held against another one."""

    entries: int
    """How many entries it has."""
    difference: str = ""
    """Where the two differ first; '' when all is the same."""
    is_behind: bool = False
    """The other one holds nothing that this one has not."""


class CampaignFiles(Protocol):
    """Copies a campaign's own file while it may be in use, and takes one in."""

    def copy_out(self, campaign: str, to: Path) -> None:
        """A whole and unmoving copy."""
        ...

    def take_in(self, file: Path, campaign: str, taken_as: str) -> None:
        """Puts a copy of `campaign` on the shelf under another or the same id.

        BadFile if it is not sound.
        """
        ...

    def take_out(self, campaign: str) -> None:
        """Takes the campaign from the shelf; its card and its table's people stay."""
        ...

    def remove(self, campaign: str) -> None:
        """Takes a campaign and its folder away, for good."""
        ...


async def export_zip(
    campaign: str, path: Path, table: Table, files: CampaignFiles, *, name: str = ""
) -> dict[str, int]:
    """Everything: the file with all branches, takes and tapes, and the log in a form anyone can
    read. `name`: what its owner calls it, where that is not the name it began with."""
    begun = await table.store.begun(campaign)
    logged = await table.store.read(campaign)
    counts = await _counts(campaign, logged, table)
    manifest = Manifest(
        campaign=campaign, name=name or begun.name, scenario=begun.scenario.id, counts=counts
    )

    def write(to: Path) -> None:
        with TemporaryDirectory() as folder:
            copy = Path(folder) / DATABASE
            files.copy_out(campaign, copy)
            with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as zip:
                zip.writestr(MANIFEST, manifest.model_dump_json(indent=1))
                zip.writestr(LOG, json_lines(logged))
                zip.write(copy, DATABASE)

    _safely(path, write)
    return counts


async def export_jsonl(campaign: str, path: Path, table: Table) -> dict[str, int]:
    """The log of the active branch, one entry on each line."""
    logged = await table.store.read(campaign)
    _safely(path, lambda to: to.write_text(json_lines(logged), encoding="utf-8"))
    return await _counts(campaign, logged, table)


async def export_vault(campaign: str, path: Path, table: Table) -> dict[str, int]:
    """A folder of Markdown notes on what the player knows; opens as it is in Obsidian."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UserError(f"{path} is there already; give a new or an empty folder")
    begun = await table.store.begun(campaign)
    state = await table.store.get_state(campaign)
    notes = vault(begun, state, await table.store.read(campaign))
    for name, text in notes.items():
        file = path / name
        _try_to_write(file, partial(_write_note, text=text))
    return {"notes": len(notes)}


def _write_note(file: Path, text: str) -> None:
    _with_folder(file).write_text(text, encoding="utf-8")


async def import_zip(
    path: Path, wanted: str | None, table: Table, files: CampaignFiles
) -> tuple[str, dict[str, int]]:
    """Brings an archive of ours in. Nothing is unpacked that an archive of ours does not hold."""
    with TemporaryDirectory() as folder, _opened(path) as zip:
        manifest = _manifest(path, zip)
        name = wanted or manifest.campaign
        if name in {row.id for row in await table.store.campaigns()}:
            raise Conflict(
                f"there is a campaign '{name}' already; bring this one in with `--campaign NEW_ID`"
            )
        file = Path(folder) / DATABASE
        with file.open("wb") as out:
            _copy(path, zip, DATABASE, out.write)
        files.take_in(file, manifest.campaign, name)
    return name, await _counts(name, await table.store.read(name), table)


def name_in_zip(path: Path) -> str:
    """What the owner of an archive of ours called the campaign in it."""
    with _opened(path) as zip:
        return _manifest(path, zip).name


def is_log(path: Path) -> bool:
    """Whether a file is the log that `export --format jsonl` writes, by its first line."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        try:
            first = json.loads(file.readline(MOST_BYTES[MANIFEST]))
        except ValueError:
            return False
    entry = first.get("entry") if isinstance(first, dict) else None
    return isinstance(entry, dict) and entry.get("kind") == "begun"


async def import_log(path: Path, wanted: str | None, table: Table) -> tuple[str, dict[str, int]]:
    """Brings a log in: the turns of one branch as they were, without the tapes, which a log does
    not hold."""
    name = wanted or slug(path.stem) or "campaign"
    entries: list[Entry] = []
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                entries.append(Logged.model_validate_json(line).entry)
            except ValidationError:
                raise BadFile(
                    str(path), "is no entry of a campaign's log; export it again", number
                ) from None
    begun, *rest = entries
    if not isinstance(begun, Begun) or any(isinstance(entry, Begun) for entry in rest):
        raise BadFile(str(path), "a log begins once, on its first line; export it again", 1)
    head = await table.store.create(name, begun)
    await table.store.append(name, rest, after=head)
    return name, await _counts(name, await table.store.read(name), table)


def json_lines(logged: list[Logged]) -> str:
    """Entries as JSON, one on each line."""
    return "".join(f"{entry.model_dump_json()}\n" for entry in logged)


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        zip = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise UserError(f"there is no file {path}") from None
    except (zipfile.BadZipFile, OSError):
        raise BadFile(str(path), "is no archive made by `freeform-rpg export`") from None
    parts = [name for name in zip.namelist() if not name.startswith(PICTURES)]
    strange = sorted(set(parts) - set(MOST_BYTES))
    if strange or len(parts) != len(MOST_BYTES):
        zip.close()
        what = f"holds '{strange[0][:60]}'" if strange else "lacks a part"
        raise BadFile(
            str(path), f"{what}, so it was not made by `freeform-rpg export`; nothing was unpacked"
        )
    return zip


def _manifest(path: Path, zip: zipfile.ZipFile) -> Manifest:
    pieces: list[bytes] = []
    _copy(path, zip, MANIFEST, pieces.append)
    try:
        data: Any = json.loads(b"".join(pieces))
        if (
            isinstance(data, dict)
            and data.get("format") == FORMAT
            and data.get("version", 0) > VERSION
        ):
            raise UserError(
                f"{path} was made by a newer Freeform RPG; update this one, then import it"
            )
        manifest = Manifest.model_validate(data)
    except (ValueError, ValidationError):
        raise BadFile(str(path), f"its {MANIFEST} does not read") from None
    if manifest.format != FORMAT:
        raise BadFile(str(path), "is no archive of a campaign")
    return manifest


def _copy(path: Path, zip: zipfile.ZipFile, name: str, write: Callable[[bytes], Any]) -> None:
    """Unpacks one part piece by piece, within its limits; what its header claims is not
    believed."""
    entry = zip.getinfo(name)
    most = min(MOST_BYTES[name], max(PIECE, entry.compress_size * MOST_TIMES_SMALLER))
    seen = 0
    try:
        with zip.open(entry) as source:
            for piece in iter(lambda: source.read(PIECE), b""):
                seen += len(piece)
                if seen > most:
                    raise BadFile(
                        str(path),
                        f"its {name} unpacks to more than {most:,} bytes; it was not imported",
                    )
                write(piece)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as wrong:
        raise BadFile(str(path), f"its {name} is damaged ({wrong}); export it again") from None


async def _counts(campaign: str, logged: list[Logged], table: Table) -> dict[str, int]:
    head = await table.store.head(campaign)
    branches = await table.store.branches(campaign)
    tapes = await table.tapes.of_turn(campaign)
    return {
        "turns": head.turn_no,
        "entries": len(logged),
        "branches": len(branches),
        "tapes": len(tapes),
    }


def _safely(path: Path, write: Callable[[Path], Any]) -> None:
    """Writes beside the file, then puts it in place: a full disk never leaves half an archive."""
    if path.exists():
        raise UserError(f"{path} is there already; give another name")
    beside = path.with_name(f".{path.name}.part")
    try:
        _try_to_write(beside, write)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _try_to_write(path: Path, write: Callable[[Path], Any]) -> None:
    try:
        write(path)
    except OSError as wrong:
        raise UserError(
            f"{path} cannot be written ({wrong.strerror or wrong}); choose another place"
        ) from None


def _with_folder(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path

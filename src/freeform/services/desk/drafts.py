"""READ THIS FIRST. Drafts of scenarios: begun, changed, taken back, looked over, published.

begin (nothing, premise, a story's copy, a file) ─> save ─> save ─> undo ─> … ─> publish
                                                      └> preview: played, and back
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from pydantic import Field

from freeform.core.errors import BadFile, Conflict, NotFound, UserError
from freeform.core.record import Record
from freeform.core.text import slug, visible
from freeform.core.yamlfile import read_yaml
from freeform.engine.authored.library import (
    common_spelling,
    is_scenario,
    load_scenario,
    scenario_files,
    scenario_path,
    systems,
)
from freeform.engine.authored.older import in_our_form, is_older
from freeform.engine.proof.check import check_data
from freeform.engine.proof.report import ScenarioFinding, ScenarioReport, Severity
from freeform.engine.proof.shape import meant_instead, without_strangers
from freeform.packs.lock import write_atomically
from freeform.services.desk.blank import as_yaml, blank
from freeform.services.desk.clues import ClueNode, clue_graph, draft_map
from freeform.services.desk.kept import (
    DraftFolder,
    DraftVersion,
    VersionRow,
    check_keepable,
    new_folder,
)
from freeform.services.house import House
from freeform.services.scenario.forging import ForgeOrder, forge_unkept, scenario_yaml
from freeform.services.views.map import MapShown

_MADE_HERE = "# From the draft "
_LONGEST_NAME, _LONGEST_ID = 120, 48
_NO_ID = frozenset({"file"})
"""`/api/drafts/file` takes a file."""
_BREAKS_OFF = (TypeError, ValueError, KeyError, IndexError, AttributeError)
"""What the check may stumble over in a draft that is in no state to be read."""


class DraftRow(Record):
    """A draft among others."""

    id: str
    name: str
    genre: str
    description: str = ""
    version: int
    at: str
    deleted: bool = False


class DraftFinding(Record):
    """What `scenario check` says of a field, and what would put it right."""

    severity: Severity
    message: str
    where: list[str | int]
    fix: str = ""
    """A value to put there instead; '' where an author has to think."""


class DraftShown(DraftRow):
    """A draft with everything its desk shows."""

    scenario: dict[str, Any]
    undo: bool
    redo: bool
    ok: bool
    findings: list[DraftFinding]
    clues: list[ClueNode] = Field(default_factory=list)
    map: MapShown | None = None
    drawn: bool = False
    """Whether it reads well enough for the clues and the map to be drawn."""


class DraftWish(Record):
    """What a draft begins with: nothing, a premise for the forge, or the copy of a story."""

    name: str = ""
    premise: str = ""
    genre: str = ""
    scenario: str = ""
    seed: int | None = None


class SystemChoice(Record):
    """A rules system, with the words its deeds are written in."""

    id: str
    name: str
    actions: list[str]
    stats: list[str]


class DraftPublished(Record):
    """A draft that became a story on the shelf."""

    scenario: str
    name: str
    path: str
    report: ScenarioReport


LONGEST_ID = 200
"""Letters: no disk has a folder of a longer name."""


def folder_of(house: House, draft: str) -> DraftFolder:
    """A draft's folder; NotFound where there is none."""
    folder = DraftFolder(_root(house) / draft)
    if slug(draft) != draft or len(draft) > LONGEST_ID or not folder.is_there:
        raise NotFound(f"no draft '{visible(draft)[:60]}'; `draft list` names those there are")
    return folder


def list_drafts(house: House, *, deleted: bool = False) -> list[DraftRow]:
    """Every draft, the last changed first; or those in the bin."""
    folders = [DraftFolder(path) for path in _root(house).glob("*") if path.is_dir()]
    shown = [each for each in folders if each.is_there and each.is_deleted == deleted]
    rows = [_row(each, each.head()) for each in shown]
    return sorted(rows, key=lambda row: row.at, reverse=True)


async def begin_draft(house: House, wish: DraftWish) -> DraftShown:
    """A new draft: of a premise, of a story that is there, or of nothing."""
    if wish.premise.strip():
        order = ForgeOrder(premise=wish.premise, genre=wish.genre, seed=wish.seed)
        data, what = await _forged(house, order), "forged from a premise"
    elif wish.scenario:
        path = scenario_path(wish.scenario, house.settings.home, files=house.files)
        data, what = await asyncio.to_thread(_read, path), f"a copy of {wish.scenario}"
    else:
        data, what = blank("", wish.name or "A new story"), "begun"
    return await _begin(house, data, what, wish.name)


async def begin_from_file(house: House, path: Path, name: str) -> DraftShown:
    """A new draft of a scenario's file, in our form or the older one. BadFile says what it is."""
    try:
        data = await asyncio.to_thread(_read, path)
        return await _begin(house, data, f"from {name}", "")
    except BadFile as wrong:
        raise BadFile(name, wrong.reason, wrong.line) from None


async def show_draft(house: House, draft: str, version: int | None = None) -> DraftShown:
    """A draft as it stands, or as it stood, with what is to be said of it."""
    folder = folder_of(house, draft)
    found = folder.head() if version is None else folder.read(version)
    if found is None:
        raise NotFound(f"no version {version} of '{draft}'; `draft versions` lists them")
    return await _shown(house, folder, found)


async def save_draft(house: House, draft: str, scenario: dict[str, Any], seen: int) -> DraftShown:
    """Keeps a change to the version that its writer saw, whatever state it is in."""
    folder = folder_of(house, draft)

    def keep() -> DraftVersion:
        before = folder.read(seen)
        if before is None:
            raise UserError(f"there is no version {seen} of this draft; look at it again")
        if before.scenario != scenario:
            what = _changed(before.scenario, scenario)
            return folder.add(scenario, _now(house), what, seen)
        holds = folder.head().number
        if holds != seen:
            raise Conflict(f"somebody else changed this draft first (version {holds})")
        return before

    return await _shown(house, folder, await asyncio.to_thread(keep))


async def save_file(house: House, draft: str, path: Path) -> DraftShown:
    """Keeps a scenario's file as the next version of a draft."""
    seen = folder_of(house, draft).head().number
    return await save_draft(house, draft, await asyncio.to_thread(_read, path), seen)


async def step_draft(house: House, draft: str, *, back: bool) -> DraftShown:
    """Takes the last change back, or forth again."""
    folder = folder_of(house, draft)
    to = await asyncio.to_thread(folder.step, back=back)
    if to is None:
        raise UserError("there is nothing to take back" if back else "there is nothing to redo")
    return await _shown(house, folder, to)


async def go_to_version(house: House, draft: str, number: int) -> DraftShown:
    """Another version holds from now on; all others stay."""
    folder = folder_of(house, draft)
    return await _shown(house, folder, await asyncio.to_thread(folder.point_at, number))


def list_versions(house: House, draft: str) -> list[VersionRow]:
    """Every version that is kept, newest first."""
    return folder_of(house, draft).history()


def delete_draft(house: House, draft: str, *, deleted: bool = True) -> DraftRow:
    """Puts a draft into the bin, or takes it out again."""
    folder = folder_of(house, draft)
    folder.delete(deleted)
    return _row(folder, folder.head())


async def check_draft(house: House, draft: str) -> ScenarioReport:
    """Every mistake, and what play reaches: the same check that files get."""
    data = folder_of(house, draft).head().scenario
    return await asyncio.to_thread(_checked, data, house.settings.home)


def draft_text(house: House, draft: str) -> str:
    """A draft as YAML."""
    return as_yaml(folder_of(house, draft).head().scenario)


def write_draft(house: House, draft: str, path: Path) -> DraftRow:
    """Writes a draft to a file."""
    folder = folder_of(house, draft)
    try:
        write_atomically(path, draft_text(house, draft).encode())
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be written").lower()
        raise BadFile(str(path), f"{reason}; choose another place") from None
    return _row(folder, folder.head())


async def publish_draft(house: House, draft: str) -> DraftPublished:
    """Puts a draft on the shelf, once nothing is wrong with it; again, in place of the last time.

    Campaigns that were begun keep the story they began with.
    """
    held = folder_of(house, draft).head()
    report = await asyncio.to_thread(_checked, held.scenario, house.settings.home)
    wrong = [each for each in report.findings if each.severity == "error"]
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise UserError(f"it cannot be played as it is: {_place(wrong[0])}{wrong[0].message}{more}")
    id = str(held.scenario["id"])
    path = house.settings.home / "scenarios" / f"{id}.yaml"
    mark = f"{_MADE_HERE}{draft}.\n"
    _check_free(house, id, path, mark)
    text = await asyncio.to_thread(as_yaml, held.scenario)
    write_atomically(path, f"{mark}{text}".encode())
    named = await asyncio.to_thread(load_scenario, str(path), house.settings.home)
    return DraftPublished(scenario=id, name=named.name, path=str(path), report=report)


def choices(house: House) -> list[SystemChoice]:
    """The rules systems a draft may be written for."""
    return [
        SystemChoice(
            id=each.id, name=each.name, actions=sorted(each.action_types), stats=list(each.stats)
        )
        for each in systems(house.settings.home)
        if not each.id.startswith("_")
    ]


def _check_free(house: House, id: str, path: Path, mark: str) -> None:
    if slug(id) != id or not id:
        raise UserError(f"'{id}' is no id; use small letters, digits and _, such as my_story")
    known = scenario_files(house.settings.home).get(id)
    if known is None or (known == path and path.read_text("utf-8").startswith(mark)):
        return
    raise Conflict(f"a story '{id}' is on the shelf already; give the draft another id")


async def _begin(house: House, data: dict[str, Any], what: str, name: str) -> DraftShown:
    called = " ".join(visible(name or str(data.get("name") or "")).split())[:_LONGEST_NAME]
    wanted = slug(called)[:_LONGEST_ID].strip("_") or "story"

    def keep() -> tuple[DraftFolder, DraftVersion]:
        check_keepable(data)
        taken = _NO_ID | scenario_files(house.settings.home).keys()
        folder = new_folder(_root(house), wanted, taken)
        named = {**data, "id": folder.path.name, "name": called or "A new story"}
        return folder, folder.add(named, _now(house), what, 0)

    return await _shown(house, *await asyncio.to_thread(keep))


async def _forged(house: House, order: ForgeOrder) -> dict[str, Any]:
    forged = await forge_unkept(house, order)
    with tempfile.TemporaryDirectory(prefix="freeform-draft-") as scratch:
        path = Path(scratch) / "draft.yaml"
        path.write_text(scenario_yaml(forged.scenario), encoding="utf-8")
        return await asyncio.to_thread(_read, path)


def _read(path: Path) -> dict[str, Any]:
    """A scenario's data, as its author wrote it."""
    data, _ = read_yaml(path)
    if not is_scenario(data):
        raise BadFile(path.name, "is no scenario; one has `entities` and an `opening`")
    data = common_spelling(data)
    data = in_our_form(data)[0] if is_older(data) else data
    # As JSON keeps it: YAML has dates, and keys that are numbers.
    plain = json.dumps(data, default=str, ensure_ascii=False).encode("utf-8", "replace")
    found: dict[str, Any] = json.loads(plain)
    return found


async def _shown(house: House, folder: DraftFolder, version: DraftVersion) -> DraftShown:
    """Looked over in a thread: of a long story that takes a second."""
    return await asyncio.to_thread(_look_over, house, folder, version)


def _look_over(house: House, folder: DraftFolder, version: DraftVersion) -> DraftShown:
    report = _checked(version.scenario, house.settings.home, play=False)
    scenario = without_strangers(version.scenario) if report.scenario else None
    return DraftShown(
        **_row(folder, version).model_dump(),
        scenario=version.scenario,
        undo=folder.before(version) is not None,
        redo=folder.after(version) is not None,
        ok=report.ok,
        findings=[finding_shown(each) for each in report.findings],
        clues=clue_graph(scenario) if scenario else [],
        map=draft_map(scenario) if scenario else None,
        drawn=scenario is not None,
    )


def _checked(data: dict[str, Any], home: Path, *, play: bool = True) -> ScenarioReport:
    """What the check says. A draft that it cannot get through is shown all the same: it says so,
    and names no scenario."""
    try:
        return check_data(data, home, play=play)
    except _BREAKS_OFF as wrong:
        told = f"the check breaks off here ({type(wrong).__name__}); take the last change back"
        only = ScenarioFinding(file="", line=0, severity="error", message=told)
        return ScenarioReport(ok=False, findings=[only])


def finding_shown(found: ScenarioFinding) -> DraftFinding:
    """A finding as a field shows it."""
    return DraftFinding(
        severity=found.severity,
        message=found.message,
        where=found.where,
        fix=meant_instead(found.message),
    )


def _row(folder: DraftFolder, version: DraftVersion) -> DraftRow:
    data = version.scenario
    return DraftRow(
        id=folder.path.name,
        name=str(data.get("name") or folder.path.name),
        genre=str(data.get("genre") or ""),
        description=str(data.get("description") or ""),
        version=version.number,
        at=version.at,
        deleted=folder.is_deleted,
    )


def _place(found: ScenarioFinding) -> str:
    return f"{'.'.join(map(str, found.where))}: " if found.where else ""


def _changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return ", ".join(keys[:4])


def _root(house: House) -> Path:
    return house.settings.home / "drafts"


def _now(house: House) -> str:
    return house.table.clock.now().isoformat(timespec="milliseconds")

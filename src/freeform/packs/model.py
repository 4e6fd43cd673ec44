"""What a pack is: its manifest, its entries with their sections, and what can be wrong with it."""

from typing import Any, Literal, get_args

from pydantic import Field

from freeform.core.record import Record
from freeform.packs.tables import RandomTable

Layer = Literal["core", "setting", "regional", "adventure", "homebrew"]
EntryType = Literal[
    "location", "npc", "faction", "culture", "history", "technology", "item", "event"
]
LAYERS: tuple[Layer, ...] = get_args(Layer)
TYPES: tuple[EntryType, ...] = get_args(EntryType)
FOLDERS: dict[EntryType, str] = {
    "location": "locations", "npc": "npcs", "faction": "factions", "culture": "culture",
    "history": "history", "technology": "technology", "item": "items", "event": "events",
}  # fmt: skip


class Dependency(Record):
    """Another pack this one builds on, and the versions that will do."""

    id: str
    version: str = "*"


class License(Record):
    """Under what terms the pack may be used. `type`: commercial, cc-by, cc-by-sa, custom …"""

    type: str
    publisher: str = ""
    sku: str = ""
    attribution: str = ""


class ContentPackManifest(Record):
    """The pack in one page: `pack.yaml`."""

    id: str
    name: str
    version: str
    genre: str = ""
    layer: Layer = "setting"
    depends_on: list[Dependency] = Field(default_factory=list)
    provides: dict[str, int | str] = Field(default_factory=dict)
    license: License | None = None
    description: str = ""
    author: str = ""
    system: str = ""
    tags: list[str] = Field(default_factory=list)
    extra: dict[str, Any] = Field(default_factory=dict)


class Section(Record):
    """A heading and the text under it. `path` leads to it: `The Neon Dragon > History`."""

    path: str
    level: int
    heading: str
    text: str
    gm_only: bool = False
    line: int = 0
    source: str = ""
    """Full id of the entry that brought it, where an overlay put sections of several entries
    together."""


class EntrySource(Record):
    """One of the entries a merged entry is made of, lowest layer first."""

    id: str
    pack_id: str
    version: str
    file_path: str
    how: Literal["base", "extends", "overrides"]


class Entry(Record):
    """One thing of the world: a Markdown file of a pack."""

    id: str
    """Full: `neo_seattle:viktor`."""
    pack_id: str
    local_id: str
    type: EntryType
    name: str
    aliases: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    related_entities: list[str] = Field(default_factory=list)
    related_factions: list[str] = Field(default_factory=list)
    related_locations: list[str] = Field(default_factory=list)
    related_threads: list[str] = Field(default_factory=list)
    extends: str = ""
    overrides: str = ""
    gm_only: bool = False
    extra: dict[str, Any] = Field(default_factory=dict)
    file_path: str
    """Inside the pack's folder, with forward slashes."""
    sections: list[Section] = Field(default_factory=list)
    sources: list[EntrySource] = Field(default_factory=list)
    """Empty for an entry as its file has it; filled by an overlay."""


class Problem(Record):
    """Something wrong in a file. `line` is 0 where the whole file is meant; the message ends with
    the fix."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}: {self.message}"
            if self.line
            else f"{self.file}: {self.message}"
        )


class PackValidation(Record):
    """What `pack validate` found. `ok` means no errors; warnings may remain."""

    ok: bool
    errors: list[Problem] = Field(default_factory=list)
    warnings: list[Problem] = Field(default_factory=list)


class Pack(Record):
    """A pack as read: what could be used of it, and what was wrong with the rest."""

    manifest: ContentPackManifest
    entries: list[Entry]
    path: str
    digest: str
    """Of every file that counts; the same folder anywhere has the same one."""
    tables: list[RandomTable] = Field(default_factory=list)
    errors: list[Problem] = Field(default_factory=list)
    warnings: list[Problem] = Field(default_factory=list)

    @property
    def id(self) -> str:
        return self.manifest.id

    def entry(self, ref: str) -> Entry | None:
        """The entry of that short or full id."""
        full = ref if ":" in ref else f"{self.manifest.id}:{ref}"
        return next((entry for entry in self.entries if entry.id == full), None)


class Findings:
    """Problems as they are met, errors and warnings apart."""

    def __init__(self) -> None:
        self.errors: list[Problem] = []
        self.warnings: list[Problem] = []

    def error(self, file: str, line: int, message: str) -> None:
        self.errors.append(Problem(file=file, line=line, message=message))

    def warn(self, file: str, line: int, message: str) -> None:
        self.warnings.append(Problem(file=file, line=line, message=message))

    def result(self) -> PackValidation:
        def order(problem: Problem) -> tuple[str, int]:
            return problem.file, problem.line

        return PackValidation(
            ok=not self.errors,
            errors=sorted(self.errors, key=order),
            warnings=sorted(self.warnings, key=order),
        )

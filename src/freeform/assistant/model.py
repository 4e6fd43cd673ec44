"""What the assistant speaks of: names, pieces of a source, what a question needs, what was found,
the answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field, field_validator

from freeform.core.llm.gateway import Call, Usage
from freeform.core.record import Record, Reply
from freeform.core.text import slug

Tool = Literal["character_data", "session_notes", "rulebook"]
TOOLS: tuple[Tool, ...] = ("character_data", "session_notes", "rulebook")
Edition = Literal["", "5.1", "5.2"]
Viewer = Literal["player", "gm"]
Strategy = Literal["exact", "alias", "folded", "reordered", "part", "prefix", "ngram", "text"]
"""How a name was found: as it is spelled; another name of it; another form of the word; its words
in another order; a part of it; its beginning; a misspelling; or only in the running text of a
source."""
CHARACTER_SECTIONS = (
    "identity", "ability_scores", "combat_stats", "action_economy", "proficiencies", "features_and_traits",
    "inventory", "spell_list", "personality", "backstory", "relations", "progress",
)  # fmt: skip
"""The parts of a sheet; a name on the sheet is found in one or more of them."""
NOTES_SECTIONS = tuple(
    f"session_notes.{part}"
    for part in ("npc", "location", "event", "decision", "quest", "combat", "character", "session")
)
"""The parts of notes: by what a paragraph is about."""


class SourcePlace(Record):
    """Where a piece stands, as exactly as its source knows."""

    file: str = ""
    section: str = ""
    """The headings that lead to it: `Combat > Grappling`."""
    page: int = 0
    line: int = 0
    pack: str = ""

    def __str__(self) -> str:
        file = f"{self.file}:{self.line}" if self.file and self.line else self.file
        page = f"p. {self.page}" if self.page else ""
        return ", ".join(part for part in (self.section, page, self.pack, file) if part)


class SourceFact(Record):
    """Something a source states plainly, so that two sources can be held against each other."""

    subject: str
    what: str
    """`armor_class`, `bonus`, `owner`, `level`, `status` …"""
    value: str


class Name(Record):
    """A name that a source knows, and where it stands there. The same name may stand in several
    sections."""

    name: str
    aliases: list[str] = Field(default_factory=list)
    tool: Tool
    section: str
    """`inventory`, `session_notes.npc`, `rulebook.combat.grappling`: see `tool_of`."""
    pieces: list[str] = Field(default_factory=list)
    """Ids of the pieces about it."""
    kind: str = ""
    """`spell`, `monster`, `condition`, `item`, `npc`, `skill` …"""
    edition: Edition = ""
    gm_only: bool = False


class Piece(Record):
    """A passage of a source that can be quoted."""

    id: str
    """Unique over all sources: begins with the source's own mark."""
    tool: Tool
    section: str
    title: str
    kind: str = ""
    text: str
    """Markdown, as a person would read it."""
    where: SourcePlace = Field(default_factory=SourcePlace)
    quote: str = ""
    """The literal words of the source where `text` is not literal (a sheet's computed line)."""
    edition: Edition = ""
    gm_only: bool = False
    score: float = 0.0
    """How well it fits what was wanted; comparable inside one fetch."""
    facts: list[SourceFact] = Field(default_factory=list)
    data: dict[str, Any] = Field(default_factory=dict)


class Part(Record):
    """One of the things a number is made of."""

    label: str
    value: int | float | str
    source: str = ""
    """Where it comes from: a class, an item, a feature, the sheet."""


class Number(Record):
    """A number that code computed, with its parts: it answers why."""

    label: str
    value: int | float | str
    parts: list[Part] = Field(default_factory=list)
    section: str = ""
    """Where it stands: `proficiencies`."""
    piece: str = ""
    """Id of the piece that shows it."""


class Wanted(Record):
    """What one query wants of a source."""

    tool: Tool
    intention: str
    entities: list[str] = Field(default_factory=list)
    """Matched names, as the source spells them."""
    pieces: list[str] = Field(default_factory=list)
    """Ids of the pieces about those names."""
    sections: list[str] = Field(default_factory=list)
    """The intention's sections and, after them, the auto-included ones."""
    auto_include: list[str] = Field(default_factory=list)
    kinds: list[str] = Field(default_factory=list)
    """Kinds of entry the intention prefers: `spell`, `monster` …"""
    query: str
    """The question's words, for search."""
    limit: int = 8
    edition: Edition = ""
    viewer: Viewer = "player"


def of_one(value: Any) -> Any:
    """How sure, of one: `95` and `95%` are .95. Anything else is for the record to refuse."""
    said = value.strip().removesuffix("%") if isinstance(value, str) else value
    try:
        return float(said) / 100 if 1 < float(said) <= 100 else said
    except (TypeError, ValueError):
        return value


class ToolNeeded(Reply):
    """A source the question needs, and what for."""

    tool: Tool
    intention: str
    confidence: float = Field(ge=0, le=1)

    @field_validator("tool", "intention", mode="before")
    @classmethod
    def _as_listed(cls, value: Any) -> Any:
        """As the lists spell it: a model may write `Rulebook` or `rulebook.Spell Details`."""
        return slug(value.rpartition(".")[2] or value) if isinstance(value, str) else value

    @field_validator("confidence", mode="before")
    @classmethod
    def _of_one(cls, value: Any) -> Any:
        return of_one(value)


class EntityMention(Reply):
    """A name in the question. Where to look for it follows from the tools, never from here."""

    name: str
    confidence: float = Field(default=1.0, ge=0, le=1)
    attributes: dict[str, Any] = Field(default_factory=dict)

    @field_validator("confidence", mode="before")
    @classmethod
    def _of_one(cls, value: Any) -> Any:
        return of_one(value)

    @field_validator("attributes", mode="before")
    @classmethod
    def _none_is_empty(cls, value: Any) -> Any:
        return value or {}


class EntitySearchResult(Record):
    """One place where a name was found."""

    found_in_sections: list[str]
    match_confidence: float
    matched_text: str
    match_strategy: Strategy
    tool: Tool
    pieces: list[str] = Field(default_factory=list)
    kind: str = ""
    edition: Edition = ""


class QueryPlan(Record):
    """One query of one source."""

    tool: Tool
    intention: str
    entities: list[str] = Field(default_factory=list)
    auto_include: list[str] = Field(default_factory=list)


class CitedSource(Record):
    """A numbered source of the answer. The quote is literally in the source."""

    n: int
    tool: Tool
    where: str
    quote: str
    title: str = ""
    section: str = ""
    edition: Edition = ""
    piece: str = ""


class Disagreement(Record):
    """Two sources that state different things of the same subject; both stand, neither is blended
    away."""

    subject: str
    what: str
    sides: list[str]
    """One sentence for each side, with its source number."""


class Answer(Record):
    """What `ask` gives back."""

    question: str = ""
    answer: str
    """Markdown."""
    tools_needed: list[ToolNeeded] = Field(default_factory=list)
    entities: list[EntityMention] = Field(default_factory=list)
    resolution: Mapping[str, list[EntitySearchResult]] = Field(default_factory=dict)
    queries: list[QueryPlan] = Field(default_factory=list)
    sources: list[CitedSource] = Field(default_factory=list)
    searched_and_empty: list[str] = Field(default_factory=list)
    numbers: list[Number] = Field(default_factory=list)
    disagreements: list[Disagreement] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    """What a reader should know: sources that are absent, a source that failed, a re-routed
    question."""
    thread: str = ""
    """The conversation it is kept in; '' where it is kept in none."""
    usage: Usage = Field(default_factory=Usage)
    timings_ms: dict[str, float] = Field(default_factory=dict)
    model: dict[str, str] = Field(default_factory=dict)
    degraded: list[str] = Field(default_factory=list)


@dataclass(frozen=True)
class Asking:
    """How a question is asked: by whom, for which edition, and with what limits."""

    character_name: str = ""
    viewer: Viewer = "player"
    edition: Edition = ""
    tool_confidence: float = 0.7
    entity_confidence: float = 0.6
    tokens: int = 3000
    in_full: str = ""
    """The question with the one that it goes on from, as both were typed; '' where it stands
    alone."""
    unread: tuple[str, ...] = ()
    """What was given and could not be read, and why."""
    call: Call = field(default_factory=Call)


def tool_of(section: str) -> Tool:
    """Which source a section belongs to: sections of notes and rules say so, the rest is the
    sheet."""
    head = section.partition(".")[0]
    if head == "session_notes":
        return "session_notes"
    return "rulebook" if head == "rulebook" else "character_data"

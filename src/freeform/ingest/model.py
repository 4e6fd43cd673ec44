"""The records of reading a book: what a page, a heading, a section and a segment are. Names follow
the seed.

Pages are numbered from 1 as the file counts them; boxes are in points with the origin at the top
left.
"""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from freeform.core.record import Record

Box = tuple[float, float, float, float]


class ChapterIntent(StrEnum):
    """What a chapter is for (the seed's nine)."""

    SETTING = "SETTING"
    FACTIONS = "FACTIONS"
    MECHANICS = "MECHANICS"
    CHARACTERS = "CHARACTERS"
    NARRATIVE = "NARRATIVE"
    REFERENCE = "REFERENCE"
    META = "META"
    EQUIPMENT = "EQUIPMENT"
    BESTIARY = "BESTIARY"


class ContentType(StrEnum):
    """What a segment tells of (the seed's ten)."""

    LOCATION = "LOCATION"
    NPC = "NPC"
    FACTION = "FACTION"
    CULTURE = "CULTURE"
    ITEM = "ITEM"
    EVENT = "EVENT"
    HISTORY = "HISTORY"
    RULES = "RULES"
    TABLE = "TABLE"
    GENERAL = "GENERAL"


class Route(StrEnum):
    """Where a segment goes: into the pack's prose, into its rules, or both."""

    LORE = "LORE"
    SYSTEMS = "SYSTEMS"
    BOTH = "BOTH"


class Span(Record):
    """A run of text in one style."""

    text: str
    bbox: Box
    font: str = ""
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    color: int = 0


class Line(Record):
    """A printed line. Its style is that of most of its characters; `spans` hold the changes, if
    any."""

    text: str
    bbox: Box
    font: str = ""
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    color: int = 0
    spans: tuple[Span, ...] = ()
    #: Which column of the page it stands in, from 0; -1 when it runs across columns.
    column: int = 0


class OutlineItem(Record):
    """A bookmark of the file."""

    title: str
    level: int
    page: int


class RawPage(Record):
    """A page as a reader hands it over: runs of text in the order of the file's text stream,
    nothing repaired.

    A run's box is drawn from its baseline: 0.8 of the size above it, 0.2 below. Text is upright: a
    page whose text runs sideways has been turned, and width and height with it.
    """

    number: int
    width: float
    height: float
    spans: tuple[Span, ...] = ()
    #: Share of the page that pictures cover, 0 to 1.
    image_share: float = 0.0
    #: Whether the page's fonts say which letters their glyphs are.
    unmapped: bool = False
    label: str = ""
    #: Why the page is empty or cut short, where a reader could not read it; completes "page N …".
    trouble: str = ""


class PageEntry(Record):
    """A row of page_map.json: what became of one page."""

    page_num: int
    file: str = ""
    label: str = ""
    width: float = 0.0
    height: float = 0.0
    word_count: int = 0
    columns: int = 1
    #: Whose order the text follows, and how sure that is (0 to 1).
    order: Literal["stream", "geometry", "ocr"] = "stream"
    order_confidence: float = 1.0
    image_only: bool = False
    ocr: bool = False
    ocr_confidence: float | None = None
    #: Glyphs without a known letter that are left in the text, and numbers that do not agree with each other.
    doubtful_glyphs: int = 0
    doubts: tuple[str, ...] = ()
    #: Files of the pictures taken out of the page.
    images: tuple[str, ...] = ()


class PageBlock(Record):
    """A paragraph, list item or table of one page, with its look. A heading is still a paragraph
    here.

    `text` is Markdown. `run_in` is the bold or italic phrase the paragraph opens with, if it does.
    """

    kind: Literal["text", "item", "table"] = "text"
    text: str
    bbox: Box
    font: str = ""
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    color: int = 0
    column: int = 0
    lines: int = 1
    run_in: str = ""
    #: The look of that phrase, which may be another than the paragraph's.
    run_in_font: str = ""
    run_in_size: float = 0.0
    #: Other bold phrases inside, where it opens with one.
    bold_inside: tuple[str, ...] = ()
    #: The first line stands in from the left edge of its column.
    indented: bool = False
    #: The rows of a table, its first row being the head.
    rows: tuple[tuple[str, ...], ...] = ()


class Page(PageEntry):
    """A page in reading order: running heads gone, words mended."""

    blocks: tuple[PageBlock, ...] = ()

    @property
    def text(self) -> str:
        """The page as Markdown."""
        return "\n\n".join(block.text for block in self.blocks)


class ExtractionResult(Record):
    """Stage 1: how the book was read."""

    pages: int
    pages_read: int
    word_count: int
    columns: dict[int, int] = Field(default_factory=dict)
    by_geometry: int = 0
    by_ocr: int = 0
    image_only: tuple[int, ...] = ()
    doubtful_pages: tuple[int, ...] = ()
    doubts: dict[int, tuple[str, ...]] = Field(default_factory=dict)
    stripped: tuple[str, ...] = ()
    outline: tuple[OutlineItem, ...] = ()
    title: str = ""
    reader: str = ""
    warnings: tuple[str, ...] = ()


BlockKind = Literal["heading", "paragraph", "item", "table"]


class Block(Record):
    """A heading, paragraph, list item or table, whole, even when it crosses a column or a page.

    `text` is Markdown (a table is a pipe table; a heading is its bare title). `run_in` is the bold
    or italic phrase a paragraph opens with, if it does: the name of a feature, an action or a term.
    """

    kind: BlockKind
    text: str
    page_start: int
    page_end: int
    level: int = 0
    run_in: str = ""
    #: Other bold phrases inside, where it opens with one.
    bold_inside: tuple[str, ...] = ()


class Heading(Record):
    """A heading found in the book."""

    title: str
    level: int
    page: int
    confidence: float = 1.0


class SectionNode(Record):
    """A node of the document tree, without its text."""

    id: str
    title: str
    level: int
    page_start: int
    page_end: int
    intent: ChapterIntent
    word_count: int = 0
    children: tuple["SectionNode", ...] = ()


class BookSection(Record):
    """A heading with the blocks up to the next heading; a row of sections.jsonl."""

    id: str
    chapter_id: str
    title: str
    level: int
    #: Titles from the chapter down to this section, its own included.
    heading_path: tuple[str, ...]
    page_start: int
    page_end: int
    intent: ChapterIntent
    blocks: tuple[Block, ...] = ()


class Chapter(SectionNode):
    """A top node, with the file of its text."""

    file: str = ""
    intent_confidence: float = 0.0


class DocumentStructure(Record):
    """Stage 2: structure.json."""

    title: str
    method: Literal["fonts", "outline", "contents", "heuristics", "pass"]
    confidence: float
    page_count: int
    chapters: tuple[Chapter, ...] = ()
    headings: tuple[Heading, ...] = ()
    #: Entries of the printed contents pages and of the index: (words, printed page). Validation asks with them.
    contents: tuple[tuple[str, int], ...] = ()
    index: tuple[tuple[str, int], ...] = ()


class SegmentEntry(Record):
    """A row of segment_manifest.json. Classify fills in the last four."""

    id: str
    title: str
    heading_path: tuple[str, ...]
    page_start: int
    page_end: int
    word_count: int
    chapter_id: str
    chapter_title: str
    intent: ChapterIntent
    file: str = ""
    is_stat_block: bool = False
    #: Names of the stat blocks inside.
    stat_blocks: tuple[str, ...] = ()
    tables: int = 0
    content_type: ContentType | None = None
    route: Route | None = None
    confidence: float = 0.0
    reasons: tuple[str, ...] = ()


class Segment(SegmentEntry):
    """A segment with its Markdown."""

    text: str = ""


class SegmentManifest(Record):
    """Stage 3: segment_manifest.json."""

    segments: tuple[SegmentEntry, ...] = ()
    total_words: int = 0
    filtered: tuple[str, ...] = ()
    smallest: int = 0
    largest: int = 0
    average: float = 0.0


class StageMeta(Record):
    """stage_meta.json: what a stage did, from what, so that the next run knows whether to do it
    again."""

    stage: str
    status: Literal["running", "paused", "done", "failed"]
    started_at: str
    finished_at: str = ""
    seconds: float = 0.0
    #: Digest of the inputs and settings the outputs were made from.
    inputs: str = ""
    settings: dict[str, Any] = Field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    counts: dict[str, float] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    version: int = 1


class ExtractOptions(Record):
    """What stage 1 may be told."""

    #: Pages to read as (first, last) ranges, inclusive, from 1; empty = all.
    page_ranges: tuple[tuple[int, int], ...] = ()
    ocr: Literal["auto", "always", "never"] = "auto"
    ocr_language: str = "eng"
    images: bool = False


class SegmentOptions(Record):
    """The seed's sizes, in words."""

    min_words: int = 150
    max_words: int = 2000
    target_words: int = 600

"""What may be a member of a catalogue: a section, or a paragraph that opens with a name. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from freeform.ingest.model import Block, BookSection
from freeform.ingest.things.catalogue.boxes import bit_of, read_boxes
from freeform.ingest.things.catalogue.pairs import (
    VALUE,
    LabelMark,
    key_of,
    marks_in,
    opening,
    plain_line,
    title_mark,
)

#: Lines of a section that are looked at for labels: a schema stands near the name.
HEAD = 14
#: Words up to which the text of a heading below is the value of a field.
SHORT = 14
#: Sections in whose tables a label must stand for it to be one.
SIBLINGS = 3
#: Share of a catalogue's members whose titles must have such words for them to be no part of the
#: name.
MOST_TAGGED = 0.6
#: Share of a grid's cells that must hold a label and a value.
MOST_PAIRS = 0.8
_PAIR = re.compile(r"[^\W\d_][\w'’/ .-]{0,24}?(?:\s?:\s.{1,30}|\s{1,2}[+−–-]?\d.{0,16})")
_DIGIT = re.compile(r"\d")
_NAME_END = re.compile(r"[\s.:–—-]+$")


@dataclass
class Member:
    """A named text. `cells` are fields that tables and headings below it give directly."""

    id: str
    name: str
    section: BookSection
    path: tuple[str, ...]
    page: int
    lines: list[str]
    leads: list[str]
    cells: dict[str, str] = field(default_factory=dict)
    subtitle: str = ""
    marks: list[list[LabelMark]] = field(default_factory=list)
    inline: bool = False
    titled: LabelMark | None = None
    """The field its title ends with."""
    inside: list[tuple[str, ...]] = field(default_factory=list)
    """Bold phrases of each line beside the one it opens with."""
    tag: str = ""
    """What its title says behind a comma (`Silas Crane, harbour master`)."""

    @property
    def own_name(self) -> str:
        """Its name without the field or the words behind a comma that its title ends with."""
        name = self.name[: self.titled.readings[0][1]].strip() if self.titled else self.name
        return name.removesuffix(f", {self.tag}") if self.tag else name

    def __post_init__(self) -> None:
        inside = self.inside or [()] * len(self.lines)
        rows = zip(self.lines, self.leads, inside, strict=True)
        self.marks = [marks_in(line, lead, bold) for line, lead, bold in rows]


def section_members(sections: Sequence[BookSection]) -> list[Member]:
    """Every section, with the headings right below it as fields of its own."""
    members: list[Member] = []
    trail: list[tuple[int, Member]] = []
    known = _shared_labels(sections)
    for section in sections:
        member = _of_section(section, known)
        while trail and trail[-1][0] >= section.level:
            trail.pop()
        if trail:
            above = trail[-1][1]
            above.cells.setdefault(plain_line(section.title), _short_text(section))
        trail.append((section.level, member))
        members.append(member)
    return members


def _shared_labels(sections: Sequence[BookSection]) -> frozenset[str]:
    """What stands in the first of two columns in the tables of several sections."""
    counted: Counter[str] = Counter()
    for section in sections:
        rows = [row for block in section.blocks for row in _two_columns(block)]
        counted.update({key_of(row[0]) for row in rows})
    return frozenset(label for label, times in counted.items() if label and times >= SIBLINGS)


def _two_columns(block: Block) -> list[list[str]]:
    """The rows of a short table of two columns, none for any other."""
    rows = table_rows(block) if block.kind == "table" else []
    return rows if 2 <= len(rows) <= HEAD and all(len(row) == 2 for row in rows) else []


def _of_section(section: BookSection, known: frozenset[str] = frozenset()) -> Member:
    texts = read_boxes(_head_lines(section.blocks))
    subtitle = _subtitle(section)
    bold = {block.text.strip(): block.bold_inside for block in section.blocks}
    return Member(
        id=section.id,
        name=plain_line(section.title),
        section=section,
        path=section.heading_path[:-1],
        page=section.page_start,
        lines=[plain_line(text) for text in texts],
        leads=[opening(text) for text in texts],
        inside=[bold.get(text.strip(), ()) for text in texts],
        cells=_one_row(section.blocks, known) | _label_column(section.blocks, known),
        subtitle=subtitle,
        titled=title_mark(plain_line(section.title)),
    )


def _head_lines(blocks: Sequence[Block]) -> list[str]:
    """The lines of the first paragraphs; what may stand in a box does not count as one."""
    texts: list[str] = []
    number = 0
    for block in blocks:
        if block.kind == "table":
            texts += _pairs_in_cells(table_rows(block))
            continue
        number += not bit_of(block.text)
        if number > HEAD or len(texts) > 4 * HEAD:
            break
        texts += [line for line in block.text.split("\n") if line.strip()]
    return texts


def _subtitle(section: BookSection) -> str:
    """The short line wholly in another hand that stands first below the name."""
    first = section.blocks[0] if section.blocks else None
    if first is None or first.kind != "paragraph" or first.run_in:
        return ""
    line = first.text.strip()
    marked = line[:1] == line[-1:] and line[:1] in "*_"
    return plain_line(line) if marked and len(line.split()) <= 16 and "\n" not in line else ""


def _short_text(section: BookSection) -> str:
    words = " ".join(plain_line(block.text) for block in section.blocks[:2])
    return words if 0 < len(words.split()) <= SHORT else ""


def _pairs_in_cells(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a grid whose cells each hold a label and its value (`STR 65`, `Move: 8`), as
    lines."""
    cells = [cell for row in rows for cell in row if cell]
    paired = sum(1 for cell in cells if _PAIR.fullmatch(cell))
    if paired < max(3, MOST_PAIRS * len(cells)):
        return []
    return [", ".join(filter(None, row)) for row in rows]


def _label_column(blocks: Sequence[Block], known: frozenset[str]) -> dict[str, str]:
    """Tables that set labels in one column and values in the next, once or twice in a row: the
    values are numbers, or other sections have tables with the same labels."""
    told: dict[str, str] = {}
    for block in blocks:
        if _has_labels(pairs := _two_columns(block), known):
            told |= {label.rstrip(": "): value for label, value in pairs if label and value}
            continue
        rows = table_rows(block) if block.kind == "table" else []
        width = len(rows[0]) if rows else 0
        if len(rows) < 3 or width not in (2, 4) or len(rows) > HEAD or not _are_pairs(rows):
            continue
        for row in rows:
            doubled = zip(row[::2], row[1::2], strict=False)
            told |= {label.rstrip(": "): value for label, value in doubled if label and value}
    return told


def _has_labels(rows: Sequence[Sequence[str]], known: frozenset[str]) -> bool:
    """Whether the first column holds such labels, each once."""
    labels = [key_of(row[0]) for row in rows]
    shared = sum(1 for label in labels if label in known)
    return len(set(labels)) == len(labels) and shared >= max(2, MOST_PAIRS * len(labels))


def _are_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether every other column holds labels and the others their numbers, from the first row on:
    a table of things has heads, and one column of names."""
    labels = [cell for row in rows for cell in row[::2] if cell]
    values = [cell for row in rows for cell in row[1::2] if cell]
    worded = all(key_of(label) and not _DIGIT.search(label) for label in labels)
    counted = sum(1 for value in values if _DIGIT.search(value))
    headless = all(_DIGIT.search(cell) for cell in rows[0][1::2])
    return worded and headless and counted >= MOST_PAIRS * len(values)


def _one_row(blocks: Sequence[Block], known: frozenset[str]) -> dict[str, str]:
    """Heads and values of tables with a single row of values, as those of a creature's scores."""
    told: dict[str, str] = {}
    for block in blocks:
        rows = table_rows(block) if block.kind == "table" else []
        if _has_labels(_two_columns(block), known):
            continue
        if len(rows) == 2 and len(rows[0]) >= 2 and not _pairs_in_cells(rows):
            told |= {head: cell for head, cell in zip(*rows, strict=False) if head and cell}
    return told


def table_rows(block: Block) -> list[list[str]]:
    """The rows of a pipe table, marks taken off, its rule left out."""
    rows = map(_cells, block.text.splitlines())
    return [row for row in rows if set("".join(row)) - set(":- ")]


def _cells(line: str) -> list[str]:
    return [plain_line(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def line_members(sections: Sequence[BookSection]) -> Iterator[Member]:
    """Paragraphs and list items that open with a name, with the text below each up to the next."""
    for section in sections:
        for number, block in enumerate(section.blocks):
            if block.kind == "table":
                continue
            name = _named(block)
            if name:
                rest = plain_line(block.text)[len(name) :].lstrip(" .:–—")
                lines = _bracket_apart(rest)
                yield Member(
                    id=f"{section.id}#{number}",
                    name=name,
                    section=section,
                    path=section.heading_path,
                    page=block.page_start,
                    lines=lines,
                    leads=[opening(line) for line in lines],
                    inside=[block.bold_inside] * len(lines),
                    inline=True,
                )


def _bracket_apart(text: str) -> list[str]:
    """What brackets behind a name say in numbers (`Wolf (HD 2, Speed 9) It hunts ...`), and the
    text behind them, each as a line."""
    depth = 0
    for place, letter in enumerate(text if text.startswith("(") else ""):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            inside, rest = text[1:place], text[place + 1 :].strip(" .:–—")
            told = len(VALUE.findall(inside)) > 1
            return [line for line in (inside, rest) if line] if told else [text]
    return [text]


def tag_names(members: Sequence[Member]) -> bool:
    """Parts names from what follows a comma in small letters, where most members have it (`Silas
    Crane, harbour master`); `Dragon, Red` is a name."""
    tags = [tag if (tag := m.name.partition(", ")[2])[:1].islower() else "" for m in members]
    if sum(map(bool, tags)) < MOST_TAGGED * len(members):
        return False
    for member, tag in zip(members, tags, strict=True):
        member.tag = tag
    return True


def _named(block: Block) -> str:
    """The name a paragraph opens with: emphasised, or before a colon or a bracket with a number."""
    text = plain_line(block.text)
    lead = _NAME_END.sub("", opening(block.text)) if block.run_in else ""
    plain = re.match(r"([A-Z][\w’' -]{1,40}?)(?=\s?\([\d+-]{1,3}\):|:\s)", text)
    if plain and (not lead or len(plain[1]) < len(lead)):
        lead = plain[1].strip()
    return lead if 1 < len(lead) <= 60 and text.startswith(lead) and key_of(lead) else ""

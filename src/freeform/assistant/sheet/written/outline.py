"""A written page as parts under their headings, with its tables and every `Label: value` in it."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from freeform.assistant.sheet.written.tables import (
    distinct,
    explained,
    legend_of,
    paired,
    with_drawn_tables,
)

_HASHES = re.compile(r"^\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
_UNDERLINE = re.compile(r"^\s*(?:={3,}|-{3,}|~{3,})\s*$")
_DECORATED = re.compile(
    r"^\s*(?:[=*_~-]{2,}\s*(?P<a>[^=*_~|:]{2,40}?)\s*[=*_~-]{2,}|\[(?P<b>[^\]]{2,40})\])\s*$"
)
_SHOUTED = re.compile(r"^[A-Z][A-Z '&/-]{2,40}(?:\s*\([^)]*\))?:?$")
_ALONE = re.compile(
    r"^(?:\*\*|__)?(?P<label>[A-Za-z][\w '’/&()-]{1,40}?)(?:\*\*|__)?\s*:(?:\*\*|__)?\s*$"
)
_BOLD_ALONE = re.compile(r"^(?:\*\*|__)(?P<label>[^*_:]{2,40}?):?(?:\*\*|__):?\s*$")
BULLET = re.compile(r"^\s*(?:[-*+•‣]|\d{1,2}[.)])\s+")
_SPLIT = re.compile(r"\s+[·•|]\s+|\s*;\s+|\t+|\s{3,}")
_LABELLED = re.compile(
    r"^(?:\*\*|__|\*|_)?(?P<label>[A-Za-z][\w '’/&.()-]{0,40}?(?:, [\w-]+)?)"
    r"(?:\*\*|__|\*|_)?\s*[:=]"
    r"\s*(?:\*\*|__|\*|_)?\s*(?P<value>\S.*)$"
)
_BOLD = re.compile(r"^(?:\*\*|__)(?P<label>[^*_]{1,40}?)[:.]?(?:\*\*|__)[:.]?\s+(?P<value>\S.*)$")
_COUNTED = re.compile(r"^(?P<label>[A-Za-z][A-Za-z' ]{0,28}?)\s+(?P<value>[+-]?\d.*)$")
_BRACKETED = re.compile(r"\s*\([^)]*\)")
_ALIGNED = re.compile(r"(?<=[:=])\s{2,}(?=\S)")
"""Between a label and a value that stands in a column."""
_OWN_PART = re.compile(
    r"(?:sav(?:es|ing throws)|skills|proficiencies|languages|money|coins)\b", re.I
)
LONGEST_BARE = 4
"""Words of a heading that nothing marks as one."""
_MARKS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=[\w.!?)])[*_](?!\w)")


_KINDS = {
    "gear": (
        "gear|equipment|inventor|belongings|possessions|items?\\b|stuff|loot|treasure"
        "|carr(?:y|ied|ies)|backpack|pack\\b|bags?\\b"
    ),
    "fight": "attacks?|weapons?|combat|actions?",
    "magic": "spells?|cantrips?|spellbook|grimoire|magic$",
    "feature": (
        "features?|traits?|feats?|abilities$|powers?|talents?|special|class\\b|moves\\b|racial"
    ),
    "story": (
        "story|backstory|background|who |about|personality|history|notes|bio|appearance|looks"
        "|description"
    ),
}


def part_kind(heading: str) -> str:
    """What stands under a heading, by its words; '' where they do not tell."""
    plainly = heading.lower()
    found = (kind for kind, words in _KINDS.items() if re.search(rf"\b(?:{words})", plainly))
    return next(found, "")


@dataclass(frozen=True)
class SheetLabel:
    """A label and what stands behind it, under a heading."""

    label: str
    value: str
    heading: str
    line: str


@dataclass
class WrittenPart:
    """The lines under one heading, and the rows of the tables among them."""

    heading: str
    lines: list[str] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)

    def groups(self) -> Iterator[tuple[str, list[str]]]:
        """Lines under a label that stands alone, `Backpack:`, with that label; the others under
        ''."""
        label, held = "", list[str]()
        for line in self.lines:
            said = line.strip()
            alone = _BOLD_ALONE.match(said)
            if alone is None and not BULLET.match(line):
                alone = _ALONE.match(said)
            if alone:
                yield label, held
                label, held = alone["label"].strip(), []
            elif not line.strip() and held:
                yield label, held
                label, held = "", []
            elif line.strip():
                held.append(line)
        yield label, held


def parts_of(text: str) -> list[WrittenPart]:
    """The page in parts; what comes before any heading is under ''."""
    lines = with_drawn_tables(text).split("\n")
    parts = [WrittenPart("")]
    columns: list[str] = []
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else ""
        heading = _heading(line, after)
        if not heading and (at == 0 or not lines[at - 1].strip()) and after.strip():
            heading = _bare_heading(line)
        listed = part_kind(parts[-1].heading) == "gear" and _BOLD_ALONE.match(line.strip())
        if heading and not listed:
            parts.append(WrittenPart(heading))
            columns = []
        elif line.strip().startswith("|"):
            columns = _table_line(line, [] if _is_rule(after) else columns, parts[-1])
        elif not _UNDERLINE.match(line):
            columns = [] if line.strip() else columns
            parts[-1].lines.append(line)
    for part in parts:
        legend = legend_of(part.lines) if part.rows else {}
        part.rows = [explained(row, legend) for row in part.rows]
    return parts


def _heading(line: str, following: str) -> str:
    """The heading that a line is, or ''."""
    if _UNDERLINE.match(line):
        return ""
    if hit := _HASHES.match(line):
        return plain(hit[2])
    if hit := _DECORATED.match(line):
        return plain(hit["a"] or hit["b"] or "")
    stripped = line.strip()
    underlined = _UNDERLINE.match(following) and 0 < len(stripped.split()) <= 6
    if (
        stripped
        and not BULLET.match(line)
        and "|" not in line
        and (underlined or _SHOUTED.match(stripped))
    ):
        return plain(stripped.rstrip(":"))
    return ""


def _bare_heading(line: str) -> str:
    """A short line after an empty one that names a part of a sheet: `Class Features`."""
    said = plain(_BRACKETED.sub("", line))
    listed = BULLET.match(line) or set(":|,.") & set(said) or any(c.isdigit() for c in said)
    if listed or not said[:1].isupper() or len(said.split()) > LONGEST_BARE:
        return ""
    return said if part_kind(said) or _OWN_PART.match(said) else ""


def _is_rule(line: str) -> bool:
    """Whether a line parts the head of a table from its rows."""
    cells = line.strip().strip("|").split("|")
    return all(re.fullmatch(r":?-+:?", cell.replace(" ", "")) for cell in cells)


def _table_line(line: str, columns: list[str], part: WrittenPart) -> list[str]:
    """Adds a row of a table to its part; gives the names of the columns."""
    if _is_rule(line):
        return columns
    cells = [plain(cell) for cell in line.strip().strip("|").split("|")]
    if not columns:
        return distinct(cells)
    part.rows.append(dict(zip(columns, cells, strict=False)))
    return columns


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """Words without marks of emphasis and links."""
    bare = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]|]+)\]\]|\[([^\]]+)\]\([^)]*\)", r"\1\2", text)
    return _MARKS.sub("", bare).strip()


def bare_line(line: str) -> str:
    """A line without its bullet and marks."""
    return plain(BULLET.sub("", line))


def labels_of(parts: list[WrittenPart]) -> list[SheetLabel]:
    """Every label with its value, in the order of the page."""
    found = []
    for part in parts:
        for line in part.lines:
            found += [
                SheetLabel(label, value, part.heading, line) for label, value in labelled(line)
            ]
        alike = Counter(map(tuple, part.rows))
        for row in part.rows:
            told = [(name.strip(), value) for name, value in row.items() if alike[tuple(row)] == 1]
            cells = list(row.values())
            remarks = len(cells) > 2 and not any(map(str.strip, list(row)[1:]))
            told += paired(*cells[:2]) if len(cells) == 2 or remarks else ()
            found += [
                SheetLabel(name, value, part.heading, name)
                for name, value in told
                if name and value
            ]
    return found


def labelled(line: str) -> list[tuple[str, str]]:
    """The labels of one line: `**AC** 16 · HP: 20 / 31`, `Name:    Oda      Class:   Bard 2`."""
    found = []
    for part in _SPLIT.split(_ALIGNED.sub(" ", BULLET.sub("", line).strip())):
        said = part.strip().strip(",")
        bold = _BOLD.match(said)
        if bold and bold["label"][-1:].isdigit():
            bold = None  # `**AC 18** (chain mail)`
        hit = _LABELLED.match(said) or bold or _COUNTED.match(plain(said))
        if hit:
            found.append((plain(hit["label"]).lower(), plain(hit["value"])))
    return found


WHOLE, WRAPPED = 60, 9
"""Words of a text that is told whole; of a line that the next one may go on from."""


def stretches(text: str) -> list[str]:
    """A short text whole; a longer one line by line, with the lines that go on from those before:
    what stands on other lines is something else."""
    if len(text.split()) <= WHOLE:
        return [text]
    found = list[str]()
    for line in filter(str.strip, text.split("\n")):
        goes_on = found and len(found[-1].split()) >= WRAPPED and found[-1][-1:] not in ".!?:)"
        if goes_on and not BULLET.match(line):
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return found

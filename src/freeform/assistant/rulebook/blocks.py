"""A book's text as headed blocks, from Markdown or HTML alike: level, heading, paragraphs as
Markdown."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import ClassVar

_ATX = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_SETEXT = re.compile(r"^(=+|-+)\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_SPACE = re.compile(r"\s+")


@dataclass
class BookBlock:
    """A heading and what stands under it, before the next heading."""

    level: int
    heading: str
    paragraphs: list[str] = field(default_factory=list)
    line: int = 0

    @property
    def text(self) -> str:
        return "\n\n".join(self.paragraphs)


def blocks_of_markdown(text: str) -> list[BookBlock]:
    """The blocks of a Markdown text; headings marked with # or underlined."""
    blocks = [BookBlock(0, "")]
    lines = text.replace("\r\n", "\n").split("\n")
    held: list[str] = []
    fenced = False

    def close() -> None:
        paragraph = "\n".join(held).strip("\n")
        if paragraph.strip():
            blocks[-1].paragraphs.append(paragraph)
        held.clear()

    for at, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        if not fenced and (atx := _ATX.match(line)):
            close()
            blocks.append(BookBlock(len(atx[1]), plain_heading(atx[2]), line=at + 1))
        elif (
            not fenced
            and (under := _SETEXT.match(line))
            and len(held) == 1
            and held[0].strip()
            and len(under[1]) > 2
        ):
            heading = held.pop()
            blocks.append(
                BookBlock(1 if under[1][0] == "=" else 2, plain_heading(heading), line=at)
            )
        elif not line.strip() and not fenced:
            close()
        else:
            held.append(line.rstrip())
    close()
    return [block for block in blocks if block.heading or block.paragraphs]


def plain_heading(text: str) -> str:
    """A heading without marks and stray spaces."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = _SPACE.sub(" ", text.replace("*", "").replace("`", "").replace("_", " ")).strip(" .:#")
    # Conversions from PDF leave letters standing alone: `Gladiato r`, `See I nvisibility`.
    text = re.sub(r"(?<=[a-z]{4}) (?=[b-z]$)", "", text)
    return re.sub(r"\b([B-Z]) (?=[a-z]{4})", r"\1", text)


_HANGING = re.compile(r"\b(and|of|the|against|or|with|for|from|in|to)$")


def joined(blocks: list[BookBlock]) -> list[BookBlock]:
    """Headings that were broken over two lines, whole again."""
    whole: list[BookBlock] = []
    for block in blocks:
        last = whole[-1] if whole else None
        if (
            last
            and not last.paragraphs
            and last.level == block.level
            and _HANGING.search(last.heading)
        ):
            last.heading, last.paragraphs = f"{last.heading} {block.heading}", block.paragraphs
        else:
            whole.append(block)
    return whole


def blocks_of_html(text: str) -> list[BookBlock]:
    """The blocks of an HTML text."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end_paragraph()
    return [block for block in reader.blocks if block.heading or block.paragraphs]


class _Reader(HTMLParser):
    """Walks the tags; keeps headings, paragraphs, lists, tables, bold and italic."""

    MARKS: ClassVar[dict[str, str]] = {"b": "**", "strong": "**", "i": "*", "em": "*"}
    SKIP = frozenset({"script", "style", "head", "nav", "title"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks = [BookBlock(0, "")]
        self._text: list[str] = []
        self._heading = 0
        self._skipping = 0
        self._row: list[str] | None = None
        self._table: list[list[str]] = []
        self._marks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.SKIP:
            self._skipping += 1
        elif len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.end_paragraph()
            self._heading = int(tag[1])
        elif tag in ("p", "div", "section", "ul", "ol", "blockquote", "hr") and self._row is None:
            self.end_paragraph()
        elif tag == "li":
            self.end_paragraph()
            self._text.append("- ")
        elif tag == "br":
            self._text.append("\n" if not self._heading and self._row is None else " ")
        elif tag == "table":
            self.end_paragraph()
            self._table = []
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th"):
            self._text = []
        elif tag in self.MARKS and not self._heading and self._row is None:
            self._marks.append(tag)
            self._text.append(f"\x02{self.MARKS[tag]}")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.SKIP:
            self._skipping = max(0, self._skipping - 1)
        elif self._heading and tag == f"h{self._heading}":
            heading = plain_heading("".join(self._text))
            level, self._heading, self._text = self._heading, 0, []
            if heading:
                self.blocks.append(BookBlock(level, heading, line=self.getpos()[0]))
        elif tag in ("td", "th") and self._row is not None:
            self._row.append(_SPACE.sub(" ", "".join(self._text)).strip().replace("|", "/"))
            self._text = []
        elif tag == "tr" and self._row is not None:
            self._table.append(self._row)
            self._row = None
        elif tag == "table":
            self._end_table()
        elif tag in ("p", "div", "section", "li", "ul", "ol", "blockquote") and self._row is None:
            self.end_paragraph()
        elif tag in self.MARKS and self._marks and not self._heading and self._row is None:
            self._marks.pop()
            self._text.append(f"{self.MARKS[tag]}\x03")

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            self._text.append(data)

    def _end_table(self) -> None:
        rows = [row for row in self._table if any(row)]
        self._table = []
        if rows:
            width = max(map(len, rows))
            lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows]
            self.blocks[-1].paragraphs.append(
                "\n".join([lines[0], f"|{'---|' * width}", *lines[1:]])
            )

    def end_paragraph(self) -> None:
        """What was gathered, as a paragraph of Markdown."""
        if self._heading or self._row is not None:
            return
        text = "".join(self._text).replace("\x02***\x03", "")
        self._text, self._marks = [], []
        # A mark must touch its word: the spaces inside go outside.
        text = re.sub(r"\x02(\*+)(\s*)", r"\2\1", text)
        text = re.sub(r"(\s*)(\*+)\x03", r"\2\1", text)
        text = "\n".join(_SPACE.sub(" ", line).strip() for line in text.split("\n")).strip()
        text = re.sub(
            r"^•\s*",
            "- ",
            re.sub(r"\*\*(\s*)\*\*|(?<!\*)\*(\s+)\*(?!\*)", lambda m: m[1] or m[2] or "", text),
        )
        if text:
            self.blocks[-1].paragraphs.append(text)

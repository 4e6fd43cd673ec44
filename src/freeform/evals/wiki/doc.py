"""A wiki page before it is rendered: as Markdown with its structure, as MediaWiki's HTML, as
wikitext."""

import hashlib
import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from freeform.lore.ports import Infobox, InfoboxRow, PageHeading, PageLink, TableBlock, WebPage
from freeform.lore.read.claims import digest

_LINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
Exists = Callable[[str], bool]


@dataclass(frozen=True)
class WikiBlock:
    """A part of a page. Texts carry `[[Title|words]]` for links."""

    kind: Literal["heading", "text", "list", "table"]
    text: str = ""
    items: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """Of a table: the first is its header."""


@dataclass(frozen=True)
class Doc:
    """One page of one site."""

    title: str
    box: str = ""
    """The infobox template's name."""
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    blocks: tuple[WikiBlock, ...] = ()
    categories: tuple[str, ...] = ()
    redirects: tuple[str, ...] = field(default=())

    @property
    def revision(self) -> str:
        """A number that changes with the words."""
        return str(int(hashlib.sha256(self.wikitext().encode()).hexdigest()[:8], 16))

    def wikitext(self) -> str:
        """As an editor sees it."""
        rows = "".join(f"| {label} = {', '.join(values)}\n" for label, values in self.facts)
        parts = [f"{{{{{self.box}\n{rows}}}}}"] if self.box else []
        for block in self.blocks:
            match block.kind:
                case "heading":
                    parts.append(f"== {block.text} ==")
                case "text":
                    parts.append(block.text)
                case "list":
                    parts.append("\n".join(f"* {item}" for item in block.items))
                case "table":
                    body = "\n|-\n".join(
                        "\n".join(f"| {cell}" for cell in row) for row in block.rows
                    )
                    parts.append(f'{{| class="wikitable"\n{body}\n|}}')
        return "\n\n".join([*parts, *(f"[[Category:{name}]]" for name in self.categories)])


@dataclass(frozen=True)
class Rendering:
    """Where a page stands and what it may be used for."""

    base: str
    domain: str
    tier: int
    licence: str
    exists: Exists

    def url(self, title: str) -> str:
        """A page's address."""
        return f"{self.base}/wiki/{quote(title.replace(' ', '_'))}"

    def page(self, doc: Doc, at: str = "") -> WebPage:
        """The page as a crawler would store it."""
        return _Writer(self).page(doc, at)

    def html(self, doc: Doc) -> str:
        """The page's content as MediaWiki renders it."""
        return _html(self, doc)


class _Writer:
    """Writes Markdown and remembers where everything stands."""

    def __init__(self, made: Rendering) -> None:
        self.made, self.text, self.links = made, "", list[PageLink]()

    def say(self, marked: str) -> list[PageLink]:
        """The words with their links noted."""
        before, position = len(self.links), 0
        for found in _LINK.finditer(marked):
            self.text += marked[position : found.start()]
            title, words = found[1], found[2] or found[1]
            link = PageLink(
                title=title, url=self.made.url(title), text=words, start=len(self.text), exists=self.made.exists(title)
            )  # fmt: skip
            self.links.append(link)
            self.text += words
            position = found.end()
        self.text += marked[position:]
        return self.links[before:]

    def page(self, doc: Doc, at: str) -> WebPage:
        rows: list[InfoboxRow] = []
        for label, values in doc.facts:
            row_start = len(self.text)
            self.text += f"{label}: "
            start, links = len(self.text), list[PageLink]()
            for number, value in enumerate(values):
                self.text += ", " if number else ""
                links += self.say(value)
            plain = [_LINK.sub(lambda m: m[2] or m[1], value) for value in values]
            rows.append(
                InfoboxRow(
                    label=label, value=self.text[start:], start=start, end=len(self.text), row_start=row_start,
                    links=links, parts=plain if len(plain) > 1 else [],
                )
            )  # fmt: skip
            self.text += "\n"
        self.text += "\n" if rows else ""
        tables: list[TableBlock] = []
        marks: list[tuple[str, int, int]] = []
        for block in doc.blocks:
            self.block(block, marks, tables)
        ends = [line for _, line, _ in marks[1:]] + [len(self.text)]
        headings = [
            PageHeading(title=t, level=2, start=s, end=e)
            for (t, _, s), e in zip(marks, ends, strict=False)
        ]
        made = self.made
        return WebPage(
            url=made.url(doc.title), title=doc.title, text=self.text, headings=headings,
            infobox=Infobox(kind=doc.box, rows=rows) if doc.box else None, tables=tables, links=self.links,
            categories=list(doc.categories), redirects=list(doc.redirects), revision=doc.revision,
            sha256=digest(self.text), licence=made.licence, domain=made.domain, tier=made.tier, fetched_at=at,
        )  # fmt: skip

    def block(
        self, block: WikiBlock, marks: list[tuple[str, int, int]], tables: list[TableBlock]
    ) -> None:
        match block.kind:
            case "heading":
                line = len(self.text)
                self.text += f"## {block.text}\n\n"
                marks.append((block.text, line, len(self.text)))
            case "text":
                self.say(block.text)
                self.text += "\n\n"
            case "list":
                for item in block.items:
                    self.text += "- "
                    self.say(item)
                    self.text += "\n"
                self.text += "\n"
            case "table":
                plain = [
                    [_LINK.sub(lambda m: m[2] or m[1], cell) for cell in row] for row in block.rows
                ]
                starts = []
                for number, row in enumerate(block.rows):
                    starts.append(len(self.text))
                    self.text += "| "
                    for nth, cell in enumerate(row):
                        self.text += " | " if nth else ""
                        self.say(cell)
                    self.text += " |\n" + ("|" + " --- |" * len(row) + "\n" if not number else "")
                self.text += "\n"
                section = marks[-1][0] if marks else ""
                tables.append(
                    TableBlock(header=plain[0], rows=plain[1:], starts=starts[1:], section=section)
                )


def _html(made: Rendering, doc: Doc) -> str:
    def inline(marked: str) -> str:
        parts, position = [], 0
        for found in _LINK.finditer(marked):
            parts.append(html.escape(marked[position : found.start()]))
            title, words = found[1], html.escape(found[2] or found[1])
            name = html.escape(title, quote=True)
            slugged = quote(title.replace(" ", "_"))
            if made.exists(title):
                parts.append(f'<a href="/wiki/{slugged}" title="{name}">{words}</a>')
            else:
                address = f"/index.php?title={slugged}&amp;action=edit&amp;redlink=1"
                parts.append(
                    f'<a href="{address}" class="new" title="{name} (page does not exist)">{words}</a>'
                )
            position = found.end()
        return "".join([*parts, html.escape(marked[position:])])

    out = []
    if doc.box:
        rows = "".join(
            f"<tr><th>{html.escape(label)}</th><td>{'<br/>'.join(map(inline, values))}</td></tr>"
            for label, values in doc.facts
        )
        caption = f'<tr><th colspan="2">{html.escape(doc.title)}</th></tr>'
        name = html.escape(doc.box, quote=True)
        out.append(f'<table class="infobox" data-template="{name}">{caption}{rows}</table>')
    for block in doc.blocks:
        match block.kind:
            case "heading":
                anchor = quote(block.text.replace(" ", "_"))
                out.append(
                    f'<h2><span class="mw-headline" id="{anchor}">{html.escape(block.text)}</span></h2>'
                )
            case "text":
                out.append(f"<p>{inline(block.text)}</p>")
            case "list":
                out.append(
                    "<ul>" + "".join(f"<li>{inline(item)}</li>" for item in block.items) + "</ul>"
                )
            case "table":
                head = "".join(f"<th>{inline(cell)}</th>" for cell in block.rows[0])
                body = "".join(
                    "<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>"
                    for row in block.rows[1:]
                )
                out.append(f'<table class="wikitable"><tbody><tr>{head}</tr>{body}</tbody></table>')
    return f'<div class="mw-parser-output">{"".join(out)}</div>'

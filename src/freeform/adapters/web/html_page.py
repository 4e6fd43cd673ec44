"""HTML to a page: its text as Markdown, with the infobox, tables, headings and links that a wiki
keeps its facts in."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, unquote, urljoin, urlsplit

from lxml import html as lxml_html

from freeform.adapters.web.blocks import PageWriter, Run, plain
from freeform.lore.ports import PageLink

SKIPPED_TAGS = frozenset(
    "script style noscript template svg math form nav button input select textarea iframe object audio video img "
    "head footer link meta".split()
)
SKIPPED_CLASSES = re.compile(
    r"mw-editsection|navbox|\btoc\b|noprint|catlinks|mw-jump|reference\b|mw-references|\bmetadata\b|hatnote|"
    r"sistersitebox|mw-empty-elt|printfooter|cite_ref|mw-indicators|site-?nav|cookie|pi-navigation|breadcrumb|"
    r"dw__toc|\bpageId\b|\bdocInfo\b|\bsignature\b|postprofile|pagination|skip-?link|sharedaddy|siteNotice"
)
BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header "
    "hr html li main ol p pre section summary table ul".split()
)
SPACES = frozenset(
    "special file image user talk help template category mediawiki portal module draft user_talk file_talk".split()
)
"""Namespaces of a wiki whose pages tell nothing of the world."""
_KIND = re.compile(r"(?:infobox|pi-theme)[-_]+([\w-]+)")
_LOOKS = frozenset(
    "infobox portable-infobox vcard bordered biography plainlist noexcerpt float-right wikitable".split()
)
"""Classes of an infobox that say how it looks, not what it is about."""
LONGEST_LABEL = 40
_NOTICES = re.compile(r"hatnote|siteNotice|version-banner|\bambox\b|\bmbox|\bnotice\b|admonition")


class HtmlReader:
    """Reads one document. `url` is where it was found: links are resolved against it."""

    def __init__(self, url: str) -> None:
        self._url, self._host = url, urlsplit(url).netloc.lower()
        self.page = PageWriter()
        self._box: Any = None

    def read(self, root: Any) -> PageWriter:
        """Everything below that element."""
        self._box = next(iter(self._infoboxes(root)), None)
        if self._box is not None:
            # First, wherever it stands: a page begins with its facts.
            self._facts(self._box)
        self._blocks(root)
        return self.page

    # ── blocks ──

    def _blocks(self, element: Any) -> None:
        run: Run = []
        self._flow(element, run)
        self.page.paragraph(run)

    def _flow(self, element: Any, run: Run) -> None:
        """Text and inline elements gather in `run`; a block writes it out first."""
        if element.text:
            run.append((element.text, None))
        for child in element:
            if isinstance(child.tag, str) and not _skipped(child):
                if child.tag in BLOCKS or (child.tag not in ("br", "a") and _holds_block(child)):
                    self.page.paragraph(run)
                    run.clear()
                    self._block(child)
                else:
                    run += self._inline(child)
            if child.tail:
                run.append((child.tail, None))

    def _block(self, element: Any) -> None:
        tag = element.tag
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.page.heading(int(tag[1]), self._inside(element))
        elif tag in ("ul", "ol"):
            self._list(element, 0)
            self.page.blank()
        elif element is self._box or _is_infobox(element):
            return
        elif tag == "dl":
            self._definitions(element)
        elif tag == "table":
            self._table(element)
        else:
            self._blocks(element)

    def _list(self, element: Any, depth: int) -> None:
        mark = "- "
        for number, item in enumerate(
            (i for i in element if i.tag == "li" and not _skipped(i)), start=1
        ):
            if element.tag == "ol":
                mark = f"{number}. "
            own: Run = [(item.text or "", None)]
            inner = []
            for child in item:
                if child.tag in ("ul", "ol"):
                    inner.append(child)
                elif isinstance(child.tag, str) and not _skipped(child):
                    own += self._inline(child)
                own.append((child.tail or "", None))
            self.page.paragraph(own, prefix="  " * depth + mark, end="\n")
            for each in inner:
                self._list(each, depth + 1)

    def _definitions(self, element: Any) -> None:
        term: Run = []
        for child in element:
            if child.tag == "dt":
                self.page.paragraph(term, prefix="- ", end="\n")
                term = self._inside(child)
            elif child.tag == "dd":
                value = self._inside(child)
                self.page.paragraph(
                    [*term, (": ", None), *value] if term else value, prefix="- ", end="\n"
                )
                term = []
        self.page.paragraph(term, prefix="- ", end="\n")
        self.page.blank()

    def _table(self, element: Any) -> None:
        rows = [
            row for row in element.iter("tr") if next(row.iterancestors("table"), None) is element
        ]
        cells = [
            [cell for cell in row if cell.tag in ("td", "th") and not _skipped(cell)]
            for row in rows
        ]
        cells = [row for row in cells if row]
        if any(True for row in cells for cell in row for _ in cell.iter("table")) or all(
            len(row) < 2 for row in cells
        ):
            # A table for layout: what stands in its cells is read like the rest.
            for row in cells:
                for cell in row:
                    self._blocks(cell)
            return
        header = cells[0] if cells and all(cell.tag == "th" for cell in cells[0]) else []
        caption = next((plain(self._inside(each)) for each in element if each.tag == "caption"), "")
        body = cells[1:] if header else cells
        self.page.table(
            caption,
            [self._inside(cell) for cell in header],
            [[self._cell(cell) for cell in row] for row in body],
        )

    def _cell(self, cell: Any) -> Run:
        """What a cell holds; several lines or items with commas between."""
        run: Run = []
        for value in self._values(cell):
            if plain(value):
                run += [(", ", None), *value] if run else value
        return run

    # ── the infobox ──

    def _infoboxes(self, root: Any) -> Iterator[Any]:
        """Boxes by their class or id; on a page without one, the list of definitions or the
        two-column table it begins with, inside a table for layout or not."""
        yield from (each for each in root.iter("table", "aside", "div") if _is_infobox(each))
        for each in root.iter("dl", "table", "h2", "h3"):
            if any(_skipped(above) for above in (each, *each.iterancestors())):
                continue
            if each.tag in ("h2", "h3"):
                return
            if is_fact_list(each):
                yield each
                return

    def _facts(self, box: Any) -> None:
        kind = _kind(box)
        rows: list[tuple[str, list[Run]]] = []
        if box.tag == "table":
            for row in box.iter("tr"):
                cells = [cell for cell in row if cell.tag in ("th", "td")]
                if len(cells) == 2:
                    rows.append((_label(plain(self._inside(cells[0]))), self._values(cells[1])))
        elif box.tag == "dl":
            rows = self._pairs(box)
        else:
            for item in box.iter("div", "section", "tr"):
                label = next(
                    (each for each in item.iter() if "pi-data-label" in _classes(each)), None
                )
                value = next(
                    (each for each in item.iter() if "pi-data-value" in _classes(each)), None
                )
                marks = set(_classes(item).split())
                shown = marks & {"pi-data", "pi-item"} and "pi-group" not in marks
                if shown and label is not None and value is not None:
                    rows.append((_label(plain(self._inside(label))), self._values(value)))
            rows += self._side_by_side(box)
            if not rows:
                rows = [pair for inner in box.iter("dl") for pair in self._pairs(inner)]
            for row in box.iter("tr") if not rows else ():
                cells = [cell for cell in row if cell.tag in ("th", "td")]
                if len(cells) == 2:
                    rows.append((_label(plain(self._inside(cells[0]))), self._values(cells[1])))
        self.page.facts(kind, rows)

    def _side_by_side(self, box: Any) -> list[tuple[str, list[Run]]]:
        """Facts of a portable infobox whose labels stand in one row and values in the next."""
        rows: list[tuple[str, list[Run]]] = []
        for table in box.iter("table"):
            if "pi-horizontal-group" in _classes(table):
                labels = [_label(plain(self._inside(cell))) for cell in table.iter("th")]
                values = [self._values(cell) for cell in table.iter("td")]
                rows += list(zip(labels, values, strict=False))
        return rows

    def _pairs(self, element: Any) -> list[tuple[str, list[Run]]]:
        """A list of definitions as rows: every `dd` below a `dt` is one of its values."""
        rows: list[tuple[str, list[Run]]] = []
        for child in element.iter("dt", "dd"):
            if child.tag == "dt":
                rows.append((_label(plain(self._inside(child))), []))
            elif rows:
                rows[-1][1].extend(self._values(child))
        return [(label, values) for label, values in rows if values]

    def _values(self, cell: Any) -> list[Run]:
        """The separate values of a cell: items of a list, or lines."""
        items = [item for item in cell.iter("li") if not _skipped(item)]
        if items:
            return [self._inside(item) for item in items]
        lines: list[Run] = [[]]
        for text, link in self._inside(cell, breaks=True):
            if text == "\n" and link is None:
                lines.append([])
            else:
                lines[-1].append((text, link))
        return lines

    # ── lines ──

    def _inside(self, element: Any, breaks: bool = False) -> Run:
        """All of an element's text, blocks too, with a space between them."""
        run: Run = [(element.text, None)] if element.text else []
        for child in element:
            if isinstance(child.tag, str) and not _skipped(child):
                run += self._inline(child, breaks)
                if child.tag in BLOCKS:
                    run.append((" ", None))
            if child.tail:
                run.append((child.tail, None))
        return run

    def _inline(self, element: Any, breaks: bool = False) -> Run:
        if element.tag == "br":
            return [("\n" if breaks else " ", None)]
        if element.tag == "a" and (link := self._link(element)):
            text = "".join(text for text, _ in self._inside(element))
            return [(text, link)] if text.strip() else []
        return self._inside(element, breaks)

    def _link(self, element: Any) -> PageLink | None:
        """A link to another page of the site; not to files, sections or the wiki's own rooms."""
        href = str(element.get("href") or "").strip()
        try:
            url = urljoin(self._url, href)
            parts = urlsplit(url)
        except ValueError:
            return None
        if not href or href.startswith("#") or parts.scheme not in ("http", "https"):
            return None
        if parts.netloc.lower() != self._host:
            return None
        asked = parse_qs(parts.query)
        missing = "new" in _classes(element).split() or "redlink" in asked
        named = str(element.get("title") or "").removesuffix(" (page does not exist)").strip()
        text = plain([("".join(element.itertext()), None)])
        if text and named == named.lower() and named.split(":")[-1] != text:
            named = ""  # Not a title but the id of a page, as DokuWiki writes it.
        title = named or asked.get("title", [""])[0] or text
        if any(_is_backstage(name) for name in (title, unquote(parts.path.rpartition("/")[2]))):
            return None
        if missing and asked.get("title"):
            url = urljoin(self._url, asked["title"][0].replace(" ", "_"))
        return PageLink(
            title=unquote(title).replace("_", " "), url=url.split("#", 1)[0], exists=not missing
        )


def parse(text: str) -> Any:
    """A document, however badly written."""
    # lxml refuses a text that names its own encoding; the text has been decoded already.
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    return lxml_html.document_fromstring(
        text or "<p></p>", parser=lxml_html.HTMLParser(encoding=None, no_network=True)
    )


def _classes(element: Any) -> str:
    return str(element.get("class") or "") if isinstance(element.tag, str) else ""


def _kind(box: Any) -> str:
    """What an infobox is about: its template's name, or the class that says it."""
    classes = _classes(box).split()
    told = [
        found[1] for each in classes if (found := _KIND.fullmatch(each)) and found[1] not in _LOOKS
    ]
    other = [
        each
        for each in classes
        if each not in _LOOKS and not each.startswith(("pi-", "infobox", "type-"))
    ]
    kind = str(box.get("data-template") or "") or next(iter(told + other), "")
    return re.sub(r"(?i)^infobox[\s_-]+", "", kind).replace("-", " ").replace("_", " ").strip()


def _is_infobox(element: Any) -> bool:
    marks = f"{_classes(element)} {element.get('id') or ''}"
    return bool(re.search(r"\binfobox|portable-infobox", marks)) and element.tag in (
        "table",
        "aside",
        "div",
    )


def is_fact_list(element: Any) -> bool:
    """Whether a list of definitions or a table says facts of the page: a label and what it is, at
    least twice."""
    if element.tag == "dl":
        return sum(child.tag == "dt" for child in element) >= 2 and any(
            child.tag == "dd" for child in element
        )
    if element.tag != "table" or any(True for _ in element.iterdescendants("table")):
        return False
    rows = [[cell for cell in row if cell.tag in ("th", "td")] for row in element.iter("tr")]
    facts = [row for row in rows if len(row) == 2 and _is_label(row[0]) and row[1].tag == "td"]
    strong = any(row[0].tag == "th" for row in facts)
    return len(facts) >= (1 if strong else 2) and all(
        len(row) == 1 or row in facts for row in rows if row
    )


def _is_label(cell: Any) -> bool:
    """Whether a cell names what the one beside it is: a head, all in bold, or with a colon."""
    said = " ".join(cell.text_content().split())
    if not said or len(said) > LONGEST_LABEL:
        return False
    bold = " ".join(part for each in cell.iter("b", "strong") for part in each.itertext())
    return cell.tag == "th" or said.endswith(":") or " ".join(bold.split()) == said


def notices_in(root: Any) -> list[str]:
    """What a page or its site says of itself above the text: for which time it holds, where else to
    look."""
    found = [
        " ".join(each.text_content().split())
        for each in root.iter("div", "table", "aside", "p")
        if _NOTICES.search(f"{_classes(each)} {each.get('id') or ''}")
    ]
    return list(dict.fromkeys(text[:300] for text in found if text))


def _skipped(element: Any) -> bool:
    if element.tag in SKIPPED_TAGS:
        return True
    marks = f"{_classes(element)} {element.get('id') or ''}"
    hidden = (
        "display:none" in str(element.get("style") or "").replace(" ", "").lower()
        or element.get("hidden") is not None
    )
    return hidden or (bool(marks.strip()) and bool(SKIPPED_CLASSES.search(marks)))


def _holds_block(element: Any) -> bool:
    return any(
        isinstance(each.tag, str) and each.tag in BLOCKS for each in element.iterdescendants()
    )


def _is_backstage(title: str) -> bool:
    """A page of the wiki itself: `File:Map.png`, `User talk:Mira`."""
    space, colon, _ = title.partition(":")
    return bool(colon) and space.strip().lower().replace(" ", "_") in SPACES


def _label(text: str) -> str:
    return text.rstrip(": ").strip()

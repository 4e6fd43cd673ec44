"""Reads a wiki page without a model: infobox, tables, lists under telling headings, links,
categories.

A page's text is Markdown: `## Heading`, `- item`, `| cell | cell |`. Everything found quotes its
own row or item.
"""

import re
from collections.abc import Iterable, Iterator

from freeform.core.record import Record
from freeform.core.text import slug
from freeform.lore.model import Claim, Kind
from freeform.lore.ports import InfoboxRow, PageHeading, PageLink, TableBlock, WebPage
from freeform.lore.read.claims import make_claim
from freeform.lore.read.values import Names, name_of, value_name
from freeform.lore.read.vocabulary import (
    Predicate,
    is_era,
    is_place,
    kind_of_words,
    label_form,
    predicate_of,
)

_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d+\.)[ \t]+(?P<said>\S.*)$", re.M)
_LABELLED = re.compile(r"^\**(?P<label>[A-Z][\w' ]{1,30}?)\**:\**\s+(?P<value>\S.*)$")
_ASIDE = frozenset(
    {
        "see also",
        "references",
        "external links",
        "trivia",
        "gallery",
        "navigation",
        "notes",
        "sources",
    }
)
_OF_A_TIME = re.compile(
    r"^(?:in |as of |until |before |since )?(?:version|patch|era|edition|expansion|v)\s*[\d.]+",
    re.I,
)
_FORMER = re.compile(r"^(?:formerly|before the|in the past|historical)\b", re.I)
_MARKS = re.compile(r"\*\*|__|\[\[|\]\]|`|\[(?=[^\]]*\]\()|\]\([^)]*\)")
_SPLIT = re.compile(r"\s*(?:,|;|·|•|\n| / )\s*(?:and\s+)?|\s+and\s+")
_NONE = frozenset({"", "none", "n a", "unknown", "no", "nobody", "nothing"})
_LONGEST_FACT = 120
_GUESSED: tuple[Kind, ...] = ("zone", "npc", "faction")
_KIND_LABELS = frozenset(
    {"type", "kind", "category", "classification", "region type", "zone type", "species of page"}
)
_COUNT = re.compile(
    r"^(?:about|around|approx\w*\.?|over|under|circa|c\.|some|roughly|nearly|~|≈)?\s*\d[\d.,' ]*"
    r"(?:\s*(?:hundred|thousand|million|billion|people|souls|inhabitants|folk))*$",
    re.I,
)


class PageKind(Record):
    """What a page is about. `place`: a place inside a zone, kept as lore."""

    kind: Kind
    place: bool = False
    sure: bool = True
    """Said by its infobox or its categories, not guessed."""


def kind_of(page: WebPage) -> PageKind:
    """By its infobox, then its categories, then the brackets in its title."""
    signs = [
        page.infobox.kind if page.infobox else "",
        *page.categories,
        *re.findall(r"\(([^)]*)\)", page.title),
    ]
    signs += [row.value for row in _rows(page) if label_form(row.label) in _KIND_LABELS]
    for sign in filter(None, signs):
        kind = kind_of_words(sign)
        if kind:
            return PageKind(kind=kind, place=kind == "lore" and is_place(sign))
    if (called := _called(page)) and (kind := kind_of_words(called)):
        return PageKind(kind=kind, place=kind == "lore" and is_place(called), sure=False)
    return PageKind(kind=_likely(page), sure=False)


def _likely(page: WebPage) -> Kind:
    """The kind whose labels the infobox uses; a page that goes on with He or She tells of a person;
    else lore."""
    labels = [row.label for row in _rows(page)]
    fits: list[tuple[int, Kind]] = [
        (sum(predicate_of(kind, w) is not None for w in labels), kind) for kind in _GUESSED
    ]
    most = max(count for count, _ in fits)
    best = [kind for count, kind in fits if count == most]
    if most and len(best) == 1:
        return best[0]
    return "npc" if re.search(r"[.!?]\s+(?:He|She)\s+[a-z]+", page.text) else "lore"


def _called(page: WebPage) -> str:
    """What a page's first sentence says it is about: `Delve is a mining town in the Copper
    Hills`."""
    title = re.escape(name_of(page.title))
    said = re.search(
        rf"\b{title}\b[^.\n]{{0,40}}?\b(?:is|are|was|were)\s+(?:an?|the|one of the)\s+([^.,;\n]+)",
        page.text,
    )
    return (
        re.split(r"\s(?:of|in|at|from|on|who|that|which|under|near)\s", said[1])[0] if said else ""
    )


def about(page: WebPage, names: Names) -> str:
    """The id of what a page is about."""
    return names.id(page.title)


def read_page(page: WebPage, names: Names, as_kind: Kind | None = None) -> list[Claim]:
    """Every claim that the page's structure makes on its subject, and on the things its tables
    list."""
    reader = _Reader(page, as_kind or kind_of(page).kind, names)
    found = [*reader.infobox(), *reader.tables(), *reader.lists()]
    kept: dict[tuple[str, ...], Claim] = {}
    for claim in found:
        if claim:
            kept.setdefault(
                (claim.subject_id, claim.predicate, claim.value_id or claim.value, claim.era), claim
            )
    return list(kept.values())


def body_links(page: WebPage) -> list[PageLink]:
    """The links in the page's own text, without those of its side sections and to itself."""
    aside = [h for h in page.headings if label_form(h.title) in _ASIDE]
    own, seen, found = slug(page.title), set[str](), []
    for link in page.links:
        name = slug(link.title)
        off = link.start < 0 or any(h.start <= link.start < h.end for h in aside)
        if not off and name != own and name not in seen:
            seen.add(name)
            found.append(link)
    return found


def without_marks(text: str) -> str:
    """Markdown's signs taken out of a value."""
    return _MARKS.sub("", text).strip()


class _Reader:
    def __init__(self, page: WebPage, kind: Kind, names: Names) -> None:
        self.page, self.kind, self.names = page, kind, names
        self.subject = name_of(page.title)
        self.subject_id = names.id(page.title)

    def infobox(self) -> Iterator[Claim | None]:
        for row in _rows(self.page):
            if is_era(row.label) or label_form(row.label) in ("name", "image", "title"):
                continue
            known = predicate_of(self.kind, row.label)
            if known and known.names and _COUNT.match(without_marks(row.value)):
                known = predicate_of(
                    self.kind, "population"
                )  # "Inhabitants: about 3,000" counts them and names none
                yield from (
                    self.say(known, row.label, row.value, (row.row_start, row.end), "infobox@1")
                    if known
                    else ()
                )
                continue
            parts = row.parts or (
                [link.title for link in row.links] if known and known.names else []
            )
            span = (row.row_start, row.end)
            yield from self.say(
                known, row.label, row.value, span, "infobox@1", parts=parts, links=row.links
            )

    def tables(self) -> Iterator[Claim | None]:
        for table in self.page.tables:
            heads = [label_form(head) for head in table.header]
            known = next(
                filter(
                    None,
                    (self.listing(word) for word in (table.section, table.caption, *heads[:1])),
                ),
                None,
            )
            for cells, start in zip(table.rows, table.starts, strict=False):
                end = self.page.text.find("\n", start)
                span = (start, end if end >= 0 else len(self.page.text))
                if known and known.type == "set" and cells:
                    name = value_name(without_marks(cells[0]))
                    yield self.claim(known, name, span, "table@1", self.era_at(start))
                    if known.names:
                        yield from self.columns(table, heads, cells, name, known, span)
                elif len(cells) == 2 and not known:
                    found = predicate_of(self.kind, cells[0])
                    if found:
                        yield from self.say(found, cells[0], cells[1], span, "table@1")

    def columns(
        self,
        table: TableBlock,
        heads: list[str],
        cells: list[str],
        name: str,
        listed: Predicate,
        span: tuple[int, int],
    ) -> Iterator[Claim | None]:
        """What the other columns of a listing say about the thing of the row."""
        kind: Kind = listed.names  # type: ignore[assignment]
        for head, cell in list(zip(heads, cells, strict=False))[1:]:
            known = predicate_of(kind, head)
            value = value_name(without_marks(cell))
            if known and known.type != "text" and label_form(value) not in _NONE:
                yield make_claim(
                    self.page, kind=kind, subject=name, subject_id=self.names.id(name), predicate=known.id,
                    value=value, value_id=self.names.id(value) if known.names else "", span=span,
                    extractor="table@1", era=self.era_at(span[0]),
                )  # fmt: skip

    def lists(self) -> Iterator[Claim | None]:
        for heading in self.page.headings:
            if label_form(heading.title) in _ASIDE:
                continue
            known = self.listing(heading.title)
            yield from self.linked(known, heading)
            for item in _ITEM.finditer(
                self.page.text, heading.start, _own_end(heading, self.page.headings)
            ):
                said, span = item["said"], (item.start("said"), item.end("said"))
                labelled = _LABELLED.match(said)
                if labelled and (found := predicate_of(self.kind, labelled["label"])):
                    yield from self.say(found, labelled["label"], labelled["value"], span, "list@1")
                elif known and known.type == "set":
                    linked = next(
                        (link for link in self.page.links if span[0] <= link.start < span[0] + 4),
                        None,
                    )
                    name = linked.title if linked and known.names else _leading_name(said)
                    yield self.claim(known, name_of(name), span, "list@1", self.era_at(span[0]))

    def linked(self, known: Predicate | None, heading: PageHeading) -> Iterator[Claim | None]:
        """The things that prose under a telling heading links to: `Landmarks: travellers visit
        [[Gull Tower]]`."""
        end = _own_end(heading, self.page.headings)
        if (
            known is None
            or known.type != "set"
            or not known.names
            or _ITEM.search(self.page.text, heading.start, end)
        ):
            return
        for link in self.page.links:
            if heading.start <= link.start < end:
                stop = self.page.text.find("\n", link.start)
                begin = self.page.text.rfind("\n", 0, link.start) + 1
                span = (begin, stop if stop >= 0 else len(self.page.text))
                if not self.page.text[begin:].lstrip().startswith(("|", "#")):
                    yield self.claim(
                        known, name_of(link.title), span, "prose@1", self.era_at(link.start)
                    )

    def listing(self, words: str) -> Predicate | None:
        return predicate_of(self.kind, words) if words else None

    def say(
        self,
        known: Predicate | None,
        label: str,
        value: str,
        span: tuple[int, int],
        extractor: str,
        *,
        parts: Iterable[str] = (),
        links: Iterable[PageLink] = (),
    ) -> Iterator[Claim | None]:
        """A labelled value: one claim, or one for each of its parts where several may stand side by
        side."""
        era = self.era_at(span[0])
        if known and known.type == "set":
            whole = list(parts) or [part for part in _SPLIT.split(without_marks(value)) if part]
            for part in whole:
                name = next((link.title for link in links if link.text == part), part)
                yield self.claim(known, value_name(without_marks(name)), span, extractor, era)
            return
        plain = without_marks(value)
        if known and known.names:
            linked = next(iter(links), None)
            plain = value_name(linked.title if linked else plain)
        if known or len(plain) <= _LONGEST_FACT:
            yield self.claim(known or Predicate(id=slug(label)), plain, span, extractor, era)

    def claim(
        self, known: Predicate, value: str, span: tuple[int, int], extractor: str, era: str
    ) -> Claim | None:
        if (
            label_form(value) in _NONE
            or (known.names and _COUNT.match(value))
            or self.itself(known, value)
        ):
            return None  # "Planets: 5" counts planets and names none.
        return make_claim(
            self.page, kind=self.kind, subject=self.subject, subject_id=self.subject_id, predicate=known.id,
            value=value, value_id=self.names.id(value) if known.names else "", span=span, extractor=extractor, era=era,
        )  # fmt: skip

    def itself(self, known: Predicate, value: str) -> bool:
        """A thing that is said to be connected with itself."""
        return known.names == self.kind and self.names.id(value) == self.subject_id

    def era_at(self, position: int) -> str:
        return era_at(self.page, position)


def era_at(page: WebPage, position: int) -> str:
    """The time a place in the page speaks of: its section's, else the page's."""
    for heading in reversed(page.headings):
        if heading.start <= position < heading.end and (
            _OF_A_TIME.match(heading.title) or _FORMER.match(heading.title)
        ):
            return heading.title
    return next((row.value for row in _rows(page) if is_era(row.label)), "")


def _rows(page: WebPage) -> list[InfoboxRow]:
    return page.infobox.rows if page.infobox else []


def _own_end(heading: PageHeading, headings: list[PageHeading]) -> int:
    """Where a section's own text ends: at its first subsection."""
    return min(
        (h.start for h in headings if heading.start < h.start < heading.end), default=heading.end
    )


def _leading_name(said: str) -> str:
    """The name an item begins with: `Kruger – three jumps from here` is Kruger."""
    return value_name(re.split(r"\s+[-–—]\s+|:\s|\s\(|,\s", without_marks(said))[0])

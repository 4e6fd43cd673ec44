"""Reads a wiki page without a model: infobox, tables, lists under telling headings, links,
categories.

A page's text is Markdown: `## Heading`, `- item`, `| cell | cell |`. Everything found quotes its
own row or item.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from freeform.core.text import slug
from freeform.lore.model import Claim, Kind
from freeform.lore.ports import InfoboxRow, PageHeading, PageLink, WebPage
from freeform.lore.read.claims import make_claim
from freeform.lore.read.eras import era_among, page_era, row_era, timed_headings
from freeform.lore.read.kinds import kind_of
from freeform.lore.read.meaning import Meaning
from freeform.lore.read.values import (
    ITEM,
    Names,
    leading_name,
    may_be_name,
    name_of,
    value_name,
    without_marks,
)
from freeform.lore.read.vocabulary import (
    Predicate,
    by_kinds,
    is_era,
    is_place,
    kind_under,
    label_form,
    predicate_of,
)

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
_LINE = re.compile(r"^[^\n|#-][^\n]*$", re.M)
_RANGE = re.compile(r"^\D*\d+\s*(?:-|–|—|to)\s*\d+")
_SPLIT = re.compile(r"\s*(?:,|;|·|•|\n| / )\s*(?:and\s+)?|\s+and\s+")
_NONE = frozenset({"", "none", "n a", "unknown", "no", "yes", "true", "false", "nobody", "nothing"})
_LONGEST_FACT = 120
_ANYTHING = frozenset({"name", "names", "who", "what", ""})
_ROW_KINDS: tuple[Kind, ...] = ("npc", "faction", "narrative_item")
_COUNT = re.compile(
    r"^(?:about|around|approx\w*\.?|over|under|circa|c\.|some|roughly|nearly|~|≈)?\s*\d[\d.,' ]*"
    r"(?:\s*(?:hundred|thousand|million|billion|people|souls|inhabitants|folk))*$",
    re.I,
)


def about(page: WebPage, names: Names) -> str:
    """The id of what a page is about."""
    return names.id(page.title)


def read_page(
    page: WebPage, names: Names, as_kind: Kind | None = None, meaning: Meaning | None = None
) -> list[Claim]:
    """Every claim that the page's structure makes on its subject, and on the things its tables
    list."""
    reader = _Reader(page, as_kind or kind_of(page).kind, names, meaning or Meaning())
    found = [*reader.infobox(), *reader.lines(), *reader.tables(), *reader.lists()]
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


class _Reader:
    def __init__(self, page: WebPage, kind: Kind, names: Names, meaning: Meaning) -> None:
        self.page, self.kind, self.names, self.meaning = page, kind, names, meaning
        self.subject = name_of(page.title)
        self.subject_id = names.id(page.title)
        # By where they stand: a page of megabytes has ten thousands of them.
        self.placed = sorted(page.links, key=lambda link: link.start)
        self.link_starts = [link.start for link in self.placed]
        self.heading_starts = sorted(heading.start for heading in page.headings)
        self.timed, self.era = timed_headings(page), page_era(page)

    def infobox(self) -> Iterator[Claim | None]:
        for row in _rows(self.page):
            if is_era(row.label) or self.is_caption(row.label):
                continue
            era, label = row_era(self.page, row)
            known = self.meaning.of(self.page, self.kind, label)
            if known and known.names and _COUNT.match(without_marks(row.value)):
                # "Inhabitants: about 3,000" counts them and names none.
                known = predicate_of(self.kind, "population")
                if known is None:
                    continue
            parts = row.parts or (
                [link.title for link in row.links] if known and known.names else []
            )
            span = (row.row_start, row.end)
            yield from self.say(
                self.ranged(known, row.value), label, row.value, span, "infobox@1",
                parts=parts, links=row.links, era=era,
            )  # fmt: skip

    def is_caption(self, label: str) -> bool:
        """A row that only repeats what the page is called; a person's title is their role."""
        form = label_form(label)
        return form in ("name", "image") or (form == "title" and self.kind != "npc")

    def ranged(self, known: Predicate | None, value: str) -> Predicate | None:
        """`Levels: 10-20` is for whom a zone is meant; `Levels: 5` is how many it has."""
        if known and known.id == "levels" and _RANGE.match(without_marks(value)):
            return predicate_of(self.kind, "level range")
        return known

    def lines(self) -> Iterator[Claim | None]:
        """Labelled lines of their own that a page begins with: `Run by: Free Merchants`."""
        first = min((h.start for h in self.page.headings if h.level > 1), default=None)
        taken = [(row.row_start, row.end) for row in _rows(self.page)]
        end = len(self.page.text) if first is None else first
        for line in _LINE.finditer(self.page.text, 0, end):
            labelled = _LABELLED.match(line[0])
            if labelled is None or _is_sentence(labelled["value"]):
                continue
            if any(start <= line.start() < stop for start, stop in taken):
                continue
            known = self.meaning.of(self.page, self.kind, labelled["label"])
            if known:
                yield from self.say(
                    self.ranged(known, labelled["value"]), labelled["label"], labelled["value"],
                    line.span(), "list@1", links=self.links_in(line.span()),
                )  # fmt: skip

    def links_in(self, span: tuple[int, int]) -> list[PageLink]:
        first, last = (bisect_left(self.link_starts, end) for end in span)
        return self.placed[first:last]

    def own_end(self, heading: PageHeading) -> int:
        """Where a section's own text ends: at its first subsection."""
        after = bisect_right(self.heading_starts, heading.start)
        following = self.heading_starts[after : after + 1]
        return min([*following, heading.end])

    def tables(self) -> Iterator[Claim | None]:
        for table in self.page.tables:
            heads = [label_form(head) for head in table.header]
            named = (table.section, table.caption, *heads[:1])
            known = next(filter(None, (self.listing(word) for word in named)), None)
            for cells, start in zip(table.rows, table.starts, strict=False):
                end = self.page.text.find("\n", start)
                span = (start, end if end >= 0 else len(self.page.text))
                if known and known.type == "set" and cells:
                    name = self.named_in(cells, heads, known, span)
                    yield self.claim(known, name, span, "table@1", self.era_at(start))
                    if known.names:
                        yield from self.columns(heads, cells, _as_kind(known), span)
                elif heads and (kind := _kind_of_rows(heads)) and len(cells) > 1:
                    yield from self.columns(heads, cells, kind, span)
                    yield from self.row_of(kind, cells[0], span)
                elif len(cells) == 2 and not known:
                    found = predicate_of(self.kind, cells[0])
                    if found:
                        yield from self.say(found, cells[0], cells[1], span, "table@1")

    def named_in(
        self, cells: list[str], heads: list[str], known: Predicate, span: tuple[int, int]
    ) -> str:
        """The thing a row of a listing is about: in the column that is headed so (`Direction | Leads
        to`), else in the first; by the title of its link where it has one."""
        of = [n for n, head in enumerate(heads) if n and self.listing(head) == known]
        cell = (
            cells[of[0]] if of and of[0] < len(cells) and not self.listing(heads[0]) else cells[0]
        )
        linked = [link.title for link in self.links_in(span) if link.text and link.text in cell]
        return name_of(linked[0]) if linked else value_name(without_marks(cell))

    def columns(
        self, heads: list[str], cells: list[str], kind: Kind, span: tuple[int, int]
    ) -> Iterator[Claim | None]:
        """What the other columns of a table say about the thing of the row, whatever the page is
        about."""
        subject = value_name(without_marks(cells[0]))
        for head, cell in list(zip(heads, cells, strict=False))[1:]:
            known = predicate_of(kind, head)
            if known is None or known.type == "text":
                continue
            parts = _SPLIT.split(without_marks(cell)) if known.type == "set" else [cell]
            for part in parts:
                value = value_name(without_marks(part))
                if label_form(value) in _NONE:
                    continue
                yield make_claim(
                    self.page, kind=kind, subject=subject, subject_id=self.names.id(subject), predicate=known.id,
                    value=value, value_id=self.names.id(value) if known.names else "", span=span,
                    extractor="table@1", era=self.era_at(span[0]),
                )  # fmt: skip

    def row_of(self, kind: Kind, cell: str, span: tuple[int, int]) -> Iterator[Claim | None]:
        """A thing that has a row on the page of a zone is one of its people, places or factions."""
        known = by_kinds(self.kind, kind)
        if self.kind == "zone" and known and kind != "zone":
            name = value_name(without_marks(cell))
            yield self.claim(known, name, span, "table@1", self.era_at(span[0]))

    def lists(self) -> Iterator[Claim | None]:
        for heading in self.page.headings:
            if label_form(heading.title) in _ASIDE:
                continue
            known = self.listing(heading.title)
            yield from self.linked(predicate_of(self.kind, heading.title), heading)
            for item in ITEM.finditer(self.page.text, heading.start, self.own_end(heading)):
                said, span = item["said"], (item.start("said"), item.end("said"))
                labelled = _LABELLED.match(said)
                found = self.listing(labelled["label"]) if labelled else None
                if labelled and found and not (known and _is_name(labelled["label"])):
                    yield from self.say(found, labelled["label"], labelled["value"], span, "list@1")
                elif known and known.type == "set":
                    linked = self.links_in((span[0], span[0] + 4)) if known.names else []
                    name = linked[0].title if linked else leading_name(said)
                    yield self.claim(known, name_of(name), span, "list@1", self.era_at(span[0]))

    def linked(self, known: Predicate | None, heading: PageHeading) -> Iterator[Claim | None]:
        """The things that prose under a telling heading links to: `Landmarks: travellers visit
        [[Gull Tower]]`."""
        if known is None or known.type != "set" or not known.names:
            return
        end = self.own_end(heading)
        if ITEM.search(self.page.text, heading.start, end):
            return
        for link in self.links_in((heading.start, end)):
            stop = self.page.text.find("\n", link.start)
            begin = self.page.text.rfind("\n", 0, link.start) + 1
            span = (begin, stop if stop >= 0 else len(self.page.text))
            if not self.page.text[begin : span[1]].lstrip().startswith(("|", "#")):
                yield self.claim(
                    known, name_of(link.title), span, "prose@1", self.era_at(link.start)
                )

    def listing(self, words: str) -> Predicate | None:
        return self.meaning.of(self.page, self.kind, words) if words else None

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
        era: str | None = None,
    ) -> Iterator[Claim | None]:
        """A labelled value: one claim, or one for each of its parts where several stand side by
        side, as they may for a set and as the page's own lines say for anything that names."""
        era = self.era_at(span[0]) if era is None else era
        listed = list(parts)
        if known and (known.type == "set" or (known.names and len(listed) > 1)):
            whole = listed or [part for part in _SPLIT.split(without_marks(value)) if part]
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
            or (known.names and (_COUNT.match(value) or not may_be_name(value)))
            or self.itself(known, value)
        ):
            return None  # "Planets: 5" counts planets and names none.
        # A faction may have the name of its seat.
        namesake = self.names.id(value) == self.subject_id
        fitting = (
            known if namesake else self.meaning.fitting(self.kind, known, self.names.id(value))
        )
        if fitting is None:
            return None
        known = fitting
        return make_claim(
            self.page, kind=self.kind, subject=self.subject, subject_id=self.subject_id, predicate=known.id,
            value=value, value_id=self.names.id(value) if known.names else "", span=span, extractor=extractor, era=era,
        )  # fmt: skip

    def itself(self, known: Predicate, value: str) -> bool:
        """A thing that is said to be connected with itself."""
        return known.names == self.kind and self.names.id(value) == self.subject_id

    def era_at(self, position: int) -> str:
        return era_among(self.timed, position) or self.era


def _kind_of_rows(heads: list[str]) -> Kind | None:
    """The kind of things that a table has a row for: by the head of its first column, else by what
    the other columns tell of them."""
    kind = kind_under(heads[0])
    if kind is not None and (kind != "lore" or is_place(heads[0])):
        return kind
    if heads[0] not in _ANYTHING:
        return None
    fits = [each for each in _ROW_KINDS if any(predicate_of(each, head) for head in heads[1:])]
    return fits[0] if len(fits) == 1 else None


def _is_name(label: str) -> bool:
    """Whether what stands before a colon is someone's name and no label: `Maria Serrano: a tailor`."""
    return len(label.split()) > 1 and all(word[:1].isupper() for word in label.split())


def _is_sentence(value: str) -> bool:
    """Whether a colon only happens to stand in a sentence: `Stone Tower: Cellar is a room of …`."""
    return value.rstrip().endswith(".") or len(value) > _LONGEST_FACT


def _as_kind(known: Predicate) -> Kind:
    return known.names  # type: ignore[return-value]


def _rows(page: WebPage) -> list[InfoboxRow]:
    return page.infobox.rows if page.infobox else []

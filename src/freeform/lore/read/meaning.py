"""What a wiki's own labels mean: known words first, then the noun a label turns on, then the kind
of what stands under it on the pages of that wiki."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from pydantic import Field

from freeform.core.record import Record
from freeform.lore.model import Kind
from freeform.lore.ports import WebPage
from freeform.lore.read.values import ITEM, Names, leading_name, value_name
from freeform.lore.read.vocabulary import (
    Predicate,
    by_head,
    by_kinds,
    label_form,
    predicate_of,
    vocabulary,
)

LEAST_SHARE = 0.7
"""So much of what is known under a label must be of one kind."""
LEAST_KNOWN = 0.3
"""And of so much of what stands under it the kind must be known."""


class Meaning(Record):
    """Labels that were learned: `site|kind|label` to the kind of thing that stands under it."""

    learned: dict[str, Kind] = Field(default_factory=dict)
    kinds: dict[str, Kind] = Field(default_factory=dict)
    """Of the things that have pages of their own, by id."""
    told: dict[str, str] = Field(default_factory=dict)
    """What a person says that labels mean: `site|kind|label` to a predicate, or to nothing."""

    def of(self, page: WebPage, kind: Kind, label: str) -> Predicate | None:
        """The predicate a label of that page means for such a subject; a person's word counts
        before any other."""
        return self._meant(label_key(page, kind, label), kind, label)

    def _meant(self, key: str, kind: Kind, label: str) -> Predicate | None:
        if told := self.told.get(key):
            return vocabulary().predicates[kind].get(told)
        known = predicate_of(kind, label)
        if known:
            return known
        values = self.learned.get(key)
        return by_kinds(kind, values) if values else by_head(kind, label)

    def use_of(self, key: str) -> "LabelUse":
        """What the label `site|kind|label` is taken for."""
        _, said, label = key.split("|", 2)
        kind: Kind = said  # type: ignore[assignment]
        known = self._meant(key, kind, label)
        because = _because(key, kind, label, self) if known else ""
        return LabelUse(means=known.id if known else "", because=because)

    def fitting(self, kind: Kind, known: Predicate, value_id: str) -> Predicate | None:
        """The predicate with that value: `Inhabitants: Drakes` names a faction where Drakes are
        one; None where a thing of that kind cannot stand there."""
        is_one = self.kinds.get(value_id)
        if kind != "zone" or not known.names or is_one is None or is_one == known.names:
            return known
        if {known.names, is_one} <= {"zone", "lore"}:
            return known
        return None if is_one in ("zone", "lore") else by_kinds(kind, is_one)


def label_key(page: WebPage, kind: Kind, label: str) -> str:
    """A label on its wiki."""
    return f"{page.domain}|{kind}|{label_form(label)}"


def learn(
    pages: Iterable[tuple[WebPage, Kind]],
    kinds: Mapping[str, Kind],
    names: Names,
    told: Mapping[str, str] | None = None,
) -> Meaning:
    """What the labels that no word list knows hold, by the kinds of the things under them; `told`
    by a person."""
    under: dict[str, Counter[str]] = defaultdict(Counter)
    listed = list(pages)
    for page, kind in listed:
        for label, value in _labelled(page):
            if predicate_of(kind, label) is None:
                under[label_key(page, kind, label)][kinds.get(names.id(value), "")] += 1
    learned: dict[str, Kind] = {}
    for key, counted in under.items():
        unknown = counted.pop("", 0)
        known = counted.total()
        if not known or known / (known + unknown) < LEAST_KNOWN:
            continue
        values, most = counted.most_common(1)[0]
        if most / known >= LEAST_SHARE:
            learned[key] = values  # type: ignore[assignment]
    own = {names.id(page.title) for page, _ in listed}
    return Meaning(
        learned=learned,
        kinds={id: kind for id, kind in kinds.items() if id in own},
        told=dict(told or {}),
    )


class LabelUse(Record):
    """What a label of a wiki was taken for."""

    means: str = ""
    """A predicate, or '' where it says nothing to us."""
    because: str = ""
    """`known word`, `what stands under it`, `its noun`, `a person`, or ''."""
    example: str = ""


def labels_used(pages: Iterable[tuple[WebPage, Kind]], meaning: Meaning) -> dict[str, LabelUse]:
    """Every label of these pages, `site|kind|label`, with what it was taken for."""
    found: dict[str, LabelUse] = {}
    for page, kind in pages:
        for label, value in _labelled(page):
            key = label_key(page, kind, label)
            if key not in found and label_form(label):
                known = meaning.of(page, kind, label)
                found[key] = LabelUse(
                    means=known.id if known else "",
                    because=_because(key, kind, label, meaning) if known else "",
                    example=value[:80],
                )
    return found


def _because(key: str, kind: Kind, label: str, meaning: Meaning) -> str:
    if key in meaning.told:
        return "a person"
    if predicate_of(kind, label):
        return "known word"
    return "what stands under it" if key in meaning.learned else "its noun"


def _labelled(page: WebPage) -> Iterator[tuple[str, str]]:
    """Every label with each thing that stands under it: rows of the infobox, items of a section,
    the first column of a table."""
    for row in page.infobox.rows if page.infobox else []:
        things = [link.title for link in row.links] or row.parts or row.value.split(", ")
        for thing in things:
            yield row.label, value_name(thing)
    yield from _under_headings(page)
    for table in page.tables:
        for cells in table.rows:
            if cells and table.section:
                yield table.section, value_name(cells[0])


def _under_headings(page: WebPage) -> Iterator[tuple[str, str]]:
    """The items of lists and tables under each heading: by their link, else by the name they begin
    with."""
    links = sorted(page.links, key=lambda link: link.start)
    starts = [link.start for link in links]
    for heading in page.headings:
        first, last = bisect_left(starts, heading.start), bisect_left(starts, heading.end)
        for link in links[first:last]:
            line = page.text.rfind("\n", 0, max(link.start, 0)) + 1
            if page.text[line : line + 2] in ("- ", "| "):
                yield heading.title, link.title
        for item in ITEM.finditer(page.text, heading.start, heading.end):
            if bisect_left(starts, item.start()) == bisect_left(starts, item.end()):
                yield heading.title, leading_name(item["said"])

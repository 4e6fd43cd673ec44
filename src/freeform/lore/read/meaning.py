"""What a wiki's own labels mean: known words first, then a label near in meaning, the noun a label
turns on, and the kind of what stands under it on the pages of that wiki."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from pydantic import Field

from freeform.core.record import Record
from freeform.language.ear import TextNearness, no_text_near
from freeform.language.forms import is_plural
from freeform.lore.model import Kind
from freeform.lore.ports import InfoboxRow, WebPage
from freeform.lore.read.values import ITEM, Names, leading_name, value_name
from freeform.lore.read.vocabulary import (
    Predicate,
    by_head,
    by_kinds,
    is_place,
    kind_of_words,
    label_form,
    predicate_of,
    vocabulary,
)

LEAST_SHARE = 0.7
"""So much of what is known under a label must be of one kind."""
LEAST_KNOWN = 0.3
"""And of so much of what stands under it the kind must be known."""

NEAR, APART = 0.5, 0.2
"""A label means what a known one so near means, if those of any other meaning are so much farther.
Each known label left out: of 316 whose values' kind is known 170 are told, .94 of them right; of
all 156, .93."""
_SOMEWHERE = frozenset({"zone", "lore"})


class Meaning(Record):
    """Labels that were learned: `site|kind|label` to the kind of thing that stands under it. Each
    wiki's are kept from zone to zone."""

    learned: dict[str, Kind] = Field(default_factory=dict)
    likened: dict[str, str] = Field(default_factory=dict)
    """Labels that lie near a known one: `site|kind|label` to the predicate that means."""
    firm: list[str] = Field(default_factory=list)
    """Of the learned ones those under which most things are known: good for the wiki's next
    pages."""
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
        if likened := self.likened.get(key):
            return vocabulary().predicates[kind].get(likened)
        values, noun = self.learned.get(key), by_head(kind, label)
        if noun and (values is None or (_fits(noun, values) and is_plural(label))):
            return noun
        return by_kinds(kind, values) if values else None

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
    near: TextNearness = no_text_near,
    before: Meaning | None = None,
) -> Meaning:
    """What the labels that no word list knows hold, by what they lie near and by the kinds of the
    things under them; `told` by a person. What was known of a wiki `before` stays."""
    under: dict[str, Counter[str]] = defaultdict(Counter)
    listed = list(pages)
    for page, kind in listed:
        for label, value in _labelled(page):
            if predicate_of(kind, label) is None:
                held = kinds.get(names.id(value), "") or _by_name(kind, value)
                under[label_key(page, kind, label)][held] += 1
    learned: dict[str, Kind] = dict(before.learned) if before else {}
    likened: dict[str, str] = dict(before.likened) if before else {}
    firm = set(before.firm) if before else set[str]()
    for key, counted in under.items():
        means = _role_by_trades(counted) or likened.get(key) or _like(key, counted, near)
        kind_held = "" if means else _held(counted)
        if means:
            likened[key] = means
        elif kind_held:
            learned[key] = kind_held  # type: ignore[assignment]
            firm |= {key} if counted[""] <= (1 - LEAST_SHARE) * counted.total() else set()
    own = {names.id(page.title) for page, _ in listed}
    return Meaning(
        learned=learned,
        likened=likened,
        firm=sorted(firm),
        kinds={id: kind for id, kind in kinds.items() if id in own},
        told=dict(told or {}),
    )


_TRADE = "trade"


def _by_name(kind: Kind, value: str) -> str:
    """What a value of several words says of itself: `King of the Fens` is what a person is, Mount
    Orl and the Isle of Besk are places."""
    words = value.split()
    if len(words) < 2:
        return ""
    named = kind_of_words(value)
    if kind == "npc" and named == "npc":
        return _TRADE
    # Draco Dune is somebody: what a name only ends with may be anything's.
    return "lore" if named in ("lore", None) and is_place(words[0]) else ""


def _role_by_trades(counted: Counter[str]) -> str:
    """`role` where trades stand under a label; else they are as unknown as any other word."""
    trades = counted.pop(_TRADE, 0)
    if trades and trades / (counted.total() + trades) >= LEAST_SHARE:
        return "role"
    counted[""] += trades
    return ""


def _held(counted: Counter[str]) -> str:
    """The kind of the things under a label; '' where too few are known, or they are of several."""
    known = Counter({kind: count for kind, count in counted.items() if kind})
    if known.total() < max(1, LEAST_KNOWN * counted.total()):
        return ""
    values, most = known.most_common(1)[0]
    if most / known.total() >= LEAST_SHARE:
        return values
    # Zones and places side by side are places.
    mixed = known["zone"] + known["lore"]
    return "lore" if mixed / known.total() >= LEAST_SHARE else ""


def _like(key: str, counted: Counter[str], near: TextNearness) -> str:
    """The predicate of the labels nearest in meaning that the things under this one may stand
    under; '' where none is near enough, or two are."""
    _, kind, label = key.split("|", 2)
    values = max((each for each in counted if each), key=lambda each: counted[each], default="")
    known = vocabulary().predicates[kind]
    words = vocabulary().labels[kind]
    labels = {word: name for word, name in words.items() if _fits(known[name], values)}
    best: dict[str, float] = {}
    for word, nearness in zip(labels, near(label, tuple(labels)), strict=False):
        best[labels[word]] = max(nearness, best.get(labels[word], -1.0))
    ranked = sorted(best, key=lambda name: -best[name])
    if not ranked or best[ranked[0]] < NEAR:
        return ""
    apart = best[ranked[0]] - best[ranked[1]] if len(ranked) > 1 else APART
    return ranked[0] if apart >= APART else ""


def _fits(known: Predicate, values: str) -> bool:
    """Whether things of a kind may stand under a predicate; '' is unknown. Which of two places is
    a zone depends on what is researched."""
    return not values or known.names == values or {known.names, values} <= _SOMEWHERE


class LabelUse(Record):
    """What a label of a wiki was taken for."""

    means: str = ""
    """A predicate, or '' where it says nothing to us."""
    because: str = ""
    """`known word`, `a label like it`, `what stands under it`, `its noun`, `a person`, or ''."""
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
    if key in meaning.likened:
        return "a label like it"
    values, noun = meaning.learned.get(key), by_head(kind, label)
    by_noun = noun is not None and (values is None or (_fits(noun, values) and is_plural(label)))
    return "its noun" if by_noun else "what stands under it"


def _labelled(page: WebPage) -> Iterator[tuple[str, str]]:
    """Every label with each thing that stands under it: rows of the infobox, items of a section,
    the first column of a table."""
    for row in page.infobox.rows if page.infobox else []:
        for thing in _things(row):
            yield row.label, value_name(thing)
    yield from _under_headings(page)
    for table in page.tables:
        for cells in table.rows:
            if cells and table.section:
                yield table.section, value_name(cells[0])


def _things(row: InfoboxRow) -> list[str]:
    """What a row names: its links, where it begins with one, else its parts. In `King of
    [[the Fens]]` the link is only a part of the value."""
    before = row.value.partition(row.links[0].text)[0] if row.links and row.links[0].text else ""
    if row.links and not set(label_form(before).split()) - {"the", "a", "an"}:
        return [link.title for link in row.links]
    return row.parts or row.value.split(", ")


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

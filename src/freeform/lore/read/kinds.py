"""What a page is about, by vote: its infobox, its own categories, the brackets of its title, what
its rows and its first sentence call it."""

import re
from collections import defaultdict
from collections.abc import Iterator

from freeform.core.record import Record
from freeform.lore.model import Kind
from freeform.lore.ports import InfoboxRow, WebPage
from freeform.lore.read.values import name_of
from freeform.lore.read.vocabulary import is_place, kind_of_words, label_form, predicate_of

_GUESSED: tuple[Kind, ...] = ("zone", "npc", "faction")
_KIND_LABELS = frozenset(
    {"type", "kind", "category", "classification", "region type", "zone type", "species of page"}
)
_SURE = 2.0
_TELLS_APART = re.compile(
    r"\b(?:may|can|could|might)\s+(?:also\s+)?(?:refer\s+to|mean|stand\s+for)\b"
    r"|\brefers\s+to\s+(?:several|more\s+than\s+one|any\s+of)\b",
    re.I,
)
_BEGINNING = 200


class PageKind(Record):
    """What a page is about. `place`: a place inside a zone, kept as lore."""

    kind: Kind
    place: bool = False
    sure: bool = True
    """Said by its infobox or its categories, not guessed."""

    @property
    def somewhere(self) -> bool:
        """Whether it is a zone or a place: which of the two depends on what is being researched."""
        return self.kind == "zone" or self.place


def kind_of(page: WebPage) -> PageKind:
    """The kind with the most votes; among equals the one that was told first."""
    votes: dict[tuple[Kind, bool], float] = defaultdict(float)
    for weight, sign in _signs(page):
        kind = kind_of_words(sign)
        if kind:
            votes[kind, kind == "lore" and is_place(sign)] += weight
    if not votes:
        return PageKind(kind=_likely(page), sure=False)
    (kind, place), weight = max(votes.items(), key=lambda each: each[1])
    return PageKind(kind=kind, place=place, sure=weight >= _SURE)


def tells_apart(page: WebPage) -> bool:
    """Whether a page only leads to several things of one name: by its title, its category, or what
    it begins with."""
    named = " ".join([page.title, *page.categories]).lower()
    begun = page.infobox is None and bool(_TELLS_APART.search(page.text[:_BEGINNING]))
    return "disambig" in named or (begun and bool(page.links))


def signature(page: WebPage) -> str:
    """What pages of one sort have in common on their site: infobox and first category; '' for
    none."""
    box = page.infobox.kind if page.infobox else ""
    first = page.categories[0] if page.categories else ""
    return f"{page.domain}|{label_form(box)}|{label_form(first)}" if box or first else ""


def _signs(page: WebPage) -> Iterator[tuple[float, str]]:
    """What may say the kind, with the weight of its word."""
    if page.infobox and page.infobox.kind:
        yield 4.0, page.infobox.kind
    for category in page.categories[:4]:
        yield 2.5, category
    for bracket in re.findall(r"\(([^)]*)\)", page.title):
        yield 3.0, bracket
    for row in _rows(page):
        if label_form(row.label) in _KIND_LABELS:
            yield 2.0, row.value
    called = _called(page)
    if called:
        yield 1.5, called


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
    goes_on = re.search(r"[.!?]\s+(?:He|She)\s+[a-z]+", page.text)
    return "npc" if goes_on and _is_name(page.title) else "lore"


def _is_name(title: str) -> bool:
    """Whether a title is written as a name; that of a topic on a board is a sentence."""
    words = re.findall(r"[^\W\d_]+", name_of(title))
    return all(word[0].isupper() or len(word) <= 3 for word in words) and "?" not in title


def _called(page: WebPage) -> str:
    """What a page's first sentence says it is about: `Delve is a mining town in the Copper
    Hills`."""
    title = re.escape(name_of(page.title))
    said = re.search(
        rf"\b{title}\b[^.\n]{{0,60}}?\b(?:is|are|was|were)\s+(?:an?|the|one of the)\s+([^.,;\n]+)",
        page.text,
    )
    return (
        re.split(r"\s(?:of|in|at|from|on|who|that|which|under|near)\s", said[1])[0] if said else ""
    )


def _rows(page: WebPage) -> list[InfoboxRow]:
    return page.infobox.rows if page.infobox else []

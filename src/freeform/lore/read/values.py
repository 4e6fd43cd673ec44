"""Values as they are compared: numbers, names, ranges; and the book of other names."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation

from freeform.core.text import plain_form, slug
from freeform.lore.ports import WebPage

_NUMBER = re.compile(
    r"(?<![\w.])(\d[\d,_' ]*(?:\.\d+)?|\.\d+)\s*(thousand|million|billion|trillion|k|m|bn|b)?\b",
    re.I,
)
_TIMES = {
    "thousand": 3,
    "k": 3,
    "million": 6,
    "m": 6,
    "billion": 9,
    "bn": 9,
    "b": 9,
    "trillion": 12,
}
_RANGE = re.compile(r"(\d{1,4})\s*(?:-|–|—|to)\s*(\d{1,4})")
_AFTER_NAME = re.compile(r"\s*[(\[].*$")
_TITLE_TAIL = re.compile(r"\s*(?:\([^)]*\)|[-–|—]\s+[^-–|—]*)\s*$")
_FRACTION = re.compile(r"^\s*(\d+)\s*/\s*(\d+)\s*$")


def number_in(text: str) -> Decimal | None:
    """The number a text speaks of: `1,200,000`, `1.2 million` and `1200000` are the same."""
    if halves := _FRACTION.match(text):
        return Decimal(halves[1]) / Decimal(halves[2]) if int(halves[2]) else None
    found = _NUMBER.search(text)
    if not found:
        return None
    try:
        return Decimal(re.sub(r"[,_' ]", "", found[1])).scaleb(
            _TIMES.get((found[2] or "").lower(), 0)
        )
    except InvalidOperation:
        return None


def range_in(text: str) -> tuple[int, int] | None:
    """`10-20`, or a single level twice."""
    if found := _RANGE.search(text):
        low, high = int(found[1]), int(found[2])
        return min(low, high), max(low, high)
    number = number_in(text)
    return (int(number), int(number)) if number is not None else None


def name_of(title: str) -> str:
    """The thing a page is about: its title without `(system)` and ` - Some Wiki`."""
    name = title.strip()
    for _ in range(2):
        cut = _TITLE_TAIL.sub("", name).strip()
        if not cut:
            break
        name = cut
    return name


def value_name(text: str) -> str:
    """A name in a cell or list, without what stands behind it in brackets."""
    return _AFTER_NAME.sub("", text).strip(" \t*-–•.,;:") or text.strip()


class Names:
    """The book of other names: every redirect leads to the one id a thing goes by."""

    def __init__(self, aliases: Mapping[str, str] | None = None) -> None:
        self._ids = dict(aliases or {})

    def learn(self, pages: Iterable[WebPage]) -> "Names":
        """With what the pages' redirects say."""
        for page in pages:
            own = slug(name_of(page.title))
            for other in page.redirects:
                alias = slug(name_of(other))
                # A redirect never takes away the name of something that has a page of its own.
                if alias and alias != own and alias not in self._ids.values():
                    self._ids.setdefault(alias, own)
        return self

    def id(self, name: str) -> str:
        """The id of a name, by whichever name it goes."""
        found, seen = slug(name_of(name)), set[str]()
        while found in self._ids and found not in seen:
            seen.add(found)
            found = self._ids[found]
        return found

    def aliases(self) -> dict[str, str]:
        """The whole book, for a checkpoint."""
        return dict(self._ids)


def plain_value(text: str) -> str:
    """A value as sources are compared by it: no case, no marks, numbers as numbers."""
    form = " ".join(re.findall(r"[\w.]+", plain_form(text))).strip(".")
    number = number_in(text)
    if number is None or re.sub(
        r"\b(thousand|million|billion|trillion|k|m|bn|b)\b|[\d.,\s]", "", form
    ):
        return form
    return str(
        number.normalize().quantize(Decimal(1))
        if number == number.to_integral()
        else number.normalize()
    )

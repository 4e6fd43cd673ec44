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
LONGEST_NAME = 80
ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d+\.)[ \t]+(?P<said>\S.*)$", re.M)
"""A line of a list."""
_MARKS = re.compile(r"\*\*|__|\[\[|\]\]|`|\[(?=[^\]]*\]\()|\]\([^)]*\)")
_RANGE = re.compile(r"(\d{1,4})\s*(?:-|–|—|to)\s*(\d{1,4})")
_AFTER_NAME = re.compile(r"\s*[(\[].*$")
_TITLE_TAIL = re.compile(r"\s*(?:\([^)]*\)|[-–|—]\s+[^-–|—]*)\s*$")
_THE = "the_"
_SMALL = frozenset({"the", "of", "and", "a", "an", "in"})
_LEAST_INITIALS = 3
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


def may_be_name(text: str) -> bool:
    """Whether a value can be a thing's name: short, with a letter in it, and no piece of markup."""
    return (
        len(text) <= LONGEST_NAME
        and any(sign.isalpha() for sign in text)
        and not re.search(r"[<>{}|\[\]]", text)
    )


def without_marks(text: str) -> str:
    """Markdown's signs taken out of a value."""
    return _MARKS.sub("", text).strip()


def leading_name(said: str) -> str:
    """The name an item begins with: `Kruger – three jumps from here` is Kruger."""
    return value_name(re.split(r"\s+[-–—]\s+|:\s|\s\(|,\s", without_marks(said))[0])


class Names:
    """The book of other names: every redirect leads to the one id a thing goes by, and so does its
    name with or without the article."""

    def __init__(self, aliases: Mapping[str, str] | None = None) -> None:
        self._ids = dict(aliases or {})

    def learn(self, pages: Iterable[WebPage]) -> "Names":
        """With what the pages' titles and redirects say."""
        for page in pages:
            own = self.know(page.title)
            for other in page.redirects:
                alias = slug(name_of(other))
                # A redirect never takes away the name of something that has a page of its own.
                if alias and alias != own and alias not in self._ids.values():
                    self._ids.setdefault(alias, own)
        return self

    def know(self, name: str) -> str:
        """The id of a name that is a thing's own: from now on `The Mines` and `Mines` are one."""
        own = self.id(name)
        other = own.removeprefix(_THE) if own.startswith(_THE) else f"{_THE}{own}"
        taken = self._ids.values()
        if own not in taken and (other in self._ids or other in taken):
            self._ids.setdefault(own, other)
            return self.id(own)
        if own:
            self._ids.setdefault(other, own)
        initials = "".join(part[0] for part in own.split("_") if part not in _SMALL)
        if len(initials) >= _LEAST_INITIALS and initials not in self._ids.values():
            self._ids.setdefault(initials, own)
        return own

    def id(self, name: str) -> str:
        """The id of a name, by whichever name it goes."""
        found, seen = slug(name_of(name)), set[str]()
        short = re.search(r"\(([A-Z]{3,6})\)", name)
        if short and short[1].lower() in self._ids:
            found = short[1].lower()  # "The church community (NECC)"
        while found in self._ids and found not in seen:
            seen.add(found)
            found = self._ids[found]
        return found

    def aliases(self) -> dict[str, str]:
        """The whole book, for a checkpoint."""
        return dict(self._ids)


def other_names(aliases: Mapping[str, str], id: str) -> list[str]:
    """The names a thing also goes by; one that differs by its article alone is none."""
    bare = id.removeprefix(_THE)
    initials = "".join(part[0] for part in id.split("_") if part not in _SMALL)
    return sorted(
        other
        for other, one in aliases.items()
        if one == id and other.removeprefix(_THE) != bare and other != initials
    )


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

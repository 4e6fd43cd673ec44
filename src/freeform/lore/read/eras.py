"""For which time a page, a section, a row or a sentence speaks; '' is now.

A version is written as its number (`0.10`): where pages speak of several, the newest is now."""

import re
from collections.abc import Iterable

from freeform.lore.ports import InfoboxRow, PageHeading, WebPage
from freeform.lore.read.vocabulary import is_era, vocabulary

_OF_A_TIME = re.compile(
    r"^(?:in |as of |until |before |since )?(?:version|patch|era|edition|expansion|v)\s*[\d.]+",
    re.I,
)
_FORMER = re.compile(r"^(?:formerly|before the|in the past|historical)\b", re.I)
_FORMER_LABEL = re.compile(r"^(?:former(?:ly)?|previous(?:ly)?|old|past)\s+(?=\w)", re.I)
_VERSION = re.compile(
    r"\b(?:version|patch|release|edition)\s+v?(\d+(?:\.\d+)*)|\bv?(\d+\.\d[\d.]*)", re.I
)
_SPAN = re.compile(
    r"\b(?:before|after|during|until|prior to|as of|in the time of|at the time of)\s+"
    r"(?:(?:the|an?|its|their|his|her|this|that)\s|(?-i:[A-Z])|\d)[^.;,]{2,60}",
    re.I,
)
"""A time has a name: `until the Fourth Era`. `After whatever had killed the cows` is a tale."""
_NOW = re.compile(r"\bup[ -]to[ -]date (?:for|as of|with)\b|\bcurrent version\b", re.I)
_EARLIER = re.compile(
    r"\bfor (?:the |its |their )?(?:earlier|previous|former|older|past|historical)\b.*\bsee\b", re.I
)
"""A notice that leads to the past stands on a page of now."""
_ASIDE = re.compile(r",\s+(?:who|which|whose|where)\b[^,;:.]*")
_THEN = re.compile(
    r"\b(?:in (?:older|earlier|previous|old|former) (?:versions?|times|days|editions?|patches)|"
    r"formerly|in the past|in those days|at that time|in ancient times|long ago|no longer)\b",
    re.I,
)


def page_era(page: WebPage) -> str:
    """The time a whole page speaks of: by its row, the brackets of its title, what it or its site
    says of itself, its categories."""
    rows = page.infobox.rows if page.infobox else []
    told = next((row.value for row in rows if is_era(row.label)), "")
    brackets = [text for text in re.findall(r"\(([^)]*)\)", page.title) if is_time(text)]
    noticed = [era for notice in page.notices if (era := _of_notice(notice))]
    past = [name for name in page.categories if _is_past(name)]
    return _plain(told) or next(iter([*brackets, *noticed, *past]), "")


def era_at(page: WebPage, position: int) -> str:
    """The time a place in the page speaks of: its section's, else the page's."""
    return era_among(timed_headings(page), position) or page_era(page)


def timed_headings(page: WebPage) -> list[PageHeading]:
    """The sections that speak of a time of their own, the last first."""
    return [
        heading
        for heading in reversed(page.headings)
        if _OF_A_TIME.match(heading.title) or _FORMER.match(heading.title)
    ]


def era_among(timed: Iterable[PageHeading], position: int) -> str:
    """The time of the section that a place stands in, '' where it is in none of these."""
    here = (heading for heading in timed if heading.start <= position < heading.end)
    return next((_plain(heading.title) for heading in here), "")


def row_era(page: WebPage, row: InfoboxRow) -> tuple[str, str]:
    """The time a row speaks of, and its label without it: `Former inhabitants`."""
    found = _FORMER_LABEL.match(row.label)
    if found:
        return found[0].strip().lower(), row.label[found.end() :]
    return era_at(page, row.row_start), row.label


def sentence_era(sentence: str, names: Iterable[str] = ()) -> str:
    """The time a sentence itself names: `In older versions …`; '' where it names none. What it says
    by the way of something else than these names is not meant: `the elves, who came long ago`."""
    last = {name.split()[-1].lower() for name in names if name.split()}
    for aside in _ASIDE.finditer(sentence):
        if last and not last & set(re.findall(r"[\w'’-]+", aside[0].lower())):
            sentence = sentence.replace(aside[0], "")
    found = _THEN.search(sentence)
    return found[0].lower() if found else ""


def is_time(text: str) -> bool:
    """Whether the brackets of a title tell a time and not a kind of thing."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    return bool(words & set(vocabulary().times)) or bool(re.search(r"\d", text))


def newest(eras: Iterable[str]) -> str:
    """The newest version among these times; '' where none is a version."""
    versions = [era for era in eras if re.fullmatch(r"\d+(?:\.\d+)*", era)]
    return max(versions, key=_order, default="")


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _plain(told: str) -> str:
    """A version as its number, any other time as it is written."""
    found = re.fullmatch(
        r"(?:as of |until |since |in )?(?:version|patch|v)?\s*(\d+(?:\.\d+)+)", told.strip(), re.I
    )
    return found[1] if found else told.strip()


def _of_notice(notice: str) -> str:
    """The time a notice gives its own page; what it says of another page to see is not meant."""
    if _EARLIER.search(notice):
        return ""
    for sentence in re.split(r"(?<=[.!?])\s+", notice):
        if re.match(r"For\b", sentence) or re.search(r"\bsee\b", sentence, re.I):
            continue
        if _NOW.search(sentence):
            return ""
        found = _VERSION.search(sentence)
        if found:
            return (found[1] or found[2]).rstrip(".")
        span = _SPAN.search(sentence)
        if span:
            return span[0]
    return ""


def _is_past(category: str) -> bool:
    words = set(re.findall(r"[a-z]+", category.lower()))
    return bool(words & set(vocabulary().past))

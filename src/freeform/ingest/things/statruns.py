"""Stat blocks that are one line: labels with numbers, one after the other, whatever the labels are
called. Pure.

`**Barrow Rats (4):** AC 7, HD 1, hp 2, MV 12`, `BRN 70 AGI 40 MND 30 RES 80. HP 15.`, `Might 2,
Grace 3, Vigor 3, Charm 4`: at least four pairs of a short label and a number, and little else
between them.
"""

import re
from functools import lru_cache
from itertools import pairwise

from pydantic import Field

from freeform.core.record import Record
from freeform.core.text import slug
from freeform.language.forms import is_plural

_PAIR = re.compile(
    r"(?<![\w/])(#?[A-Z][A-Za-z]{1,13}(?: [A-Z][a-z]{2,12})?|hp|ac|hd|mv|xp):?\s+([+−–-]?\d{1,3})(?:\s*\[\d+\])?"
    r"(?:[+−–-]\d+)?%?(?![\w]|\.\d)"
)
_BETWEEN = re.compile(r"^(?:[\s,;.|/*]|each|and|\([^)]{0,40}\)|[A-Z][A-Za-z ]{2,14}:){0,6}$")
_NAMED = re.compile(
    r"^[\s>•*_-]*([A-Z][^:*|\d]{2,48}?)(?:\s*\((?:\d+|[\dd+]+)\))?\s*:[*_]{0,3}\s*$"
)
_NO_STATS = frozenset({"page", "pages", "chapter", "level", "levels", "table", "part", "book", "year", "january",
    "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "figure", "appendix", "section", "volume", "vol", "act", "day", "week", "room", "area", "roll", "the", "in"})  # fmt: skip
LEAST = 4


class NumberRun(Record):
    """One run. `name` is what stands before it on its line, '' when its heading names it."""

    name: str = ""
    numbers: dict[str, int] = Field(default_factory=dict)


def find_runs(text: str) -> list[NumberRun]:
    """The runs of a text, in order; pairs of one paragraph, or of paragraphs right below each
    other, are one run."""
    found: list[NumberRun] = []
    follows = False
    for line in text.split("\n"):
        if not line.strip():
            continue
        run = None if line.startswith(("|", "#")) else _run(line)
        if run is None:
            follows = False
        elif follows and not run.name and found:
            found[-1] = found[-1].model_copy(
                update={"numbers": {**run.numbers, **found[-1].numbers}}
            )
        elif len(run.numbers) >= LEAST:
            found.append(run)
            follows = True
    return found


@lru_cache(maxsize=20_000)
def _run(line: str) -> NumberRun | None:
    plain = re.sub(r"[*_]{1,3}", "", line)
    pairs = [pair for pair in _PAIR.finditer(plain) if pair[1].lower() not in _NO_STATS]
    if len(pairs) < 2:
        return None
    close = sum(1 for a, b in pairwise(pairs) if _BETWEEN.match(plain[a.end() : b.start()]))
    if close < 0.6 * (len(pairs) - 1):
        return None
    before = _NAMED.match(plain[: pairs[0].start()])
    name = before[1].strip() if before else ""
    label_only = bool(name) and len(name.split()) == 1 and len(pairs) >= 2 and is_plural(name)
    # `Attributes: Might 2, Grace 3` names the numbers, not their owner.
    return NumberRun(
        name="" if label_only else name,
        numbers={
            slug(pair[1]): int(pair[2].replace("−", "-").replace("–", "-"))
            for pair in reversed(pairs)
        },
    )

"""Lines that say of whoever they begin with what they are or do, as sentences: `- Nell: a smith who
drinks` is `Nell is a smith who drinks`."""

import re
from collections.abc import Iterator

from freeform.language.forms import is_third_person, may_be_finite

_LINE = re.compile(
    r"^[ \t]*(?:[-*•]\s+)?(?P<line>(?P<name>(?:[A-Z][\w'’.-]*\s?){1,4}?)(?::|\s+[–—-])\s+"
    r"(?P<told>[a-z]\S*\s+\S.*))$",
    re.M,
)
_ARTICLES = ("a ", "an ", "the ")


def listed(text: str) -> Iterator[tuple[str, str]]:
    """Each such line as a sentence, and as it stands."""
    for line in _LINE.finditer(text):
        name, told = line["name"].strip(), line["told"].strip()
        first = told.split()[0]
        if told.startswith(_ARTICLES):
            yield f"{name} is {told}", line["line"].strip()
        elif is_third_person(first) and may_be_finite(first):
            yield f"{name} {told}", line["line"].strip()

"""Words of a text for comparing, how well two texts share them, and the names that prose mentions."""

import re
from collections import Counter
from collections.abc import Iterable

from freeform.language.words import lemmas, stop_words, word_class

_NAME = re.compile(
    r"(?<![\w'’])(?:[A-ZÀ-Þ][\w'’-]+)(?:[ \t]+(?:(?:of|the|de|von|van|la|le|al)[ \t]+){0,2}[A-ZÀ-Þ][\w'’-]+)*",
    re.UNICODE,
)
_SUBJECT = re.compile(
    r",|['’]s\b|\s+(?:and\s+[A-Z]|is|was|has|had|will|would|can|could|did|does|says|said|told|took|gave|kept|went|came"
    r"|knows|wants|left|sent|made|held|lost|found|stood|threw|\w+ed)\b"
)
"""What follows a name that begins a sentence, and hardly ever follows another word there."""


def words_in(text: str) -> list[str]:
    """The words that count, stemmed, in order."""
    return lemmas(text, "request")


def shared(
    query: Counter[str], text: Iterable[str], weigh: dict[str, float] | None = None
) -> float:
    """How much of the query's words a text has, from 0 to 1; rare words weigh more where weights are known."""
    if not query:
        return 0.0
    found = set(text)
    weight = {word: (weigh or {}).get(word, 1.0) for word in query}
    total = sum(weight.values())
    return sum(w for word, w in weight.items() if word in found) / total if total else 0.0


def mentioned(text: str) -> list[str]:
    """Names that prose mentions: capitalised words inside sentences, and at their start where seen inside too."""
    inside: dict[str, None] = {}
    opening: dict[str, bool] = {}
    lower = set(re.findall(r"(?<![\w'’])[a-zà-ÿ][\w'’-]*", text))
    for match in _NAME.finditer(text):
        name = re.sub(r"['’]s$", "", match[0].strip("'’-"))
        begins = text[: match.start()].rstrip(" \t\"'“‘([]*_-•#|x")[-1:] in (
            "",
            ".",
            "!",
            "?",
            "\n",
            ":",
            ";",
        )
        first = name.split()[0].lower()
        if begins and (first in word_class("sentence_openers") or first in lower):
            name = " ".join(name.split()[1:])
            name = re.sub(r"^(?:of|the)\s+", "", name)
            if not name or not name[0].isupper():
                continue
            begins = False
        if (
            len(name) < 3
            or (name.isupper() and len(name) < 5)
            or name.lower() in stop_words("request")
            or name.lower() in word_class("sentence_openers")
        ):
            continue
        if begins:
            opening[name] = opening.get(name, False) or bool(_SUBJECT.match(text, match.end()))
        else:
            inside[name] = None
    words = {word for name in inside for word in name.split()}
    kept = [name for name, sure in opening.items() if sure or " " in name or name in words]
    return list(dict.fromkeys([*inside, *kept]))

"""Words of a text for comparing, how well two texts share them, and the names that prose mentions."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from freeform.core.text import plain_form

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
STOP = frozenset(
    "a an the of to in on at by for from with and or but not no nor if then than so as is are was were be been being am "
    "do does did done have has had having can could will would shall should may might must i me my mine we us our you "
    "your he him his she her it its they them their this that these those there here what which who whom whose when "
    "where why how all any each some such same own more most much many few very just also too only about into out up "
    "down over under again once ever yet tell remind please know get got give let make go went come came s t d ll re ve "
    "m don didn doesn isn wasn aren won".split()
)
_NAME = re.compile(
    r"(?<![\w'’])(?:[A-ZÀ-Þ][\w'’-]+)(?:[ \t]+(?:(?:of|the|de|von|van|la|le|al)[ \t]+){0,2}[A-ZÀ-Þ][\w'’-]+)*",
    re.UNICODE,
)
_SUBJECT = re.compile(
    r",|['’]s\b|\s+(?:and\s+[A-Z]|is|was|has|had|will|would|can|could|did|does|says|said|told|took|gave|kept|went|came"
    r"|knows|wants|left|sent|made|held|lost|found|stood|threw|\w+ed)\b"
)
"""What follows a name that begins a sentence, and hardly ever follows another word there."""
_OPENERS = frozenset(
    "after although another any because before but during each even every everyone "
    "four five first for from half her here his how if in inside it its last later like many maybe most my "
    "next nobody none nothing now on once one only or our out over perhaps six since so some someone soon "
    "still such ten that the their then there these they this those three through to today tomorrow tonight two "
    "under until we what when where while who whoever why with within without yes yesterday you your".split()
)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without its commonest endings, so that `grappling`, `grapples` and `grappled` meet."""
    word = word.removesuffix("'s")
    for end in ("ing", "ed", "ies", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3 and not word.endswith("ss"):
            word = word[: -len(end)] + ("y" if end == "ies" else "")
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 4 else word


def words_in(text: str) -> list[str]:
    """The words that count, stemmed, in order."""
    return [stem(word) for word in _WORD.findall(plain_form(text)) if word not in STOP]


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
        if begins and (first in _OPENERS or first in lower):
            name = " ".join(name.split()[1:])
            name = re.sub(r"^(?:of|the)\s+", "", name)
            if not name or not name[0].isupper():
                continue
            begins = False
        if (
            len(name) < 3
            or (name.isupper() and len(name) < 5)
            or (name.lower() in STOP)
            or name.lower() in _OPENERS
        ):
            continue
        if begins:
            opening[name] = opening.get(name, False) or bool(_SUBJECT.match(text, match.end()))
        else:
            inside[name] = None
    words = {word for name in inside for word in name.split()}
    kept = [name for name, sure in opening.items() if sure or " " in name or name in words]
    return list(dict.fromkeys([*inside, *kept]))

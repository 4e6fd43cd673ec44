"""Proper names in prose, without a model: capitals inside sentences, and the words that stand
beside them."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from freeform.core.text import plain_form
from freeform.ingest.things.kinds import Kind
from freeform.language.words import word_class
from freeform.language.words import words as words_of

_NAME = re.compile(
    r"\b((?:[A-Z][a-zà-ÿ'’]+(?:-[A-Z]?[a-zà-ÿ]+)?)(?:[ \u00a0](?:of the|of|the|de|von|van|du|la|al)(?=[ \u00a0][A-Z]))?"
    r"(?:[ \u00a0][A-Z][a-zà-ÿ'’]+(?:-[A-Z]?[a-zà-ÿ]+)?(?:[ \u00a0](?:of the|of|the|de|von|van|du|la|al)(?=[ \u00a0][A-Z]))?)*)"
)
_START = re.compile(r"(?:^|[.!?:;|\n]['\"”’)]*)[ \u00a0*_>|•-]*$")
PLACE = frozenset(
    "city town village river forest wood woods mountain mountains hill hills tower castle keep fortress street square "
    "district quarter harbor harbour port bay sea ocean lake island isle isles valley plain plains desert swamp marsh "
    "temple abbey shrine cathedral inn tavern bridge gate road kingdom empire realm duchy province plane station "
    "sector planet moon market row alley pass falls cave caverns mine ruins wastes coast peninsula palace hall".split()
)
GROUP = frozenset(
    "guild order clan house company cult brotherhood sisterhood league alliance council circle legion army guard "
    "society syndicate corporation cartel gang church academy college fleet court tribe union ministry inc industries "
    "collective crew cabal coven bank consortium watch".split()
)
TITLES = frozenset(
    "lord lady king queen prince princess duke duchess baron baroness count countess sir dame captain master mistress "
    "mother father brother sister saint st doctor dr professor general colonel sergeant agent inspector mayor abbot "
    "abbess bishop priest priestess magister emperor empress chief elder uncle aunt old mr mrs ms madame".split()
)
_EVENTS = frozenset(
    "war battle siege festival treaty accord accords massacre uprising rebellion plague fall".split()
)
_PERSON_VERBS = re.compile(
    r"[ \u00a0](?:says?|said|was born|is an? (?:man|woman|old|young|human|retired|former)|"
    r"smiles?|wants|leads|rules|lives|works|owns|runs)\b"
)
_PLACE_BEFORE = re.compile(
    r"\b(?:in|at|near|from|to|into|outside|inside|beneath|across|toward|towards|city of|town of)[ \u00a0](?:the[ \u00a0])?$"
)
_KIND_OF_PLACE = re.compile(
    r"\b(?:city|town|village|port|kingdom|realm|land|isle|ruins?) of[ \u00a0](?:the[ \u00a0])?$"
)


@dataclass
class Spoken:
    """A name as prose speaks of it."""

    name: str
    kind: Kind | None = None
    pages: list[int] = field(default_factory=list)
    count: int = 0
    votes: Counter[Kind] = field(default_factory=Counter)


def names_in(passages: Iterable[tuple[int, str]], *, least: int = 2) -> list[Spoken]:
    """The names in these (page, text) passages that come up at least so often, most frequent
    first."""
    found: dict[str, Spoken] = {}
    starts: Counter[str] = Counter()
    for page, text in passages:
        for match in _NAME.finditer(text):
            name = _trim(match[1])
            key = plain_form(name)
            if not name or key in word_class("no_names") or len(name) < 3:
                continue
            before = text[max(0, match.start() - 40) : match.start()]
            if _START.search(before) and " " not in name:
                starts[key] += 1
                continue
            spoken = found.setdefault(key, Spoken(name))
            spoken.count += 1
            if page not in spoken.pages:
                spoken.pages.append(page)
            _vote(spoken, before, text[match.end() : match.end() + 40])
    named = [spoken for spoken in found.values() if spoken.count >= least]
    for spoken in named:
        spoken.count += starts[plain_form(spoken.name)]
        kinds = spoken.votes.most_common(1)
        spoken.kind = kinds[0][0] if kinds else None
    return sorted(named, key=lambda spoken: (-spoken.count, spoken.name))


def stands_in(words: str, text: str) -> bool:
    """Whether these words stand in a text (in plain form) in their order, whatever breaks and marks
    are between them."""
    pattern = r"[\W_]+".join(re.findall(r"[^\W_]+", plain_form(words)))
    if not pattern:
        return False
    sets_no_blanks = unicodedata.east_asian_width(pattern[0]) in "WF"
    return bool(re.search(pattern if sets_no_blanks else r"\b" + pattern, text))


def _trim(name: str) -> str:
    """Without words that only look like part of the name."""
    words = re.split(r"[ \u00a0]+", name)
    while words and plain_form(words[0]) in word_class("no_names"):
        words.pop(0)
    while words and plain_form(words[-1]) in word_class("no_names") | {"of"}:
        words.pop()
    return re.sub(r"['’]s?\Z", "", " ".join(words))


def _vote(spoken: Spoken, before: str, after: str) -> None:
    words = plain_form(spoken.name).split()
    if words[0].rstrip(".") in TITLES and len(words) > 1:
        spoken.votes["person"] += 4
    for word in words:
        if word in PLACE:
            spoken.votes["place"] += 3
        if word in GROUP:
            spoken.votes["faction"] += 3
        if word in _EVENTS:
            spoken.votes["event"] += 2
    if _PERSON_VERBS.match(after):
        spoken.votes["person"] += 2
    if _PLACE_BEFORE.search(before):
        spoken.votes["place"] += 1
    if _KIND_OF_PLACE.search(before):
        spoken.votes["place"] += 3
    last = plain_form(before).split()[-1:] or [""]
    if last[0].rstrip(".") in TITLES:
        spoken.votes["person"] += 3


class Mentions:
    """Looks for many names at once by their first word: one pass over the words of a text."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[tuple[str, ...], str] = {}
        lengths: dict[str, set[int]] = defaultdict(set)
        for name in names:
            words = tuple(words_of(name))
            if words:
                self._names.setdefault(words, name)
                lengths[words[0]].add(len(words))
        self._lengths = {first: sorted(each, reverse=True) for first, each in lengths.items()}

    def find(self, text: str) -> Counter[str]:
        """The names in a text with how often; the longest at each place counts."""
        words = words_of(text)
        found: Counter[str] = Counter()
        place = 0
        while place < len(words):
            for length in self._lengths.get(words[place], ()):
                name = self._names.get(tuple(words[place : place + length]))
                if name is not None:
                    found[name] += 1
                    place += length - 1
                    break
            place += 1
        return found

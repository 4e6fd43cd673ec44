"""Choosing what to say: the line of a group that fits and has not been said before."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import yaml

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.language.sentences import sentences

_FIELD = re.compile(r"\{(\w+)\}")
_ANY_FIELD = re.compile(r"\{\w+\}")
_AFTER_STOP = re.compile(r"(?<=[.!?] )[a-z]")
_TWO_STOPS = re.compile(r"([.!?…])\.(?!\.)")
_NOT_WORD = re.compile(r"[^\w]+")
_PASSED_ON = frozenset({"reason", "words", "clause", "text", "echo", "gist"})
RECENT = 12
"""Turns after which a thing once told may be told again in full."""


@cache
def groups() -> dict[str, list[str]]:
    """Our own lines, by group."""
    folder = files("freeform.offline")
    told: dict[str, list[str]] = _read(folder / "lines.yaml")
    outcomes = _read(folder / "outcomes.yaml")
    more = (_read(folder / "fights.yaml"), _read(folder / "answers.yaml"))
    return {**told, **outcomes["lines"], **more[0], **more[1]}


@cache
def families() -> dict[str, str]:
    """Which family of outcome lines an action speaks through."""
    outcomes = _read(files("freeform.offline") / "outcomes.yaml")
    return {str(action): str(family) for action, family in outcomes["families"].items()}


@lru_cache(maxsize=8192)
def key(sentence: str) -> str:
    """A sentence as it is compared: words only."""
    return _NOT_WORD.sub(" ", plain_form(sentence)).strip()


@lru_cache(maxsize=8192)
def keys(text: str) -> tuple[str, ...]:
    """The sentences of a text as they are compared."""
    return tuple(k for sentence in sentences(text) if (k := key(sentence)))


@lru_cache(maxsize=4096)
def _patterns(line: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What finds the sentences of a line among those that were said, whatever its fields were
    filled with; and the longest part of each, which is quickly seen to be missing."""
    patterns = []
    for sentence in sentences(line) if _FIELD.search(line) else ():
        parts = [key(part) for part in _ANY_FIELD.split(sentence)]
        if sum(len(part.split()) for part in parts) >= 2:
            pattern = re.compile("^" + ".*".join(re.escape(part) for part in parts) + "$", re.M)
            patterns.append((max(parts, key=len), pattern))
    return tuple(patterns)


@lru_cache(maxsize=4096)
def _fields(line: str) -> frozenset[str]:
    return frozenset(_FIELD.findall(line))


class SaidBefore:
    """What was already said, and how many turns ago."""

    def __init__(self, told_before: Sequence[str]) -> None:
        self._turn = len(told_before)
        self._last: dict[str, int] = {}
        self._page: str | None = None
        """Every sentence that was said, a line each; made when it is first searched."""
        for turn, text in enumerate(told_before):
            for sentence in keys(text):
                self._last[sentence] = turn

    def note(self, text: str) -> None:
        """Remembers what this turn says."""
        for sentence in keys(text):
            self._last[sentence] = self._turn
        self._page = None

    def age(self, text: str) -> int | None:
        """How many turns ago any sentence of it was last said; None if never."""
        said = [self._last[sentence] for sentence in keys(text) if sentence in self._last]
        return self._turn - max(said) if said else None

    def knows_pattern(self, line: str) -> bool:
        """Whether a line was said before with any name in it."""
        patterns = _patterns(line)
        if patterns and self._page is None:
            self._page = "\n".join(self._last)
        page = self._page or ""
        return any(part in page and pattern.search(page) for part, pattern in patterns)

    def all_told(self, text: str, within: int = RECENT) -> bool:
        """Whether every sentence of it was said lately."""
        found = keys(text)
        return bool(found) and all(
            self._turn - self._last.get(sentence, -99) <= within for sentence in found
        )


class Lines:
    """The groups of lines of one telling: the scenario's own first, then ours."""

    def __init__(
        self, prose: Mapping[str, Sequence[str]], memory: SaidBefore, chance: Chance
    ) -> None:
        self._prose, self._memory, self._chance = prose, memory, chance

    def say(self, group: str, id: str = "", **fields: Any) -> str:
        """A line of the group with its fields filled in: a new one if any is left, else the one
        said longest ago."""
        known = {
            name: clean(str(value)) for name, value in fields.items() if value not in (None, "", [])
        }
        usable = [
            [line for line in options if _fields(line) <= known.keys()]
            for options in self._layers(group, id)
        ]
        for options in usable:
            unsaid = [line for line in options if self._age(line, known) is None]
            fresh = [line for line in unsaid if not self._memory.knows_pattern(line)] or unsaid
            if fresh:
                return self._chosen(fill(self._chance.choose(fresh), known))
        every = (line for options in usable for line in options)
        return self._chosen(
            fill(max(every, key=lambda line: self._age(line, known) or 0, default=""), known)
        )

    def _age(self, line: str, known: Mapping[str, str]) -> int | None:
        """How long ago the line's own words were said; words it only passes on do not count."""
        return self._memory.age(_own_words(line, tuple(known.items())))

    def _chosen(self, line: str) -> str:
        self._memory.note(line)
        return line

    def _layers(self, group: str, id: str) -> list[list[str]]:
        layers = [
            list(self._prose[name])
            for name in (f"{group}:{id}", f"{group}!", group)
            if name in self._prose
        ]
        return layers if f"{group}!" in self._prose else [*layers, groups().get(group, [])]


@lru_cache(maxsize=4096)
def _own_words(line: str, known: tuple[tuple[str, str], ...]) -> str:
    own = fill(line, {name: value for name, value in known if name not in _PASSED_ON})
    return own if keys(own) else fill(line, dict(known))


def fill(line: str, fields: Mapping[str, str]) -> str:
    """A line with its fields in place, begun with a capital and ended with a stop."""
    text = _FIELD.sub(lambda found: fields.get(found[1], ""), line)
    text = _TWO_STOPS.sub(r"\1", text)
    return finished(_AFTER_STOP.sub(lambda found: found[0].upper(), text))


_PLAIN_MARKS = str.maketrans("{}“”", '()""')


def clean(text: str) -> str:
    """A value fit for prose: no braces, no loose space, quotes as scenarios write them."""
    return " ".join(text.translate(_PLAIN_MARKS).split())


def finished(text: str) -> str:
    """Begun with a capital, ended with a stop."""
    text = " ".join(text.split())
    if not text:
        return ""
    at = len(text) - len(text.lstrip("\"'“‘("))
    text = text[:at] + text[at : at + 1].upper() + text[at + 1 :]
    return text if text[-1] in ".!?…”\"'’)—:" else text + "."


def _read(file: Traversable) -> Any:
    # libyaml reads ten times faster, and the first prompt waits for this.
    return yaml.load(
        file.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )

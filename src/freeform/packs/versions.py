"""Versions and version ranges of packs: `1.2.0`, `>=1.0,<2.0`, `^1.2`, `~1.2.3`, `1.x`, `*`."""

import re
from dataclasses import dataclass
from functools import total_ordering

_VERSION = re.compile(
    r"v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-?([0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*))?(?:\+[0-9A-Za-z.-]+)?\Z"
)
_PART = re.compile(r"(===?|=|!=|>=|<=|~=|>|<|\^|~)?\s*(\S+)\Z")


@total_ordering
@dataclass(frozen=True)
class Version:
    """Three numbers and perhaps a name for what is not finished: `2.0.0-beta.1`."""

    numbers: tuple[int, int, int]
    pre: tuple[str, ...] = ()

    def __lt__(self, other: "Version") -> bool:
        return self._key() < other._key()

    def _key(self) -> tuple[tuple[int, int, int], int, tuple[tuple[int, int, str], ...]]:
        """A finished version comes after its drafts; numbers in a draft's name count as numbers."""
        parts = tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in self.pre)
        return self.numbers, 0 if self.pre else 1, parts

    def __str__(self) -> str:
        return ".".join(map(str, self.numbers)) + (f"-{'.'.join(self.pre)}" if self.pre else "")


def parse_version(text: str) -> Version:
    """The version a text names. ValueError with the fix."""
    found = _VERSION.match(text.strip())
    if not found:
        raise ValueError(f"'{text}' is not a version; write it like 1.2.0")
    numbers = (int(found[1]), int(found[2] or 0), int(found[3] or 0))
    return Version(numbers, tuple(re.split(r"[.-]", found[4])) if found[4] else ())


@dataclass(frozen=True)
class VersionBound:
    """One half of a range."""

    sign: str
    version: Version

    def admits(self, version: Version) -> bool:
        match self.sign:
            case ">=":
                return version >= self.version
            case ">":
                return version > self.version
            case "<=":
                return version <= self.version
            case "<":
                return version < self.version
            case "!=":
                return version != self.version
            case _:
                return version == self.version


@dataclass(frozen=True)
class Range:
    """Versions that will do: all bounds must hold."""

    text: str
    bounds: tuple[VersionBound, ...]

    def admits(self, version: Version) -> bool:
        """A draft (`2.0.0-beta`) is taken only by a range that names a draft of that very
        version."""
        if not all(bound.admits(version) for bound in self.bounds):
            return False
        named = any(b.version.pre and b.version.numbers == version.numbers for b in self.bounds)
        return not version.pre or named


def parse_range(text: str) -> Range:
    """The range a text names. ValueError with the fix."""
    bounds: list[VersionBound] = []
    spaced = re.sub(r"([<>=!~^]+)\s+", r"\1", text.strip())
    for part in re.split(r"[,\s]+", spaced):
        if part not in ("", "*", "x", "any", "latest"):
            bounds += _bounds(part, text)
    return Range(text.strip() or "*", tuple(bounds))


def _bounds(part: str, whole: str) -> list[VersionBound]:
    found = _PART.match(part)
    sign, named = (found[1] or "", found[2]) if found else ("", part)
    wild = re.match(r"(\d+(?:\.\d+)?)\.[x*](?:\.[x*])?\Z", named)
    try:
        version = parse_version(wild[1] if wild else named)
    except ValueError:
        raise ValueError(
            f"'{whole}' is not a version range; write it like >=1.0,<2.0 or ^1.2"
        ) from None
    given = len(re.match(r"v?\d+(\.\d+){0,2}", named)[0].split("."))  # type: ignore[index]
    if wild:
        given = len(wild[1].split("."))
        if sign in ("", "=", "==", "~", "^"):
            return _between(version, 0 if given == 1 or sign == "^" else 1)
    match sign:
        case "^":
            first = next((i for i, n in enumerate(version.numbers[:given]) if n), given - 1)
            return _between(version, first)
        case "~" | "~=":
            return _between(version, 0 if given == 1 or (sign == "~=" and given == 2) else 1)
        case "" | "=" | "==" | "===":
            return [VersionBound("==", version)]
        case _:
            return [VersionBound(sign, version)]


def _between(low: Version, place: int) -> list[VersionBound]:
    """From `low` up to where the number at `place` grows."""
    numbers = [*low.numbers[:place], low.numbers[place] + 1, 0, 0][:3]
    return [
        VersionBound(">=", low),
        VersionBound("<", Version((numbers[0], numbers[1], numbers[2]))),
    ]

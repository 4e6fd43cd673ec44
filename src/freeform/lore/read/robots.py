"""What a robots.txt allows (RFC 9309, and the leniences that Google documents). Pure: a text in, an
answer out."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

MOST_BYTES = 500 * 1024
LONGEST_LINE = 8 * 2083 - 1
_TOKEN = re.compile(r"[A-Za-z_-]+")
_AGENT = re.compile(r"user-?\s?agent|useragent")
_DENY = re.compile(r"dissallow|dissalow|disalow|diasllow|disallaw|disallow")
_FIELDS = (
    ("agent", _AGENT),
    ("allow", re.compile("allow")),
    ("disallow", _DENY),
    ("delay", re.compile("crawl-delay")),
)
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")


@dataclass
class Group:
    """Rules for some agents."""

    agents: list[str] = field(default_factory=list)
    rules: list[tuple[bool, str]] = field(default_factory=list)
    """Whether it allows, and the pattern."""
    delay: float | None = None


class Robots:
    """A robots.txt that was read."""

    def __init__(self, text: str) -> None:
        self.groups = list(_groups(_lines(text)))

    def allows(self, agent: str, url: str) -> bool:
        """Whether that agent may fetch the address. The longest pattern decides; a tie is
        allowed."""
        path = _path(url)
        best, answer = -1, True
        for group in self._groups_of(agent):
            for allow, pattern in group.rules:
                if (long := _match(pattern, path, allow)) > best or (long == best and allow):
                    best, answer = long, allow
        return answer if best >= 0 else True

    def delay(self, agent: str) -> float:
        """Seconds that the site wants between two fetches; 0 where it says nothing."""
        return max((group.delay or 0.0 for group in self._groups_of(agent)), default=0.0)

    def _groups_of(self, agent: str) -> list[Group]:
        """Every group that names the agent; those for everyone count only where none does."""
        name = agent.lower()
        if _TOKEN.fullmatch(agent) is None:
            return [group for group in self.groups if "*" in group.agents]
        own = [group for group in self.groups if name in group.agents]
        return own or [group for group in self.groups if "*" in group.agents]


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")):
        said = line[:LONGEST_LINE].split("#", 1)[0].strip()
        if not said:
            continue
        key, colon, value = said.partition(":")
        if not colon:
            # A colon is easily forgotten: two words with space between are read as if it stood
            # there.
            parts = said.split()
            if len(parts) != 2:
                continue
            key, value = parts
        for name, form in _FIELDS:
            if form.fullmatch(key.strip().lower()):
                yield name, value.strip()


def _groups(lines: Iterable[tuple[str, str]]) -> Iterator[Group]:
    group, naming = Group(), True
    for name, value in lines:
        if name == "agent":
            if not naming:
                yield group
                group, naming = Group(), True
            group.agents.append(_agent(value))
            continue
        if not group.agents:
            # Rules that stand before any agent belong to nobody.
            continue
        if name == "delay":
            try:
                group.delay = max(0.0, float(value))
            except ValueError:
                continue
            continue
        naming = False
        if value:
            group.rules.append((name == "allow", _escaped(value)))
    if group.agents:
        yield group


def _agent(value: str) -> str:
    if value.startswith("*") and (len(value) == 1 or value[1].isspace()):
        return "*"
    found = _TOKEN.match(value)
    return found[0].lower() if found else ""


def _path(url: str) -> str:
    """The part of an address that rules speak of. It is escaped already; a fragment is none of
    their business."""
    parts = urlsplit(
        url if "://" in url else f"http://x{url if url.startswith('/') else '/' + url}"
    )
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return _in_capitals(path)


def _escaped(text: str) -> str:
    """A rule as addresses write it: letters outside ASCII as %XX, escapes in capitals."""
    ascii_only = "".join(
        c if ord(c) < 128 else "".join(f"%{byte:02X}" for byte in c.encode()) for c in text
    )
    return _in_capitals(ascii_only)


def _in_capitals(text: str) -> str:
    return _ESCAPE.sub(lambda found: found[0].upper(), text)


def _match(pattern: str, path: str, allow: bool) -> int:
    """How long the pattern is, where it fits the beginning of the path; -1 where it does not."""
    if _fits(pattern, path):
        return len(pattern)
    if (
        allow
        and (found := re.fullmatch(r"(.*/)index\.html?", pattern))
        and _fits(f"{found[1]}$", path)
    ):
        # Who allows a folder's index page allows the folder.
        return len(found[1]) + 1
    return -1


def _fits(pattern: str, path: str) -> bool:
    """`*` stands for anything, `$` at the end for the end. Never slower than pattern times path."""
    ends = pattern.endswith("$")
    parts = (pattern[:-1] if ends else pattern).split("*")
    if not path.startswith(parts[0]):
        return False
    at = len(parts[0])
    for number, part in enumerate(parts[1:], start=1):
        if ends and number == len(parts) - 1:
            return path.endswith(part) and len(path) - len(part) >= at
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return not ends or at == len(path)

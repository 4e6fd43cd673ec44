"""Text as Discord takes it: pages under its limit that cut no code block, and nobody pinged."""

import re

LIMIT = 2000
_ROOM = 60
"""Left free on each page for a fence that is closed and opened again."""
_FENCE = re.compile(r"^\s*(```+|~~~+)(.*)$")
_PING = re.compile(r"@(?=everyone|here|&?\d)|(?<=<)@(?=[!&]?\d)")


def pages(text: str, limit: int = LIMIT) -> list[str]:
    """The text in pages, cut between paragraphs, lines or words.

    A code block that goes over a page is closed at its end and opened again on the next.
    """
    room = limit - _ROOM
    full: list[str] = []
    page = fence = ""
    for line in quiet(text).splitlines() or [""]:
        for part in _parts(line, room):
            if page and len(page) + 1 + len(part) > room:
                full.append(_closed(page, fence))
                page = fence
            page = f"{page}\n{part}" if page else part
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence else f"{mark[1]}{mark[2]}".strip()[:40]
    full.append(_closed(page, fence))
    return [each for each in full if each.strip()] or ["…"]


def _closed(page: str, fence: str) -> str:
    """The page with the fence closed that is open at its end."""
    if not fence:
        return page
    return f"{page}\n{fence.split()[0][:3]}"


def quiet(text: str) -> str:
    """The text with every ping made harmless."""
    return _PING.sub("@\u200b", text)


def _parts(line: str, room: int) -> list[str]:
    """A line that is too long for any page, cut at words."""
    parts = []
    while len(line) > room:
        cut = line.rfind(" ", room // 2, room)
        cut = cut if cut > 0 else room
        parts.append(line[:cut])
        line = line[cut:].lstrip()
    return [*parts, line]

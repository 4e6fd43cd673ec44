"""Text as Discord takes it: pages under its limit that cut no code block, and nobody pinged."""

import re

LIMIT = 2000
_ROOM = 60
"""Left free on each page for a fence that is closed and opened again."""
_FENCE = re.compile(r"^\s*(```+|~~~+)(.*)$")
_PING = re.compile(r"@(?=everyone|here|&?\d)|(?<=<)@(?=[!&]?\d)")


def pages(text: str, limit: int = LIMIT) -> list[str]:
    """The text in pages, cut between paragraphs, lines or words. A code block that goes over a page is closed at its
    end and opened again on the next."""
    room, found, page, fence = limit - _ROOM, list[str](), "", ""
    for line in quiet(text).splitlines() or [""]:
        for part in _parts(line, room):
            if page and len(page) + 1 + len(part) > room:
                found.append(f"{page}\n{fence.split()[0][:3]}" if fence else page)
                page = fence
            page = f"{page}\n{part}" if page else part
        if at := _FENCE.match(line):
            fence = "" if fence else f"{at[1]}{at[2]}".strip()[:40]
    if fence:
        page = f"{page}\n{fence.split()[0][:3]}"
    return [each for each in [*found, page] if each.strip()] or ["…"]


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

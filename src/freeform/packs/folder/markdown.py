"""Markdown as sections: headings outside code, the links inside, and back to text again."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from freeform.packs.folder.secrecy import Marks
from freeform.packs.model import Section

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)\Z")
_LONGEST_HEADING = 1000
WIKILINK = re.compile(r"(!?)\[\[([^\[\]\n|#]*)(#[^\[\]\n|]*)?(?:\|([^\[\]\n]*))?\]\]")
MDLINK = re.compile(r"\[[^\[\]\n]*\]\(([^()\n]+)\)")


class Fences:
    """Knows, line by line, whether one is inside a fenced code block."""

    def __init__(self) -> None:
        self.open = ""

    def inside(self, line: str) -> bool:
        """Takes the next line; true if it is code or a fence."""
        mark = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if self.open:
            if (
                mark
                and mark[1][0] == self.open[0]
                and len(mark[1]) >= len(self.open)
                and not mark[2].strip()
            ):
                self.open = ""
            return True
        if mark and not (mark[1][0] == "`" and "`" in mark[2]):
            self.open = mark[1]
            return True
        return False


def heading_of(line: str) -> tuple[int, str] | None:
    """The level and text of an ATX heading, if the line is one."""
    if "#" not in line[:4]:
        return None
    rest = line.lstrip(" ")
    if not rest.startswith("#") or len(line) - len(rest) > 3 or len(line) > _LONGEST_HEADING:
        return None
    text = rest.lstrip("#")
    level = len(rest) - len(text)
    if level > 6 or not text.startswith((" ", "\t")):
        return None
    heading = tame_heading(text)
    return (level, heading) if heading else None


def tame_heading(text: str) -> str:
    """One line, without the closing `#` that Markdown would swallow."""
    words = text.split()
    while words and not words[-1].strip("#"):
        words.pop()
    return " ".join(words)


@dataclass
class _Open:
    level: int
    heading: str
    line: int
    lines: list[str]


def split_sections(
    body: str, name: str, first_line: int, marks: Marks | None = None
) -> list[Section]:
    """The sections of a body. Text before the first heading is a section of level 0 without one."""
    marks = marks or Marks()
    parts = [_Open(0, "", first_line, [])]
    fences = Fences()
    for number, line in enumerate(body.split("\n"), start=first_line):
        found = None if fences.inside(line) else heading_of(line)
        if found:
            parts.append(_Open(found[0], found[1], number, []))
        else:
            parts[-1].lines.append(line)
    if fences.open:
        parts[-1].lines = [*_trim(parts[-1].lines), fences.open]
    rows = [(part, "\n".join(_trim(part.lines))) for part in parts]
    rows = [(part, text) for part, text in rows if part.level or text]
    levels = [(p.level, p.heading, marks.hide(p.level, p.heading)) for p, _ in rows]
    places = _places(levels, name)
    return [
        Section(
            path=path, level=part.level, heading=part.heading, text=text, gm_only=gm, line=part.line
        )
        for (part, text), (path, gm) in zip(rows, places, strict=True)
    ]


def lay_out(sections: Sequence[Section], name: str) -> list[Section]:
    """The sections with their paths by level, and with what is below a game master's section marked
    too."""
    places = _places([(s.level, s.heading, s.gm_only) for s in sections], name)
    return [
        section.model_copy(update={"path": path, "gm_only": gm})
        for section, (path, gm) in zip(sections, places, strict=True)
    ]


def _places(rows: Sequence[tuple[int, str, bool]], name: str) -> list[tuple[str, bool]]:
    """The path of each (level, heading, secret), and whether it or something above it is secret."""
    placed: list[tuple[str, bool]] = []
    above: list[tuple[int, str, bool]] = []
    for level, heading, gm in rows:
        while above and above[-1][0] >= level:
            above.pop()
        trail = [step[1] for step in above]
        if level != 1 and (not above or above[0][0] != 1):
            trail.insert(0, name)
        gm = gm or any(step[2] for step in above)
        if heading:
            trail.append(heading)
            above.append((level, heading, gm))
        placed.append((" > ".join(trail), gm))
    return placed


def first_title(body: str) -> str:
    """The first H1 of a body, if it has one."""
    fences = Fences()
    for line in body.split("\n"):
        if not fences.inside(line) and (found := heading_of(line)) and found[0] == 1:
            return found[1]
    return ""


def _trim(lines: list[str]) -> list[str]:
    first, last = 0, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return [*lines[first : last - 1], lines[last - 1].rstrip()] if last > first else []


def join_sections(sections: Sequence[Section]) -> str:
    """The body that splits into these sections. Prose cannot turn into structure: a stray `#` is
    escaped."""
    parts: list[str] = []
    for section in sections:
        if section.heading:
            parts.append(
                f"{'#' * max(1, min(6, section.level))} {tame_heading(section.heading) or 'Untitled'}"
            )
        if section.text.strip():
            parts.append(tame_text(section.text))
    return "\n\n".join(parts) + "\n" if parts else ""


def tame_text(text: str) -> str:
    """Text that stays one section: headings in it are escaped, an open code fence is closed."""
    fences, lines = Fences(), []
    for line in _trim(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        if not fences.inside(line) and heading_of(line):
            line = line.replace("#", "\\#", 1)
        lines.append(line)
    if fences.open:
        lines.append(fences.open)
    return "\n".join(lines)


@dataclass(frozen=True)
class MarkdownLink:
    """A link in prose. `target` is an id, a name, or a path; `kind` says which it can be."""

    kind: str
    target: str
    line: int


def links_in(body: str, first_line: int) -> Iterator[MarkdownLink]:
    """The wikilinks and Markdown links of a body, code left out."""
    if "[" not in body:
        return
    fences = Fences()
    for number, line in enumerate(body.split("\n"), start=first_line):
        if fences.inside(line) or "[" not in line:
            continue
        line = re.sub(r"`[^`]*`", "", line)
        for found in WIKILINK.finditer(line):
            if found[2].strip():
                yield MarkdownLink("embed" if found[1] else "wiki", found[2].strip(), number)
        for found in MDLINK.finditer(line):
            if target := found[1].strip().strip("<>"):
                yield MarkdownLink("path", target, number)

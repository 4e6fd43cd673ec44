"""Answers the two passes of reading without a model: by the habits of headings, and by
paragraphs."""

import re

from freeform.core.chance import Chance
from freeform.core.text import words_in
from freeform.ingest.structure.passes import (
    SegmentInput,
    SegmentOutput,
    StructureInput,
    StructureOutput,
    Titled,
)

_CHAPTER = re.compile(r"^(?:chapter|part|book|appendix|section)\b", re.I)
_NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+[A-Z]")
_WANTED = 600


def structure(input: StructureInput, chance: Chance) -> StructureOutput:
    """Numbers, capitals and the word `chapter` make headings."""
    found: list[Titled] = []
    for line in input.lines:
        letters = [char for char in line if char.isalpha()]
        if words_in(line) > 10 or line.rstrip().endswith((".", ",", ";")) or len(letters) < 3:
            continue
        if _CHAPTER.match(line):
            found.append(Titled(title=line, level=1))
        elif numbered := _NUMBERED.match(line):
            found.append(Titled(title=line, level=1 + numbered[1].count(".")))
        elif all(char.isupper() for char in letters):
            found.append(Titled(title=line, level=2))
    return StructureOutput(headings=found)


def segment(input: SegmentInput, chance: Chance) -> SegmentOutput:
    """A new piece at the paragraph after every six hundred words."""
    starts: list[str] = []
    count = 0
    for paragraph in re.split(r"\n\s*\n", input.text):
        if count >= _WANTED and paragraph.strip():
            starts.append(paragraph.strip()[:80])
            count = 0
        count += words_in(paragraph)
    return SegmentOutput(starts=starts)

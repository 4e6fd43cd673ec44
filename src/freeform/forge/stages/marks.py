"""A premise as a language model marks it: its own words by what they name, a shape and a genre."""

import re

from freeform.forge.stages.records import PremiseMarks
from freeform.language.meaning.premise import (
    PREMISE_LABELS,
    STORY_GENRES,
    STORY_SHAPES,
    PremiseHeard,
    PremiseSpan,
)

_OWNS = re.compile(r"['’]s\b")


class MarkedEar:
    """Reads one premise, the one that was marked."""

    def __init__(self, marks: PremiseMarks) -> None:
        self._marks = marks

    def read_premise(self, text: str) -> PremiseHeard:
        """Where the marked words stand; each is looked for behind the one before it."""
        spans: list[PremiseSpan] = []
        at, plain = 0, text.lower()
        for noun in self._marks.nouns:
            start = plain.find(noun.words.lower(), at)
            if start < 0:
                continue
            at = start + len(noun.words)
            owns = _OWNS.match(text, at)
            at = owns.end() if owns else at
            spans.append(PremiseSpan(noun.label, start, at, 1.0))
        return PremiseHeard(tuple(spans), {self._marks.shape: 1.0}, {self._marks.genre: 1.0})


def marks_wrong(marks: PremiseMarks, premise: str) -> list[str]:
    """What is wrong with the marks, in words."""
    wrong = []
    plain = premise.lower()
    for noun in marks.nouns:
        if noun.words.lower() not in plain or not noun.words.strip():
            wrong.append(f"{noun.words!r} does not stand in the premise")
        if noun.label not in PREMISE_LABELS:
            wrong.append(f"{noun.label!r} is no label; they are {', '.join(PREMISE_LABELS)}")
    if marks.shape not in STORY_SHAPES:
        wrong.append(f"`shape` is one of {', '.join(STORY_SHAPES)}")
    if marks.genre not in STORY_GENRES:
        wrong.append(f"`genre` is one of {', '.join(STORY_GENRES)}")
    return wrong

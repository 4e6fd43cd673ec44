"""Questions whose answers the book itself prints: its contents, its index, and its `see` lines."""

import re
from collections.abc import Sequence

from freeform.core.chance import Chance
from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.ingest.model import BookSection, DocumentStructure
from freeform.ingest.things.found import EntityRegistry
from freeform.ingest.things.things import bare, text_of

MOST = 60
"""Questions of each sort; enough to see how it stands, few enough to ask at once."""
_SEE = re.compile(r"\b[Ss]ee(?: also)? (?:the )?[“\"]([A-Z][\w' ,-]{3,40}?)[,.]?[”\"]")


class BookQuestion(Record):
    """What is asked, and where the answer stands: a title among the headings, or a page."""

    words: str
    sort: str
    title: str = ""
    page: int = 0


def questions_of(
    structure: DocumentStructure,
    sections: Sequence[BookSection],
    registry: EntityRegistry,
    seed: str,
) -> list[BookQuestion]:
    """A fixed sample of each sort. Printed page numbers are turned into the file's by the headings
    both know."""
    titles = {plain_form(bare(section.title)): section for section in sections}
    shift = _shift(structure, titles)
    asked: list[BookQuestion] = []
    for words, _ in structure.contents:
        section = titles.get(plain_form(bare(words)))
        if section is not None and _askable(words):
            asked.append(
                BookQuestion(
                    words=words, sort="contents", title=section.title, page=section.page_start
                )
            )
    for words, page in structure.index:
        if _askable(words):
            asked.append(BookQuestion(words=words, sort="index", page=page + shift))
    for section in sections:
        for found in _SEE.finditer(text_of(section)):
            target = titles.get(plain_form(bare(found[1])))
            if target is not None and target.id != section.id:
                asked.append(
                    BookQuestion(
                        words=found[1], sort="see", title=target.title, page=target.page_start
                    )
                )
    for entity in registry.entities:
        if entity.section and _askable(entity.name):
            asked.append(
                BookQuestion(words=entity.name, sort="entity", title=entity.name, page=entity.page)
            )
    chance = Chance(seed, "questions")
    chosen: list[BookQuestion] = []
    for sort in ("contents", "index", "see", "entity"):
        mine = list({q.words: q for q in asked if q.sort == sort}.values())
        chosen += chance.at(sort).shuffled(mine)[:MOST]
    return chosen


def _shift(structure: DocumentStructure, titles: dict[str, BookSection]) -> int:
    """How far the file's page numbers run ahead of the printed ones: what most entries of the
    contents say."""
    shifts = [
        section.page_start - page
        for words, page in structure.contents
        if (section := titles.get(plain_form(bare(words)))) is not None
    ]
    return sorted(shifts)[len(shifts) // 2] if shifts else 0


def _askable(words: str) -> bool:
    return 3 <= len(words) <= 60 and any(c.isalpha() for c in words)

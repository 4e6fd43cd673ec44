"""The words of a clause as its sources write them: short forms written out, slips mended; and
whether it names someone whom none of them knows."""

from collections.abc import Collection

from freeform.assistant.model import TOOLS, Tool
from freeform.assistant.notes.dates import MONTHS
from freeform.assistant.query.clause import AskedClause, AskedWord
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.schema import asking_words, is_asked_for, meant_by
from freeform.language.rough_stem import rough_stem
from freeform.language.slips import mended

SHORT_WORD = 4
"""Letters of a word that is too short to be a slip for any word there is."""
NOISE = 2
"""Letters of a word that no source uses and that says nothing: `rn`."""


def names_nobody(clause: AskedClause, desk: QueryDesk) -> bool:
    """Whether the clause names someone or something that no source knows."""
    for at, token in enumerate(clause.tokens):
        written = clause.text[token.start : token.end]
        if at == 0 or not token.telling or not written[:1].isupper() or written.isupper():
            continue
        if token.text not in MONTHS and not _known_word(token, desk):
            return True
    return False


def _known_word(token: AskedWord, desk: QueryDesk, tools: Collection[Tool] = TOOLS) -> bool:
    """Whether one of these sources uses a word."""
    if desk.notes and "session_notes" in tools and desk.notes.passages.knows(token.key):
        return True
    if desk.sheet and "character_data" in tools and desk.sheet_passages.knows(token.key):
        return True
    stem = rough_stem(token.text)
    return any(stem in table.by_word for tool, table in desk.tables.items() if tool in tools)


def _mended(token: AskedWord, desk: QueryDesk) -> str:
    """The word that a slip of the pen stands for: one by which people ask, or one that sheet or
    notes use. What anybody writes, or any source, is no slip."""
    if any(desk.near(token.text, (token.text,))) or _known_word(token, desk):
        return ""
    asking = mended(token.text, asking_words())
    if asking or len(token.text) <= SHORT_WORD:
        return asking
    books = [desk.notes.passages] if desk.notes else []
    books += [desk.sheet_passages] if desk.sheet else []
    return mended(token.text, {word for book in books for word in book.spelled.values()})


def spelled_out(clause: AskedClause, desk: QueryDesk, chosen: set[Tool]) -> AskedClause:
    """A clause with words written out that were cut short, `prep`, `lvl`, where no source that was
    chosen uses them as they are; what is too short to be a word there is left out."""
    tools = chosen or set(TOOLS)
    text = clause.text
    for token in reversed(clause.tokens):
        written = clause.text[token.start : token.end]
        plain = token.telling and not written[:1].isupper() and token.text.isalpha()
        if not plain or is_asked_for(token.key) or _known_word(token, desk, tools):
            continue
        meant = meant_by(token.text) or _mended(token, desk)
        if meant or len(token.text) <= NOISE:
            text = f"{text[: token.start]}{meant}{text[token.end :]}"
    return clause if text == clause.text else AskedClause(text, clause.skip)

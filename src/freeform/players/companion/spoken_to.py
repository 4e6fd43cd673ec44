"""Which line beside the story an AI player answers: one that is whispered to them, names them, or
is asked of all; never another AI player's, and each once. Pure."""

import re
from collections.abc import Sequence

from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.language.words import telling_words
from freeform.players.people.model import ChatLine, SharedTable, TablePerson


class Unanswered(Record):
    """A line that waits for an AI player's answer."""

    person: str
    line: ChatLine

    @property
    def re(self) -> str:
        """What the answer is kept under."""
        return answer_to(self.line)

    @property
    def to(self) -> list[str]:
        """A whisper is answered with a whisper."""
        return [self.line.by] if self.line.to else []


def answer_to(line: ChatLine) -> str:
    """What an answer to that line is kept under."""
    return f"line:{line.no}"


def unanswered(table: SharedTable, lines: Sequence[ChatLine]) -> list[Unanswered]:
    """The last line to each AI player that it has not answered yet."""
    found: list[Unanswered] = []
    ai = {each.id for each in table.companions()}
    for one in table.companions():
        done = {line.re for line in lines if line.by == one.id}
        since = one.companion.since if one.companion else 0
        to_me = [
            line
            for line in lines
            if line.no > since and line.by not in ai and not line.rolls and is_for(one, line, table)
        ]
        if to_me and answer_to(to_me[-1]) not in done:
            found.append(Unanswered(person=one.id, line=to_me[-1]))
    return found


def is_for(one: TablePerson, line: ChatLine, table: SharedTable) -> bool:
    """Whether a line is meant for that AI player."""
    if line.to:
        return one.id in line.to
    named = [each for each in table.here() if each.id != line.by and _names(each, line, table)]
    if named:
        return one.id in {each.id for each in named}
    others = [each for each in table.here() if each.id != line.by and each.role != "spectator"]
    if len(others) == 1:
        return others[0].id == one.id
    return line.text.rstrip().endswith("?") and _speaks_first(table) == one.id


def without_name(text: str, called: Sequence[str]) -> str:
    """What was said to someone, without their name before it or behind it."""
    for name in sorted(called, key=len, reverse=True):
        text = re.sub(rf"^\s*{re.escape(name)}\s*[,:!–—-]*\s*", "", text, flags=re.I)
        text = re.sub(rf"\s*,\s*{re.escape(name)}\s*([.!?]*)\s*$", r"\1", text, flags=re.I)
    return text.strip()


def called(one: TablePerson, table: SharedTable) -> list[str]:
    """What someone is called here: their name, and their character's with its parts."""
    seat = table.seat_of(one.id)
    full = [one.name, *([seat.actor.name] if seat else [])]
    parts = [part for name in full for part in telling_words(name, "talk")]
    return list(dict.fromkeys([*full, *(part for part in parts if len(part) > _SHORT)]))


_SHORT = 2
"""Letters of a word that is no name by itself."""


def _names(one: TablePerson, line: ChatLine, table: SharedTable) -> bool:
    said = set(re.findall(r"\w+", plain_form(line.text)))
    return any(set(plain_form(name).split()) <= said for name in called(one, table))


def _speaks_first(table: SharedTable) -> str:
    """Who answers what is asked of all: the most talkative."""
    talkers = [
        (-each.companion.persona.traits.talkative, each.id)
        for each in table.companions()
        if each.companion
    ]
    return min(talkers)[1] if talkers else ""

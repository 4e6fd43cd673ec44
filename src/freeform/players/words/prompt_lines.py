"""How records read in a prompt: plain lines, one thing each. Nobody's words can pass for a line of
another."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from freeform.players.model import Memory, Proposal, TableView

NOTHING = "(nothing)"
_DOUBTFUL, _SURE = 0.5, 0.9


class _Words(Protocol):
    @property
    def who(self) -> str: ...
    @property
    def said(self) -> str: ...


def one_line(text: str) -> str:
    """Words on one line: a line break would let them pass for somebody else's."""
    return " ".join(text.split())


def block(text: str) -> str:
    """A text of several paragraphs, or a word that there is none. (A prompt keeps it inside its
    tag.)"""
    return text.strip() or NOTHING


def said_lines(heard: Iterable[_Words]) -> str:
    """What was said, in order: `Name: words`."""
    return "\n".join(f"{one_line(h.who)}: {one_line(h.said)}" for h in heard) or NOTHING


def memory_lines(memories: Iterable[Memory]) -> str:
    """What is remembered, with its id and how sure the player is. No days: those are counted
    otherwise than the table's."""
    return (
        "\n".join(
            f"- [{m.fact_id}] {_how_sure(m.confidence)}{one_line(m.believed)}" for m in memories
        )
        or NOTHING
    )


def table_lines(table: TableView) -> str:
    """What lies open on the table: place, hour, people, belongings, open questions, and what one
    could do."""
    minutes = round(table.day % 1 * 1_440) % 1_440
    lines = [
        f"Place: {one_line(table.place)}. Day {int(table.day)}, {minutes // 60:02}:{minutes % 60:02}.",
        f"People here besides your characters: {names(table.people)}",
        f"Carried: {names(table.carried)}",
        f"Heard of: {names(table.names)}",
        f"Open questions: {names(table.threads, '; ')}",
        f"Not at this table: {limits_line(table.lines, table.veils)}",
        "Options:",
        *(f"- {one_line(o.text)}{_tried(o.tried)}" for o in table.options),
    ]
    return "\n".join(lines)


def proposal_line(proposal: Proposal, by: str) -> str:
    """A proposal and whose it is."""
    option = one_line(proposal.option)
    return f"{option} (put forward by {one_line(by)})" if option and by else option or NOTHING


def taken_lines(taken: Mapping[str, str]) -> str:
    """Who does what, on one line."""
    return (
        "; ".join(f"{one_line(who)}: {one_line(what)}" for who, what in taken.items())
        or "nobody has said yet"
    )


def limits_line(lines: Iterable[str], veils: Iterable[str]) -> str:
    """What nobody may bring up, and what is left to pass off-screen."""
    return names([*lines, *(f"{veil} (only off-screen)" for veil in veils)])


def names(all: Iterable[str], between: str = ", ") -> str:
    """Names on one line."""
    return between.join(map(one_line, all)) or "none"


def part(row: Mapping[str, Any]) -> str:
    """Who somebody is: one line for each thing that is known of them."""
    found = []
    for name, value in row.items():
        if isinstance(value, Mapping):
            value = ", ".join(f"{key.replace('_', ' ')} {one}" for key, one in value.items())
        elif isinstance(value, list):
            value = "; ".join(map(str, value))
        if value != "":
            found.append(f"- {name.replace('_', ' ')}: {one_line(str(value))}")
    return "\n".join(found)


def _how_sure(confidence: float) -> str:
    return (
        "(unsure) " if confidence < _DOUBTFUL else "" if confidence >= _SURE else "(fairly sure) "
    )


def _tried(times: int) -> str:
    return f" (done {times} time{'s' if times > 1 else ''})" if times else ""

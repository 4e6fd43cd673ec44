"""Log entries as rows and back. What is kept is JSON; what would not read back is refused."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import to_json

from freeform.adapters.sql.ports import Db
from freeform.core.errors import BadFile, UserError
from freeform.engine.log import ENTRY, Entry, Logged, Narrated, Resolved
from freeform.engine.world.model import StateDiff

COLUMNS = (
    "log.id, log.parent, log.turn_no, log.at, log.state_diff, log.body,"
    " (select context_packet_json from events where log_id = log.id and log.kind = 'resolved')"
)
NO_CHANGE = "{}"
"""A diff of nothing, as it is kept."""
_NO_TRANSITION = '"scene_transition":null'
"""In nearly every telling, and no number."""


class EntryPage(NamedTuple):
    """An entry ready to be written. `diff` is read back from its JSON, as every later reader will
    do."""

    entry: Entry
    diff: StateDiff
    diff_text: str
    body: str
    packet_text: str
    """A turn's context packet, kept once, in its row of `events`; '' for other entries."""


def page_of(entry: Entry) -> EntryPage:
    """The row of an entry; UserError when it holds something that JSON cannot keep."""
    try:
        body = entry.model_dump_json(exclude={"state_diff", "context_packet"})
        diff_text = diff_json(entry.state_diff)
        packet_text = entry.context_packet.text if isinstance(entry, Resolved) else ""
        # Null may be a number that is none, which JSON does not have: then it would not read back.
        if "null" in body.replace(_NO_TRANSITION, "", 1):
            ENTRY.validate_json(_whole(body, diff_text, "{}" if packet_text else ""))
        return EntryPage(
            entry, StateDiff.model_validate_json(diff_text), diff_text, body, packet_text
        )
    except ValueError as wrong:
        raise UserError(
            f"this {entry.kind} entry cannot be kept: {_brief(wrong)}; nothing was changed"
        ) from wrong


def diff_json(diff: StateDiff) -> str:
    """A diff without its empty parts: shorter to keep and faster to read."""
    return as_json({name: part for name, part in diff.model_dump(mode="json").items() if part})


def as_json(value: Any) -> str:
    """JSON in the order given: a state keeps the order of its keys, and so must what it is made
    from."""
    text = to_json(value).decode()
    if "NaN" in text or "Infinity" in text:  # a number, or only the word
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text


def insert(db: Db, page: EntryPage, parent: int | None, turn_no: int, at: str) -> int:
    """Adds a row to the log; its id."""
    entry = page.entry
    turn_id = entry.turn_id if isinstance(entry, Resolved | Narrated) else None
    take = entry.take if isinstance(entry, Resolved) else None
    row = db.execute(
        "insert into log (parent, turn_no, turn_id, take, kind, at, state_diff, body)"
        " values (?, ?, ?, ?, ?, ?, ?, ?) returning id",
        (parent, turn_no, turn_id, take, entry.kind, at, page.diff_text, page.body),
    ).fetchone()
    return int(row[0])


def logged(rows: Iterable[tuple[Any, ...]], path: Path | str) -> list[Logged]:
    """Rows of `COLUMNS` as entries; BadFile when one does not read."""
    found = []
    for id, parent, turn_no, at, diff_text, body, packet_text in rows:
        try:
            entry = ENTRY.validate_json(_whole(body, diff_text, packet_text))
        except ValidationError as wrong:
            raise unreadable(path, f"log entry {id}", wrong) from wrong
        found.append(Logged(id=id, parent=parent, turn_no=turn_no, entry=entry, at=at))
    return found


def unreadable(path: Path | str, what: str, wrong: Exception) -> BadFile:
    """The complaint that a row of ours does not read."""
    return BadFile(
        str(path), f"{what} does not read ({_brief(wrong)}); put back a copy of the file"
    )


def _whole(body: str, diff_text: str, packet_text: str | None) -> str:
    """The entry's own JSON: its body always holds `kind`, so the rest goes in behind it."""
    packet = f',"context_packet":{packet_text}' if packet_text else ""
    return f'{body[:-1]},"state_diff":{diff_text}{packet}}}'


def _brief(wrong: Exception) -> str:
    if isinstance(wrong, ValidationError):
        first = wrong.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(wrong)

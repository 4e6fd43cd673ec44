"""Tapes in SQLite, beside the campaign they belong to; long texts are compressed."""

import json
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from freeform.adapters.sql.entries import unreadable
from freeform.adapters.sql.ports import CampaignsAtHand, OpenCampaign
from freeform.core.errors import NotFound, UserError
from freeform.core.llm.gateway import Usage
from freeform.core.llm.tape import Tape

try:  # writes the same format, much faster
    from isal.isal_zlib import compress

    LEVEL = 0
    """Of four, the one that packs least and fastest."""
except ImportError:
    from zlib import compress

    LEVEL = 1
LONG = 400
"""From this many characters on, compressing pays."""

_PLAIN = (
    "key", "campaign", "turn_id", "turn_no", "pass_id", "prompt", "model", "seed",
    "error", "degraded", "tries", "ms", "at", "request",
)  # fmt: skip
TAPES_PACKED = ("input", "text", "output")
_USAGE = ("calls", "input_tokens", "output_tokens", "cost_usd")
TAPE_COLUMNS = (*_PLAIN, *TAPES_PACKED, *_USAGE)
_SELECT = f"select {', '.join(TAPE_COLUMNS)} from tapes"
_MARKS = ", ".join("?" * (len(TAPE_COLUMNS) + 1))
_INSERT = f"insert into tapes ({', '.join(TAPE_COLUMNS)}, moment) values ({_MARKS})"
SUM = (
    "select "
    + ", ".join(f"coalesce(sum({name}), 0)" for name in _USAGE)
    + " from tapes where moment >= ?"
)


class SqlTapes:
    """The `TapeStore` of one home. A tape of no campaign goes to the home's own file."""

    bytes_only = False
    """Whether a column of texts that may be compressed holds bytes and nothing else."""

    def __init__(self, shelf: CampaignsAtHand) -> None:
        self._shelf = shelf

    async def add(self, tape: Tape) -> None:
        """Adds a row; rows are never changed. What no model was sent waits for the campaign's next
        change: were it lost with that, the same answer would be made again."""
        values = [
            *(getattr(tape, name) for name in _PLAIN),
            self._pack(tape.input_json),
            self._pack(tape.text),
            None if tape.output is None else self._pack(_json(tape.output)),
            *(getattr(tape.usage, name) for name in _USAGE),
            moment_of(tape.at),
        ]
        # A campaign's first tapes may come before it begins: its opening, for one.
        file = self._shelf.at_hand(tape.campaign) if tape.campaign and not tape.text else None
        if file is None:
            file = (
                self._shelf.campaign(tape.campaign, make=True)
                if tape.campaign
                else self._shelf.outside()
            )
        file.add_later(_INSERT, values)
        if tape.text:
            file.settle()

    async def find(self, campaign: str, key: str) -> Tape | None:
        """The newest good answer to that exact question."""
        where = "where campaign = ? and key = ? and output is not null order by id desc limit 1"
        return next(iter(self._read(campaign, where, (campaign, key))), None)

    async def of_turn(self, campaign: str, turn_no: int | None = None) -> Sequence[Tape]:
        """The tapes of a turn, or of all turns, oldest first."""
        if turn_no is None:
            return self._read(campaign, "where campaign = ? order by id", (campaign,))
        return self._read(
            campaign, "where campaign = ? and turn_no = ? order by id", (campaign, turn_no)
        )

    async def spent(self, campaign: str | None, since: str) -> Usage:
        """What was used since that moment (ISO): by one campaign, or by all."""
        moment = moment_of(since)
        if campaign is not None:
            return _spent(file, moment) if (file := self._file(campaign)) else Usage()
        total = _spent(self._shelf.outside(), moment)
        for name in self._shelf.names():
            try:
                total += _spent(self._shelf.campaign(name), moment)
            except UserError:
                continue  # A damaged campaign must not stop the others; the shelf tells of it.
        return total

    def _pack(self, text: str) -> str | bytes:
        short = len(text) < LONG and not self.bytes_only
        return text if short else compress(text.encode(), LEVEL)

    def _file(self, campaign: str) -> OpenCampaign | None:
        try:
            return self._shelf.campaign(campaign) if campaign else self._shelf.outside()
        except NotFound:
            return None

    def _read(self, campaign: str, where: str, values: tuple[str | int, ...]) -> list[Tape]:
        file = self._file(campaign)
        if file is None:
            return []
        file.settle()
        with file.reading() as db:
            return [_tape(row, file.path) for row in db.execute(f"{_SELECT} {where}", values)]


def _spent(file: OpenCampaign, moment: float) -> Usage:
    file.settle()
    with file.reading() as db:
        return usage_of(db.execute(SUM, (moment,)).fetchone())


def usage_of(row: Any) -> Usage:
    """What a row of `SUM` says."""
    usage = dict(zip(_USAGE, row, strict=True))
    return Usage(**{**usage, "cost_usd": round(usage["cost_usd"], 8)})


def _tape(row: tuple[Any, ...], path: Path | str) -> Tape:
    fields = dict(zip(TAPE_COLUMNS, row, strict=True))
    usage = Usage(**{name: fields.pop(name) for name in _USAGE})
    try:
        output = None if fields["output"] is None else json.loads(_unpack(fields["output"]))
        said = {
            "input_json": _unpack(fields.pop("input")),
            "text": _unpack(fields["text"]),
            "output": output,
        }
        return Tape(**{**fields, **said, "usage": usage})
    except (ValueError, zlib.error) as wrong:
        raise unreadable(path, f"the tape {fields['key']}", ValueError(str(wrong))) from wrong


def _json(value: Any) -> str:
    return to_json(value).decode()


def _unpack(kept: str | bytes) -> str:
    return kept if isinstance(kept, str) else zlib.decompress(kept).decode()


def moment_of(at: str) -> float:
    """Seconds since 1970, whatever zone it was written in."""
    try:
        when = datetime.fromisoformat(at)
    except ValueError as wrong:
        raise UserError(f"'{at}' is no moment; write it like 2091-03-15T19:00:00Z") from wrong
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()

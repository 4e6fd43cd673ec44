"""One line for each event worth an operator's eye, with its request; never anyone's words.

    door ── request("req_…") ──> … ── tell(logger, level, "degraded", model=…) ──> text or JSON line
                                  └── Tape.request

Fields are names, numbers and kinds of errors. What a player typed, what a prompt or a reply said,
and what a provider answered do not belong here; `freeform.services.logs` sets the handlers.
"""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

ROOT = "freeform"
LONGEST_FIELD = 200
_request: ContextVar[str] = ContextVar("freeform_request", default="")
_REQUEST_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}\Z")
_PLAIN = re.compile(r"[^\s\"=]+\Z")


def current_request() -> str:
    """The id of the request that is being worked on; '' outside of any."""
    return _request.get()


def is_request_id(text: str) -> bool:
    """Whether a stranger's id may be taken over: short, and of plain signs."""
    return _REQUEST_ID.match(text) is not None


@contextmanager
def request(id: str) -> Iterator[str]:
    """Everything done inside, and every task begun inside, belongs to that request."""
    before = _request.set(id)
    try:
        yield id
    finally:
        _request.reset(before)


def begin_request(id: str) -> None:
    """For a process that does one thing: from now on it all belongs to that request."""
    _request.set(id)


def tell(logger: logging.Logger, level: int, event: str, **fields: str | int | float) -> None:
    """One event, with the request it belongs to."""
    if logger.isEnabledFor(level):
        extra = {"event": event, "fields": fields, "request": current_request()}
        logger.log(level, event, extra=extra)


def kind_of(wrong: BaseException) -> str:
    """What kind of failure it was, without its words: they may quote a prompt or a key."""
    cause = wrong.__cause__
    name = type(wrong).__name__
    return f"{name} from {type(cause).__name__}" if cause else name


def place_of(wrong: BaseException) -> str:
    """Where in the code it was raised: file and line."""
    trace = wrong.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{file}:{trace.tb_lineno}"


class TextLines(logging.Formatter):
    """`2091-03-15T19:00:00.000Z WARNING freeform.model degraded request=req_1 model=…`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        words = [_moment(record), record.levelname, record.name, _event(record)]
        fields = _fields(record)
        request_id = _request_of(record)
        if request_id:
            fields = {"request": request_id, **fields}
        words += [f"{name}={_text(value)}" for name, value in fields.items()]
        return " ".join(words)


class JsonLines(logging.Formatter):
    """The same as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        document = {
            "at": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": _event(record),
            "request": _request_of(record),
            **_fields(record),
        }
        return json.dumps(document, ensure_ascii=False, default=str)


def read_line(line: str) -> dict[str, Any] | None:
    """A line of either form with its `at`, `level`, `logger` and `event`; None if it is none."""
    if line.startswith("{"):
        try:
            document = json.loads(line)
        except ValueError:
            return None
        known = isinstance(document, dict) and {"at", "level", "event"} <= document.keys()
        return document if known else None
    words = line.split(" ", 4)
    if len(words) < 4 or not words[2].startswith(ROOT):
        return None
    rest = words[4] if len(words) > 4 else ""
    fields = dict(re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)', rest))
    plain = {name: _untext(value) for name, value in fields.items()}
    return {
        "at": words[0],
        "level": words[1].lower(),
        "logger": words[2],
        "event": words[3],
        **plain,
    }


def _moment(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _event(record: logging.LogRecord) -> str:
    event = getattr(record, "event", "")
    # A line of a library that never heard of events: its level says enough, its words may not be
    # ours.
    return str(event) if event else "message"


def _request_of(record: logging.LogRecord) -> str:
    return str(getattr(record, "request", "") or current_request())


def _fields(record: logging.LogRecord) -> dict[str, str | int | float]:
    fields: Mapping[str, Any] = getattr(record, "fields", {})
    return {name: _short(value) for name, value in fields.items()}


def _short(value: Any) -> str | int | float:
    if isinstance(value, int | float):
        return value
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_FIELD else f"{text[: LONGEST_FIELD - 1]}…"


def _text(value: str | int | float) -> str:
    text = str(value)
    return text if _PLAIN.match(text) else json.dumps(text, ensure_ascii=False)


def _untext(value: str) -> str:
    if not value.startswith('"'):
        return value
    try:
        return str(json.loads(value))
    except ValueError:
        return value

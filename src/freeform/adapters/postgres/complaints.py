"""What Postgres says, in plain sentences with what one can do about it."""

from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from freeform.core.errors import (
    BadSettings,
    Conflict,
    FreeformError,
    Unavailable,
    UserError,
)

AGAIN = "what was kept stays, and the same turn sent again goes on where it stopped"


def shown_address(url: str) -> str:
    """Where a database is, without who signs in and how."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        return urlsplit(url).scheme or "postgresql"
    host = parts.get("host") or "this machine"
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"Postgres '{parts.get('dbname') or 'postgres'}' at {host}{port}"


def check_address(url: str) -> None:
    """BadSettings when the address does not read."""
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise BadSettings(
            "the setting `store_url` does not read; write it like "
            "postgresql://USER:PASSWORD@HOST:5432/DATABASE"
        ) from None


class in_plain_words:
    """Turns what Postgres says into what a person can do about it."""

    __slots__ = ("_shown",)

    def __init__(self, shown: str) -> None:
        self._shown = shown

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: object
    ) -> None:
        if isinstance(wrong, psycopg.Error) and (said := explain(wrong, self._shown)):
            raise said from wrong


_BY_STATE: dict[str, tuple[type[FreeformError], str]] = {
    "53300": (
        Unavailable,
        "{at} has no connection left; raise its max_connections, or run fewer processes",
    ),
    "53100": (
        UserError,
        "no room is left at {at}; free some space there and try again, nothing was changed",
    ),
    "25006": (
        UserError,
        "{at} takes no changes: it is a standby, or set to read only; name the main server in "
        "`store_url`",
    ),
    "42501": (UserError, "{at} does not allow this ({why}); grant it to the user of `store_url`"),
    "3D000": (UserError, "{at} is not there; make it with createdb, or correct `store_url`"),
    "22003": (UserError, "a number in this change is too large to keep; use a smaller one"),
    "57014": (Unavailable, f"{{at}} took too long over it; try again: {AGAIN}"),
    "55P03": (Unavailable, "{at} is held by another writer; try again in a moment"),
    "23505": (Conflict, "someone wrote first; look again, then try again"),
    "40001": (Conflict, "someone wrote first; look again, then try again"),
    "40P01": (Conflict, "someone wrote first; look again, then try again"),
}
_BY_CLASS: dict[str, tuple[type[FreeformError], str]] = {
    "28": (
        UserError,
        "{at} does not let us in ({why}); check the name and password in `store_url`",
    ),
    "54": (UserError, "a text in this change is too long to keep; shorten it"),
    "53": (Unavailable, "{at} has run out of something ({why}); look after it, then try again"),
    "57": (Unavailable, f"{{at}} has stopped or is starting ({{why}}); try again: {AGAIN}"),
    "08": (Unavailable, f"{{at}} is gone ({{why}}); start it, then try again: {AGAIN}"),
}


def explain(wrong: psycopg.Error, shown: str) -> FreeformError | None:
    """What a complaint means for a person; None when it is a mistake in our own code."""
    state = wrong.sqlstate or ""
    said = _BY_STATE.get(state) or _BY_CLASS.get(state[:2])
    # A connection that was cut, or never came about, has no state of its own.
    if said is None and not state and isinstance(wrong, psycopg.OperationalError):
        said = _unconnected(str(wrong))
    if said is None:
        return None
    kind, sentence = said
    return kind(sentence.format(at=shown, why=_brief(wrong)))


def _unconnected(why: str) -> tuple[type[FreeformError], str]:
    if "too many" in why or "remaining connection slots" in why:
        return _BY_STATE["53300"]
    if "password" in why or "authentication" in why or "no pg_hba.conf" in why:
        return _BY_CLASS["28"]
    if "does not exist" in why:
        return _BY_STATE["3D000"] if "database" in why else _BY_CLASS["28"]
    return _BY_CLASS["08"]


def _brief(wrong: Any) -> str:
    primary = getattr(wrong.diag, "message_primary", None)
    text = str(primary or wrong).strip().splitlines()
    last = text[-1] if text else "it does not answer"
    return last.removeprefix("FATAL:").strip() or "it does not answer"

"""What was fetched, kept between runs: a page is sent again only when it has changed (ETag,
Last-Modified)."""

import json
import sqlite3
import zlib
from pathlib import Path

from freeform.adapters.web.fetch import Fetched

KEPT = ("content-type", "etag", "last-modified", "content-language", "x-robots-tag")


class PageCache:
    """Answers by address, in a file of its own; it may be deleted at any time."""

    def __init__(self, file: Path | None = None) -> None:
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(file or ":memory:", isolation_level=None, timeout=30)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        self._db.execute(
            "create table if not exists answer (asked text primary key, url text not null, status int not null, "
            "headers text not null, body blob not null, at real not null)"
        )

    def get(self, asked: str) -> tuple[Fetched, float] | None:
        """The kept answer and when it was last confirmed (seconds)."""
        row = self._db.execute(
            "select url, status, headers, body, at from answer where asked = ?", (asked,)
        ).fetchone()
        if row is None:
            return None
        url, status, headers, body, at = row
        return Fetched(
            url=url, status=status, headers=json.loads(headers), body=zlib.decompress(body)
        ), at

    def put(self, asked: str, answer: Fetched, at: float) -> None:
        """Keeps an answer."""
        headers = {name: value for name, value in answer.headers.items() if name in KEPT}
        self._db.execute(
            "insert or replace into answer values (?, ?, ?, ?, ?, ?)",
            (
                asked,
                answer.url,
                answer.status,
                json.dumps(headers),
                zlib.compress(answer.body, 6),
                at,
            ),
        )

    def confirm(self, asked: str, at: float) -> None:
        """The server says that it has not changed."""
        self._db.execute("update answer set at = ? where asked = ?", (at, asked))

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

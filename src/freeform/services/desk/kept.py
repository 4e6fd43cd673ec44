"""Drafts on disk: each change a file of its own, so that nothing written is ever written over.

    drafts/<id>/v000012.json    a digest, then who came before it, when, what changed, the scenario
    drafts/<id>/head            the number that holds now
    drafts/<id>/deleted         there while the draft lies in the bin

A file that is torn has the wrong digest and counts as not there: the newest whole one before it
holds. Whoever saves over somebody else's change keeps theirs as a version beside it.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from freeform.core.errors import Conflict, NotFound, TooLarge, UserError
from freeform.core.record import Record
from freeform.packs.lock import write_atomically

MOST_VERSIONS = 500
"""Older ones are dropped once there are more."""
MOST_BYTES = 2_000_000
_HEAD, _DELETED = "head", "deleted"


class DraftVersion(Record):
    """A draft as it stood after a change."""

    number: int
    parent: int = 0
    at: str
    what: str = ""
    scenario: dict[str, Any]


@dataclass(frozen=True)
class DraftFolder:
    """One draft."""

    path: Path

    @property
    def is_there(self) -> bool:
        """Whether any of it is kept."""
        return any(self._numbers())

    @property
    def is_deleted(self) -> bool:
        """Whether it lies in the bin."""
        return (self.path / _DELETED).exists()

    def delete(self, deleted: bool) -> None:
        """Into the bin, or out of it."""
        if deleted:
            write_atomically(self.path / _DELETED, b"")
        else:
            (self.path / _DELETED).unlink(missing_ok=True)

    def head(self) -> DraftVersion:
        """What holds now; where that is torn, the newest that is whole."""
        try:
            named = self.read(int((self.path / _HEAD).read_text("ascii")))
        except (OSError, ValueError):
            named = None
        whole = named or next(self.versions(), None)
        if whole is None:
            raise NotFound(f"no draft '{self.path.name}'; `draft list` names those there are")
        return whole

    def versions(self) -> Iterator[DraftVersion]:
        """Every whole version, newest first."""
        for number in self._numbers():
            found = self.read(number)
            if found:
                yield found

    def read(self, number: int) -> DraftVersion | None:
        """A version; None where it is not there, or torn."""
        try:
            digest, _, body = self._file(number).read_bytes().partition(b"\n")
            if digest.decode() != hashlib.sha256(body).hexdigest():
                return None
            return DraftVersion.model_validate_json(body)
        except (OSError, UnicodeDecodeError, ValidationError):
            return None

    def add(self, scenario: dict[str, Any], at: str, what: str, seen: int) -> DraftVersion:
        """Keeps a change to version `seen`. Conflict where another came first: it is kept too."""
        body = json.dumps(scenario, ensure_ascii=False)
        if len(body.encode()) > MOST_BYTES:
            raise TooLarge(f"a draft has at most {MOST_BYTES // 1_000_000} MB; make it shorter")
        holds = self.head().number if seen else 0
        number = next(self._numbers(), 0) + 1
        new = DraftVersion(number=number, parent=seen, at=at, what=what, scenario=scenario)
        while not self._write(new):
            new = new.model_copy(update={"number": new.number + 1})
        if holds != seen:
            raise Conflict(
                f"somebody else changed this draft first (version {holds}); "
                f"yours is kept as version {new.number}"
            )
        self.point_at(new.number)
        self._drop_the_oldest(new.number)
        return new

    def point_at(self, number: int) -> DraftVersion:
        """Another version holds from now on."""
        found = self.read(number)
        if found is None:
            raise UserError(f"there is no version {number} of this draft any more")
        write_atomically(self.path / _HEAD, str(number).encode())
        return found

    def before(self, version: DraftVersion) -> DraftVersion | None:
        """What a version was made from."""
        return self.read(version.parent) if version.parent else None

    def after(self, version: DraftVersion) -> DraftVersion | None:
        """The newest that was made from a version."""
        later = (self.read(number) for number in self._numbers() if number > version.number)
        return next((each for each in later if each and each.parent == version.number), None)

    def _write(self, version: DraftVersion) -> bool:
        """False where somebody else has taken the number meanwhile. A file that is cut short has
        the wrong digest."""
        body = version.model_dump_json().encode()
        digest = hashlib.sha256(body).hexdigest().encode()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with self._file(version.number).open("xb") as out:
                out.write(digest + b"\n" + body)
                out.flush()
                os.fsync(out.fileno())
            return True
        except FileExistsError:
            return False
        except OSError as wrong:
            reason = (wrong.strerror or "it cannot be written").lower()
            raise UserError(f"the draft could not be kept: {reason}; check the disk") from None

    def _drop_the_oldest(self, holds: int) -> None:
        for number in list(self._numbers())[MOST_VERSIONS:]:
            if number != holds:
                self._file(number).unlink(missing_ok=True)

    def _numbers(self) -> Iterator[int]:
        """The numbers of all files, newest first, whole or not."""
        names = (file.stem[1:] for file in self.path.glob("v*.json"))
        yield from sorted((int(name) for name in names if name.isdigit()), reverse=True)

    def _file(self, number: int) -> Path:
        return self.path / f"v{number:06}.json"

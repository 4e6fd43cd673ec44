"""Drafts on disk: each change a file of its own, so that nothing written is ever written over.

    drafts/<id>/v000012.json    a digest, then who came before it, when, what changed, the scenario
    drafts/<id>/head            the number that holds now
    drafts/<id>/deleted         there while the draft lies in the bin

A file that is torn has the wrong digest and counts as not there: the newest whole one before it
holds. Whoever saves over somebody else's change keeps theirs as a version beside it.
Processes take turns at a draft (`lock`).
"""

import hashlib
import json
import os
from collections.abc import Iterator, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from freeform import wiring
from freeform.core.errors import Conflict, NotFound, TooLarge, UserError
from freeform.core.record import Record
from freeform.core.yamlfile import FILE_LIMITS
from freeform.packs.lock import write_atomically

MOST_VERSIONS = 500
"""Older ones are dropped once there are more."""
MOST_BYTES = 2_000_000
_MOST_NAMESAKES = 1000
_HEAD, _DELETED, _LOCK = "head", "deleted", "lock"
_SCENARIO = b',"scenario":'
"""Where a version's header ends: within a text of JSON, a quote has a backslash before it."""


class VersionHeader(Record):
    """When a change was made, and to what."""

    number: int
    parent: int = 0
    at: str
    what: str = ""


class DraftVersion(VersionHeader):
    """A draft as it stood after a change."""

    scenario: dict[str, Any]


class VersionRow(Record):
    """A version in a draft's history."""

    number: int
    at: str
    what: str
    holds: bool


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

    def claim(self) -> bool:
        """Makes the folder; False where somebody has it."""
        try:
            self.path.mkdir(parents=True)
            return True
        except FileExistsError:
            return False
        except OSError as wrong:
            raise _not_kept(wrong) from None

    def head(self) -> DraftVersion:
        """What holds now; where that is torn, the newest that is whole."""
        try:
            named = self.read(int((self.path / _HEAD).read_text("ascii")))
        except (OSError, ValueError):
            named = None
        whole = named or next(filter(None, map(self.read, self._numbers())), None)
        if whole is None:
            raise NotFound(f"no draft '{self.path.name}'; `draft list` names those there are")
        return whole

    def history(self) -> list[VersionRow]:
        """Every version that is kept, newest first, and which one holds."""
        holds = self.head().number
        return [
            VersionRow(number=each.number, at=each.at, what=each.what, holds=each.number == holds)
            for each in self.versions()
        ]

    def versions(self, after: int = 0) -> Iterator[VersionHeader]:
        """Every whole version after one, newest first, without what was written."""
        for number in takewhile(after.__lt__, self._numbers()):
            header, found, _ = (self._body(number) or b"").partition(_SCENARIO)
            if found:
                yield VersionHeader.model_validate_json(header + b"}")

    def read(self, number: int) -> DraftVersion | None:
        """A version; None where it is not there, or torn."""
        body = self._body(number)
        try:
            return DraftVersion.model_validate_json(body) if body else None
        except ValidationError:
            return None

    def add(self, scenario: dict[str, Any], at: str, what: str, seen: int) -> DraftVersion:
        """Keeps a change to version `seen`. Conflict where another came first: it is kept too."""
        check_keepable(scenario)
        with self._alone():
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
            self._point_at(new.number)
            self._drop_the_oldest(new.number)
        return new

    def point_at(self, number: int) -> DraftVersion:
        """Another version holds from now on."""
        with self._alone():
            return self._point_at(number)

    def step(self, *, back: bool) -> DraftVersion | None:
        """What holds is the version before, or the one after; None where there is none."""
        with self._alone():
            now = self.head()
            to = self.before(now) if back else self.after(now)
            return self._point_at(to.number) if to else None

    def _alone(self) -> AbstractContextManager[None]:
        return wiring.one_at_a_time(self.path / _LOCK)

    def _point_at(self, number: int) -> DraftVersion:
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
        later = self.versions(version.number)
        newest = next((each for each in later if each.parent == version.number), None)
        return self.read(newest.number) if newest else None

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
            raise _not_kept(wrong) from None

    def _body(self, number: int) -> bytes | None:
        """What a file holds; None where it is not there, or torn."""
        try:
            digest, _, body = self._file(number).read_bytes().partition(b"\n")
        except OSError:
            return None
        return body if digest == hashlib.sha256(body).hexdigest().encode() else None

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


def new_folder(root: Path, wanted: str, taken: Set[str]) -> DraftFolder:
    """A folder that was nobody's, under that name or with the first free number."""
    for name in (wanted, *(f"{wanted}_{number}" for number in range(2, _MOST_NAMESAKES))):
        folder = DraftFolder(root / name)
        if name not in taken and folder.claim():
            return folder
    raise UserError(f"there are too many drafts called '{wanted}'; give it another name")


def _not_kept(wrong: OSError) -> UserError:
    reason = (wrong.strerror or "it cannot be written").lower()
    return UserError(f"the draft could not be kept: {reason}; check the disk")


def check_keepable(scenario: dict[str, Any]) -> None:
    """UserError for what could not be written, or not be read again."""
    if _depth(scenario) > FILE_LIMITS.depth:
        raise UserError(f"nested more than {FILE_LIMITS.depth} levels deep; make it flatter")
    try:
        size = len(json.dumps(scenario, ensure_ascii=False).encode())
    except ValueError:
        raise UserError("it holds half a character, which no file can keep; remove it") from None
    if size > MOST_BYTES:
        raise TooLarge(f"a draft has at most {MOST_BYTES // 1_000_000} MB; make it shorter")


def _depth(value: Any) -> int:
    """How many lists and mappings stand in each other; counted no further than files may go."""
    level, found = [value], 0
    while level and found <= FILE_LIMITS.depth:
        inner = [each for each in level if isinstance(each, dict | list)]
        parts = (each.values() if isinstance(each, dict) else each for each in inner)
        level, found = list(chain.from_iterable(parts)), found + bool(inner)
    return found

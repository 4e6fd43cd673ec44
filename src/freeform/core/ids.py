"""New names for things, as a port."""

import secrets  # noqa: TID251 - the one place
import uuid
from typing import Protocol


class Ids(Protocol):
    """Gives a name no one has."""

    def new(self, kind: str) -> str:
        """A fresh id such as `turn_3f9c…`."""
        ...


class RandomIds:
    """Names that no other machine will give."""

    def new(self, kind: str) -> str:
        return f"{kind}_{uuid.uuid4().hex[:16]}"  # noqa: TID251 - the one place


class CountedIds:
    """Names in order: `turn_1`, `turn_2` …"""

    def __init__(self) -> None:
        self._count = 0

    def new(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self._count}"


def new_secret() -> str:
    """192 bits as 32 letters, for a token that nobody can guess; never a name for anything."""
    return secrets.token_urlsafe(24)

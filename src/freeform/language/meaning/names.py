"""What names name, by how sentences use them."""

from collections.abc import Sequence
from typing import Protocol

NAME_KINDS = ("person", "place", "faction", "item", "event", "creature")


class NameKinds(Protocol):
    """Tells what a name names by the sentences it stands in."""

    def __hash__(self) -> int: ...

    def kinds(self, names: Sequence[str], sentences: Sequence[str]) -> dict[str, dict[str, float]]:
        """How likely each name that stands in a sentence is of each kind; {} where nothing can
        tell."""
        ...

    def knows(self, word: str) -> bool:
        """Whether a word is one of the language's own."""
        ...


class _NoNameKinds:
    """Where nothing knows what names name."""

    def kinds(self, names: Sequence[str], sentences: Sequence[str]) -> dict[str, dict[str, float]]:
        """None."""
        return {}

    def knows(self, word: str) -> bool:
        """Any word may be."""
        return True


no_name_kinds = _NoNameKinds()

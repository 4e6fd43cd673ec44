"""What an author keeps from players: the marks that the pack guide names, and nothing else.

- the frontmatter's `gm_only`, for the whole entry or for a list of headings
- a heading that says so itself: `GM: …`, `GM notes`, `… (GM only)`
- the form of an entry of the world: `## Withholds`, `## Discoverable` and the others in `FORM`

A word that any book may use as a heading is no mark: not in a title, not in entries about rules and
customs, and not in what was taken from a printed book.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from freeform.core.text import plain_form
from freeform.packs.model import Entry

FORM = frozenset({"discoverable", "discoverables", "secret", "secrets", "withholds"})
"""Headings of the form, in entries of the types in `WORLD`."""
TOLD_IN_PLAY = frozenset({"knows", "threads"})
"""These too, for whoever searches: they come out by asking, not by leafing through the book."""
WORLD = frozenset({"event", "faction", "history", "item", "location", "npc", "pc"})
GUESSED = frozenset({"discoverable", "discoverables", "hidden", "secret", "secrets", "withholds"})
"""What a person's own notes, which have no form, mean for the game master more often than not."""
COMMON = frozenset({"clue", "clues", "hidden", "hooks", "knowledge", "searching"})
"""Headings that authors may think hidden and that are not: `pack validate` says so."""
_MARK = re.compile(
    r"(gm|dm|game ?master)( only| notes?| secrets?)?\s*([:\-–—].*)?\Z|.*[(\[](gm|dm)( only)?[)\]]\Z"
)
_PHRASES = frozenset({"behind the screen", "for the game master", "for the gm"})


@dataclass(frozen=True)
class Marks:
    """What hides sections of one entry."""

    type: str = ""
    """The entry's type; '' has no form."""
    whole: bool = False
    headings: frozenset[str] = frozenset()
    """Named in the frontmatter, in their plain form."""
    from_book: bool = False
    guessed: frozenset[str] = frozenset()
    """Further headings below the title, from an importer that would rather hide too much."""

    def hide(self, level: int, heading: str) -> bool:
        """Whether players must not read on below that heading."""
        if self.whole or is_marked(heading):
            return True
        if self.headings and plain_form(heading) in self.headings:
            return True
        if level <= 1:
            return False
        said = bare(heading)
        return (self._has_form and said in FORM) or said in self.guessed

    def keep_from_search(self, level: int, heading: str) -> bool:
        """Whether a player who searches must not find it; more than is hidden."""
        told_in_play = self._has_form and level > 1 and bare(heading) in TOLD_IN_PLAY
        return told_in_play or self.hide(level, heading)

    @property
    def _has_form(self) -> bool:
        return self.type in WORLD and not self.from_book


def marks_of(metadata: Mapping[str, Any], type: str) -> Marks:
    """What hides sections of an entry with that frontmatter."""
    hidden = metadata.get("gm_only", False)
    named = hidden if isinstance(hidden, list) else []
    return Marks(
        type=type,
        whole=hidden is True,
        headings=frozenset(plain_form(heading) for heading in named),
        from_book=is_from_book(metadata.get("extra", {})),
    )


@lru_cache(maxsize=4096)
def is_marked(heading: str) -> bool:
    """Whether the heading itself says that it is the game master's: `GM: …`, `… (GM only)`."""
    said = bare(heading)
    return said in _PHRASES or _MARK.match(said) is not None


def bare(heading: str) -> str:
    """A heading as it is compared."""
    return plain_form(heading).strip().rstrip(":")


def entry_marks(entry: Entry) -> Marks:
    """What hides sections of an entry when its file is read again, but for the frontmatter's
    list."""
    return Marks(type=entry.type, whole=entry.gm_only, from_book=is_from_book(entry.extra))


def is_from_book(extra: Mapping[str, Any]) -> bool:
    """Whether an entry was taken from a printed book: it says which, and the page."""
    return isinstance(extra.get("source"), str) and isinstance(extra.get("page"), int)

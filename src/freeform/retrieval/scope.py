"""Who may know what. GM-only text reaches the GM, and an NPC where it is its own; no one else.

What a section is for follows from its heading. Whether it is secret does not: that is for its
author to say, in the ways of `packs.folder.secrecy`.
"""

import re
from typing import Literal

from freeform.core.text import plain_form
from freeform.packs.folder.secrecy import Marks
from freeform.retrieval.model import Audience, ContentPackChunk, Document, DocumentSection, Viewer

Role = Literal[
    "atmosphere",
    "disposition",
    "knows",
    "withholds",
    "capabilities",
    "voice",
    "discoverable",
    "threads",
    "",
]

_HEADINGS: dict[Role, str] = {
    "atmosphere": r"atmosphere|ambience|ambiance|mood|sensory details|first impressions?|sights and sounds",
    "disposition": r"disposition|demeanou?r|attitude|manner|state of mind|temperament",
    "knows": r"knows|knowledge|(what )?((s?he|they|it) )?knows?|can tell|will tell",
    "withholds": r"withholds|hides|(what )?(s?he|they|it) (hides?|withholds?)|keeps? quiet about|w(ill no|on')t tell",
    "capabilities": r"capabilities|abilities|skills|combat|threat|in a fight",
    "voice": r"voice|speech|how (s?he|they|it) (speaks?|talks?)|way of speaking|mannerisms",
    "discoverable": r"discoverables?|discoveries|hidden|clues?|what can be found|to be found|searching|finds",
    "threads": r"threads?|thread connections?|(plot )?hooks|connections to threads",
}
_ROLES = [(role, re.compile(words)) for role, words in _HEADINGS.items()]
_OWN_ROLES: frozenset[Role] = frozenset({"knows", "withholds"})


def role_of(heading: str) -> Role:
    """What a section is for, by its heading; empty for all others."""
    plain = re.sub(r"[\s:.*_()\[\]]+", " ", plain_form(heading)).strip()
    return next((role for role, words in _ROLES if words.fullmatch(plain)), "")


def audience_of(document: Document, section: DocumentSection) -> Audience:
    """Who may read a section. In doubt, fewer."""
    if document.audience == "gm" or section.gm_only:
        return "gm"
    marks = Marks(document.type, from_book=bool(document.book))
    secret = marks.keep_from_search(section.level, section.heading)
    return "gm" if secret else document.audience


def known_by(document: Document, section: DocumentSection) -> list[str]:
    """Who knows a section although its audience leaves them out: an NPC what it knows and
    withholds."""
    own = document.type in ("npc", "pc") and role_of(section.heading) in _OWN_ROLES
    return [*document.known_by, *([document.key] if own else [])]


def same(one: str, other: str) -> bool:
    """Whether two ids name one thing; a short id names it in any pack."""
    if ":" in one and ":" in other:
        return one == other
    return one.rpartition(":")[2] == other.rpartition(":")[2]


def may_see(viewer: Viewer, chunk: ContentPackChunk) -> bool:
    """Whether that viewer may be given that chunk."""
    match viewer.kind:
        case "gm":
            return True
        case "player":
            return chunk.audience != "gm"
        case "npc":
            return chunk.audience == "all" or any(same(viewer.id, who) for who in chunk.known_by)

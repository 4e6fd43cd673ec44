"""The other account: what the notes say of a thing on the sheet, and the other way round, only to
find disagreement.

A question about the sword asks the sheet. If the notes know the sword too, their pieces about it
are held against the sheet's, by code; they come into the answer only where the two state different
things.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from freeform.assistant.entities.gazetteer import Tables
from freeform.assistant.entities.match import match, results
from freeform.assistant.intentions import PLAINEST
from freeform.assistant.model import Asking, Disagreement, EntitySearchResult, Piece, Tool, Wanted
from freeform.assistant.passes import Numbered
from freeform.assistant.ports import Source
from freeform.core.errors import FreeformError

_OTHER: dict[Tool, Tool] = {"character_data": "session_notes", "session_notes": "character_data"}


@dataclass
class Accounts:
    """Pieces of the tool that was not asked."""

    pieces: list[Piece] = field(default_factory=list)

    def without_idle(
        self, numbered: list[Numbered], differing: Sequence[Disagreement]
    ) -> list[Numbered]:
        """Takes out again what nothing disagrees with. Numbers of what stays do not change."""
        mine = {piece.id for piece in self.pieces}
        used = " ".join(side for each in differing for side in each.sides)
        return [each for each in numbered if each.piece.id not in mine or f"[{each.n}]" in used]


async def other_accounts(
    found: Mapping[str, Sequence[EntitySearchResult]],
    present: Sequence[Tool],
    tables: Tables,
    sources: Sequence[Source],
    asking: Asking,
) -> Accounts:
    """What the tool that was not asked has about the names that were found."""
    tools = {place.tool for places in found.values() for place in places}
    asked = [
        tool
        for tool in tools
        if tool in _OTHER and _OTHER[tool] not in tools and _OTHER[tool] in present
    ]
    if not asked:
        return Accounts()
    other = _OTHER[asked[0]]
    places = [place for name in found for place in _sure(name, found[name], other, tables)]
    ids = list(dict.fromkeys(piece for place in places for piece in place.pieces))
    if not ids:
        return Accounts()
    wish = Wanted(
        tool=other,
        intention=PLAINEST[other],
        entities=[place.matched_text for place in places],
        pieces=ids[:12],
        sections=list(
            dict.fromkeys(section for place in places for section in place.found_in_sections)
        ),
        query=" ".join(place.matched_text for place in places),
        limit=12,
        edition=asking.edition,
        viewer=asking.viewer,
    )
    lists = await asyncio.gather(
        *(_fetch(source, wish) for source in sources if source.tool == other)
    )
    return Accounts([piece for pieces in lists for piece in pieces if piece.id in ids])


def _sure(
    mention: str, places: Sequence[EntitySearchResult], other: Tool, tables: Tables
) -> list[EntitySearchResult]:
    for name in dict.fromkeys(
        [mention, *(place.matched_text for place in places if place.match_confidence >= 0.8)]
    ):
        hit = match(name, tables[other], known_elsewhere=True)
        if hit.rows and hit.confidence >= 0.75 and not hit.maybe:
            return results(hit, tables[other])
    return []


async def _fetch(source: Source, wish: Wanted) -> list[Piece]:
    try:
        return await source.fetch(wish)
    except (FreeformError, OSError):
        return []  # It was not asked for; without it there is simply nothing to compare.

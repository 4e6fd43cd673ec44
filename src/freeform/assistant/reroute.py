"""When nothing resolves where one looked: the names' own tools are added, and the answer says so."""

import asyncio
from collections.abc import Mapping, Sequence

from freeform.assistant.entities.fold import tokens
from freeform.assistant.intentions import PLAINEST
from freeform.assistant.model import (
    Asking,
    EntityMention,
    EntitySearchResult,
    Piece,
    Tool,
    ToolNeeded,
    Wanted,
)
from freeform.assistant.ports import Source
from freeform.assistant.route import intention_for
from freeform.core.errors import FreeformError
from freeform.language.inflection import lemma

CALLED: dict[Tool, str] = {
    "character_data": "the sheet",
    "session_notes": "the notes",
    "rulebook": "the rulebooks",
}


def reroute(
    needed: Sequence[ToolNeeded],
    found: Mapping[str, Sequence[EntitySearchResult]],
    present: Sequence[Tool],
) -> tuple[list[ToolNeeded], list[str]]:
    """The tools needed with those in which names turned up instead; and the sentences that say so."""
    more, said = list(needed), list[str]()
    looked = [CALLED[each.tool] for each in needed if each.tool in present]
    for name, places in found.items():
        for place in places:
            if place.tool in {each.tool for each in more}:
                continue
            wanted = intention_for(min(place.found_in_sections, key=_telling))
            more.append(
                ToolNeeded(tool=place.tool, intention=wanted, confidence=place.match_confidence)
            )
        tools = dict.fromkeys(place.tool for place in places)
        where = " and ".join(CALLED[tool] for tool in tools)
        if any(tool not in {each.tool for each in needed} for tool in tools):
            missing = f"nothing called '{name}' in {' or '.join(looked)}; " if looked else ""
            said.append(f"{missing}'{name}' was found in {where}, so that was searched too")
    return more, said


def _telling(section: str) -> int:
    """Where a sheet tells most of someone: among relations and in the story, before a bag that bears their name."""
    order = (
        "relations",
        "backstory",
        "personality",
        "features_and_traits",
        "spell_list",
        "inventory",
    )
    return order.index(section) if section in order else len(order)


async def traces(
    mentions: Sequence[EntityMention],
    sources: Sequence[Source],
    selected: Sequence[Tool],
    asking: Asking,
) -> dict[str, list[EntitySearchResult]]:
    """Names that no table has may stand in running text. Selected tools come first; the others if those have none."""
    for tools in (list(selected), [tool for tool in PLAINEST if tool not in selected]):
        mine = [source for source in sources if source.tool in tools]
        found = {mention.name: await _in_text(mention.name, mine, asking) for mention in mentions}
        if kept := {name: places for name, places in found.items() if places}:
            return kept
    return {}


async def _in_text(
    name: str, sources: Sequence[Source], asking: Asking
) -> list[EntitySearchResult]:
    asked = [_wish(name, source.tool, asking) for source in sources]
    lists = await asyncio.gather(*(_fetch(s, wish) for s, wish in zip(sources, asked, strict=True)))
    key = [lemma(word) for word in tokens(name)]
    places = list[EntitySearchResult]()
    for tool in dict.fromkeys(source.tool for source in sources):
        pieces = [
            piece
            for pieces in lists
            for piece in pieces
            if piece.tool == tool and _holds(piece, key)
        ]
        if asking.viewer != "gm":
            pieces = [piece for piece in pieces if not piece.gm_only]
        if pieces:
            places.append(
                EntitySearchResult(
                    found_in_sections=list(dict.fromkeys(piece.section for piece in pieces)),
                    match_confidence=0.7,
                    matched_text=name,
                    match_strategy="text",
                    tool=tool,
                    pieces=[piece.id for piece in pieces],
                )
            )
    return places


def _wish(name: str, tool: Tool, asking: Asking) -> Wanted:
    return Wanted(
        tool=tool,
        intention=PLAINEST[tool],
        query=name,
        limit=5,
        edition=asking.edition,
        viewer=asking.viewer,
    )


async def _fetch(source: Source, wish: Wanted) -> list[Piece]:
    try:
        return await source.fetch(wish)
    except (FreeformError, OSError):
        return []  # The query itself will fail the same way, and is where that is said.


def _holds(piece: Piece, key: list[str]) -> bool:
    """Whether the words stand in the piece, one after the other."""
    words = [lemma(word) for word in tokens(f"{piece.title} {piece.text}")]
    return any(words[at : at + len(key)] == key for at in range(len(words) - len(key) + 1))

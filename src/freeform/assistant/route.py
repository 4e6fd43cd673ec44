"""From what a question needs to what each source is asked: plans, and the wishes made of them."""

from collections.abc import Mapping, Sequence

from freeform.assistant.intentions import intention
from freeform.assistant.model import (
    Edition,
    EntitySearchResult,
    Piece,
    QueryPlan,
    Tool,
    ToolNeeded,
    Wanted,
    tool_of,
)

Found = Mapping[str, Sequence[EntitySearchResult]]
_BY_SECTION = {
    "identity": "character_basics", "ability_scores": "character_basics", "combat_stats": "combat_info",
    "action_economy": "combat_info", "proficiencies": "abilities_info", "features_and_traits": "abilities_info",
    "inventory": "inventory_info", "spell_list": "magic_info", "personality": "story_info", "backstory": "story_info",
    "relations": "social_info", "progress": "progress_info",
    "session_notes.npc": "npc_history", "session_notes.location": "location_history",
    "session_notes.event": "event_recap", "session_notes.decision": "decision_history",
    "session_notes.quest": "quest_status", "session_notes.combat": "combat_recap",
    "session_notes.character": "character_development", "session_notes.session": "event_recap",
}  # fmt: skip


def intention_for(section: str) -> str:
    """What one wants of a tool in which a name turned up unasked: by the section where it
    stands."""
    return _BY_SECTION.get(section) or (
        "describe_entity" if tool_of(section) == "rulebook" else "event_recap"
    )


def plan(needed: Sequence[ToolNeeded], found: Found, present: Sequence[Tool]) -> list[QueryPlan]:
    """One query per tool and intention. A name goes to every tool it was found in; its sections are
    included."""
    plans: dict[tuple[str, str], QueryPlan] = {}
    for each in needed:
        if each.tool not in present:
            continue
        names: list[str] = []
        sections: list[str] = []
        for mention, places in found.items():
            for place in places:
                for section in place.found_in_sections:
                    if tool_of(section) == each.tool:
                        names.append(mention)
                        sections.append(section)
        made = QueryPlan(
            tool=each.tool,
            intention=intention(each.tool, each.intention).name,
            entities=list(dict.fromkeys(names)),
            auto_include=list(dict.fromkeys(sections)),
        )
        plans.setdefault((made.tool, made.intention), made)
    return list(plans.values())


def only_named(wish: Wanted, pieces: list[Piece]) -> list[Piece]:
    """Where the strategy is to look names up, what the words found besides is left out, if a name
    gave anything."""
    if intention(wish.tool, wish.intention).mode not in ("names", "each"):
        return pieces
    return [piece for piece in pieces if piece.id in wish.pieces] or pieces


def wishes(
    query: QueryPlan, found: Found, question: str, edition: Edition, viewer: str
) -> list[Wanted]:
    """What a plan asks of its source, by the intention's strategy. A comparison asks for each name
    by itself."""
    strategy = intention(query.tool, query.intention)
    mine = {
        name: [place for place in found.get(name, ()) if place.tool == query.tool]
        for name in query.entities
    }
    groups = (
        [{name: places} for name, places in mine.items()]
        if strategy.mode == "each" and len(mine) > 1
        else [mine]
    )
    limit = strategy.limit if len(groups) == 1 else max(2, strategy.limit // len(groups))
    return [
        Wanted(
            tool=query.tool,
            intention=query.intention,
            entities=list(
                dict.fromkeys(place.matched_text for places in group.values() for place in places)
            ),
            pieces=list(
                dict.fromkeys(
                    piece for places in group.values() for place in places for piece in place.pieces
                )
            ),
            sections=list(dict.fromkeys([*strategy.sections, *query.auto_include])),
            auto_include=query.auto_include,
            kinds=strategy.kinds,
            query=f"{question} {strategy.words}".strip(),
            limit=limit,
            edition=edition,
            viewer="gm" if viewer == "gm" else "player",
        )
        for group in groups
    ]

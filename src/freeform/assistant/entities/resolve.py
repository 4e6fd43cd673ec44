"""Where each mention of a question stands: in the selected tools first, then one cheap look at the
others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from freeform.assistant.entities.fold import folded
from freeform.assistant.entities.match import Match, match, results
from freeform.assistant.entities.spot import spot
from freeform.assistant.entities.table import NameTable
from freeform.assistant.model import EntityMention, EntitySearchResult, Tool


@dataclass
class ResolvedNames:
    """Every place of every mention, and what is to be said about it."""

    found: dict[str, list[EntitySearchResult]] = field(default_factory=dict)
    maybe: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Names that a mention might have meant, where none was sure."""
    elsewhere: dict[str, list[EntitySearchResult]] = field(default_factory=dict)
    """Found only in tools that were not selected."""


def resolve(
    mentions: Sequence[EntityMention], selected: Sequence[Tool], tables: Mapping[Tool, NameTable]
) -> ResolvedNames:
    """Each mention in the selected tools; when none of them is found there, the other tools' tables
    are probed once."""
    mine = {tool: table for tool, table in tables.items() if tool in selected}
    done = ResolvedNames()
    for mention in mentions:
        done.found[mention.name] = _places(mention.name, mine, tables, done)
    if mentions and not any(done.found.values()):
        others = {tool: table for tool, table in tables.items() if tool not in selected}
        for mention in mentions:
            if places := _places(mention.name, others, tables, done):
                done.elsewhere[mention.name] = places
    return done


def _places(
    name: str,
    mine: Mapping[Tool, NameTable],
    all_tables: Mapping[Tool, NameTable],
    done: ResolvedNames,
) -> list[EntitySearchResult]:
    key, places = folded(name), list[EntitySearchResult]()
    exact = {
        tool for tool, table in all_tables.items() if key in table.by_name or key in table.by_alias
    }
    for tool, table in mine.items():
        hit = match(name, table, known_elsewhere=bool(exact - {tool}))
        if not hit.rows:
            hit = _inside(name, tool, table) or hit
        if hit.maybe:
            done.maybe[name] = tuple(dict.fromkeys([*done.maybe.get(name, ()), *hit.maybe]))
        places += results(hit, table) if hit.rows else []
    if places and not any(place.match_strategy in ("part", "prefix") for place in places):
        done.maybe.pop(name, None)
    return places


def _inside(name: str, tool: Tool, table: NameTable) -> Match | None:
    """A mention that is more than the name (`the cursed sword Eldaryth of Regret`): the name inside
    it."""
    if len(name.split()) < 2:
        return None
    hits = [hit.found[tool] for hit in spot(name, {tool: table}) if hit.confidence >= 0.7]
    best = max(hits, key=lambda hit: hit.confidence, default=None)
    return Match(best.rows, best.strategy, round(0.95 * best.confidence, 3)) if best else None

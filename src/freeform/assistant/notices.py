"""The sentences that go with an answer: what is absent, what was searched in vain, how a name was
read."""

from collections.abc import Mapping, Sequence

from freeform.assistant.intentions import PLAINEST, intention
from freeform.assistant.model import (
    EntityMention,
    EntitySearchResult,
    Piece,
    QueryPlan,
    Tool,
    ToolNeeded,
    Wanted,
)
from freeform.assistant.passes import KnownName
from freeform.assistant.reroute import CALLED
from freeform.assistant.route import intention_for

_ABSENT: dict[Tool, str] = {
    "character_data": "no character sheet was given, so nothing about your character could be looked up (--character)",
    "session_notes": "no session notes were given, so nothing about past sessions could be looked up (--notes)",
    "rulebook": "no rulebook is installed, so no rule could be looked up (`freeform-rpg import` takes the SRD)",
}


def absent(needed: Sequence[ToolNeeded], present: Sequence[Tool]) -> list[str]:
    """What the question needs and is not there."""
    return [
        _ABSENT[tool] for tool in dict.fromkeys(each.tool for each in needed) if tool not in present
    ]


def nothing_known(
    known: Sequence[KnownName], present: Sequence[Tool]
) -> tuple[list[ToolNeeded], list[str]]:
    """No tool was sure enough: the tools of the names in the question, else all there are, by its
    words."""
    chosen: dict[Tool, str] = {}
    for name in known:
        for section in name.sections if name.confidence >= 0.6 else ():
            tool = next((tool for tool in name.tools), None)
            if tool:
                chosen.setdefault(tool, intention_for(section))
    named = bool(chosen)
    chosen = chosen or {tool: PLAINEST[tool] for tool in present}
    said = "it was not clear what the question is about, so "
    said += "the names in it were looked up" if named else "its words were looked for everywhere"
    return [
        ToolNeeded(tool=tool, intention=wanted, confidence=0.5) for tool, wanted in chosen.items()
    ], [said]


def about_matches(
    found: Mapping[str, Sequence[EntitySearchResult]], maybe: Mapping[str, Sequence[str]]
) -> list[str]:
    """Names that were read as something else than they were written, and names that could mean
    several."""
    said = []
    for name, places in found.items():
        read = dict.fromkeys(
            place.matched_text for place in places if place.match_strategy == "ngram"
        )
        if read:
            said.append(f"'{name}' was read as {' and '.join(read)}")
        if options := maybe.get(name):
            ask = "could be" if any(places) else "is not known; did you mean"
            said.append(
                f"'{name}' {ask} {' or '.join(list(options)[:5])}{'' if any(places) else '?'}"
            )
    return said


def empty(
    queries: Sequence[QueryPlan],
    fetched: Sequence[Sequence[Piece]],
    wanted: Sequence[tuple[QueryPlan, Wanted]],
    found: Mapping[str, Sequence[EntitySearchResult]],
    mentions: Sequence[EntityMention],
) -> list[str]:
    """What was searched and had nothing: names that stand nowhere, and queries that gave
    nothing."""
    tools = list(dict.fromkeys(query.tool for query in queries))
    where = " and ".join(CALLED[tool] for tool in tools)
    said = [
        f"'{mention.name}' in {where}"
        for mention in mentions
        if where and not found.get(mention.name)
    ]
    for query in queries:
        if (
            mentions
            and not query.entities
            and intention(query.tool, query.intention).mode in ("names", "both")
        ):
            named = [f"'{mention.name}'" for mention in mentions if found.get(mention.name)]
            said += [f"{' or '.join(named)} in {CALLED[query.tool]}"] if named else []
        if not any(
            pieces for (asked, _), pieces in zip(wanted, fetched, strict=True) if asked == query
        ):
            said.append(f"{CALLED[query.tool]}, for {intention(query.tool, query.intention).about}")
    return said

"""The ten steps, one function each. A step looks, reads and asks; it writes nothing:
`work_zone.do_step` commits it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from freeform.core.text import shorten, slug, visible
from freeform.lore.daemon.checkpoint import known_zones
from freeform.lore.daemon.following import (
    follow,
    from_graph,
    look_at_other_end,
    names_zone,
    opened,
    spread,
    wanted_urls,
)
from freeform.lore.daemon.gathered import Gathered
from freeform.lore.daemon.packing import Packing, labels_of, meaning_so_far, stored_pages
from freeform.lore.daemon.reading import PageReading, page_kind, prose_again, read_again
from freeform.lore.errand import Errand, OutOfReach, effect_id
from freeform.lore.judge.reviewing import review
from freeform.lore.judge.turning import turned
from freeform.lore.judge.ways import disputed
from freeform.lore.messages import (
    RESEARCHER,
    USER,
    VALIDATOR,
    Decision,
    MessageEnvelope,
    UserDecisionRequired,
)
from freeform.lore.model import ClaimConflict, Kind, ResearchCheckpoint, ResearchPackage
from freeform.lore.person.acts import acts_in, labels_told
from freeform.lore.ports import SearchHit, WebPage
from freeform.lore.read.claims import digest
from freeform.lore.read.kinds import signature
from freeform.lore.read.passes import LABEL_CONFLICTS, ConflictsInput
from freeform.lore.read.prose import as_name, is_order
from freeform.lore.read.values import Names, name_of
from freeform.lore.read.vocabulary import predicate

MOST_OPTIONS = 12
MOST_BY_NAME = 3
Fork = tuple[dict[str, Any], list[MessageEnvelope], list[Decision]]


async def at_fork(errand: Errand, package: ResearchPackage, had: Gathered) -> Fork:
    """The changes to the checkpoint, and the question to the user where there is more than one new
    way."""
    point, ports = errand.point, errand.ports
    if not ports.limits.roam:
        return {}, [], []
    known = known_zones(point)
    titles = {c.value_id: c.value for c in had.claims if c.predicate == "connects_to"}
    ways = [titles.get(id, id) for id in package.zone_data.connected_zones]
    new = [way for way in dict.fromkeys(ways) if slug(way) not in known][:MOST_OPTIONS]
    if len(new) < 2 or not ports.limits.ask_at_forks:
        return {"progression_queue": [*point.progression_queue, *new]}, [], []
    decision = await _question(errand, package, new)
    ports.log("fork_detected", zone_name=point.zone_name, options=new)
    ports.log("user_decision_requested", decision_id=decision.decision_id, options=new)
    asked = UserDecisionRequired(
        question=decision.question, options=new, context=decision.context, decision_id=decision.decision_id,
        default=decision.default, deadline=decision.deadline, costs=decision.costs,
    )  # fmt: skip
    envelope = MessageEnvelope(
        message_id=decision.decision_id, source_agent=RESEARCHER, target_agent=USER,
        message_type="user_decision_required", timestamp=ports.clock.now(), correlation_id=decision.decision_id,
        payload=asked.model_dump(mode="json"),
    )  # fmt: skip
    return {"held_zones": [*point.held_zones, *new]}, [envelope], [decision]


async def _question(errand: Errand, package: ResearchPackage, options: list[str]) -> Decision:
    point, ports = errand.point, errand.ports
    done = len(point.completed_zones)
    cost = (await ports.store.spent(point.game)) // done if done else 0
    hours = ports.limits.decision_hours
    deadline = (
        (ports.clock.now() + timedelta(hours=hours)).isoformat(timespec="seconds") if hours else ""
    )
    sure = {e.target_id: e.confidence for e in package.relations if e.name == "CONNECTS_TO"}
    best = max(options, key=lambda option: (sure.get(slug(option), 0.0), -options.index(option)))
    waiting = len(point.progression_queue) + len(point.priority_queue)
    meanwhile = (
        f"Meanwhile {'another zone goes' if waiting == 1 else f'{waiting} other zones go'} on."
        if waiting
        else "Nothing else is queued: research waits here."
    )
    return Decision(
        decision_id=effect_id(errand.key, "fork"), game=point.game, zone_name=point.zone_name,
        question=f"Which zone should be researched after {point.zone_name}?", options=options,
        context=f"{point.zone_name} leads to {', '.join(options)}. {meanwhile}", default=best, deadline=deadline,
        costs=dict.fromkeys(options, cost), asked_at=ports.now(),
    )  # fmt: skip


_SUPPOSED = {
    "error": "",
    "era": "perhaps of two times: ",
    "alias": "perhaps two names of one thing: ",
}
"""What a pass takes a conflict for is told to whoever looks into it; the rows stay as the rules
made them."""
ENOUGH = 2
"""With fewer good hits than this, a search is put in other words."""


@dataclass(frozen=True)
class StepDone:
    """What a step came to."""

    gathered: Gathered
    summary: dict[str, Any]
    changes: dict[str, Any] = field(default_factory=dict)
    messages: list[MessageEnvelope] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)


Work = Callable[[Errand, Gathered], Awaitable[StepDone]]


async def search_zone(errand: Errand, had: Gathered) -> StepDone:
    """Step 1: pages on the zone; in other words where the first ones find too little."""
    zone, game = errand.point.zone_name, errand.point.game
    queries = [f"{zone} {game} lore zone overview", f"{zone} {game}", f"{zone} wiki", zone]
    return await _search(
        errand, had, "zone", [*had.searches, *queries], good=lambda hit: _about(hit, zone)
    )


async def extract_zone(errand: Errand, had: Gathered) -> StepDone:
    """Step 2: reads every page that names the zone, its own first: connections, places, factions,
    people, and its story."""
    zone = errand.point.zone_name
    names = had.names
    zone_id = names.know(zone)
    most = errand.ports.limits.results_per_search
    pages: dict[str, WebPage] = {}
    for hit in spread(had.hits.get("zone", []), most):
        pages |= {page.url: page for page in await opened(errand, hit.url)}
    names.learn(pages.values())
    near = [page for page in pages.values() if names_zone(page, zone, names)]
    own = [
        page
        for page in near
        if page_kind(page, zone_id, names, ()) == "zone" and names.id(page.title) == zone_id
    ]
    marks = sorted({mark for page in own if (mark := signature(page))})
    gathered = had.model_copy(
        update={
            "zone_marks": marks,
            "aliases": names.aliases(),
            "meaning": await meaning_so_far(errand),
        }
    )
    if not near and (had.outages or errand.outages):
        raise OutOfReach(f"nothing on {zone} can be had just now; it is tried again later")
    gathered, count = await _read(errand, gathered, _best(own), names, zone=True)
    others = [page for page in near if page not in own]
    gathered, more = await _read(errand, gathered, _best(others), names)
    return _done(errand, gathered, pages=len(near), claims=count + more)


async def _read(
    errand: Errand, had: Gathered, pages: list[WebPage], names: Names, *, zone: bool = False
) -> tuple[Gathered, int]:
    reading = PageReading(errand, had, names)
    claims = [claim for page in pages for claim in await reading.read(page)]
    return had.with_pages(pages, claims, names, zone=zone), len(claims)


async def search_npcs(errand: Errand, had: Gathered) -> StepDone:
    """Step 3: pages on the people of the zone."""
    first = f"{errand.point.zone_name} NPCs notable characters"
    return await _search(errand, had, "npc", [first, *_by_name(errand, had, "npc")], every=True)


async def extract_npcs(errand: Errand, had: Gathered) -> StepDone:
    """Step 4: reads them, and follows the zone's links to people."""
    return await _extract(errand, had, "npc")


async def read_factions(errand: Errand, had: Gathered) -> StepDone:
    """Step 5: searches and reads the zone's factions."""
    first = f"{errand.point.zone_name} factions organizations"
    queries = [first, *_by_name(errand, had, "faction")]
    found = await _search(errand, had, "faction", queries, every=True)
    return await _extract(errand, found.gathered, "faction")


async def read_lore(errand: Errand, had: Gathered) -> StepDone:
    """Step 6: searches and reads places, history, mythology; follows whatever else the zone's pages
    link to."""
    query = f"{errand.point.zone_name} lore history mythology cosmology"
    found = await _search(errand, had, "lore", [query])
    return await _extract(errand, found.gathered, "lore")


async def read_items(errand: Errand, had: Gathered) -> StepDone:
    """Step 7: searches and reads things with a story."""
    found = await _search(
        errand, had, "narrative_item", [f"{errand.point.zone_name} legendary items artifacts"]
    )
    return await _extract(errand, found.gathered, "narrative_item")


async def cross_reference(errand: Errand, had: Gathered) -> StepDone:
    """Step 8: reads what labels mean from all that was read, asks the other end about disputed
    connections, finds conflicts, and has them named."""
    names = had.names
    zone_id = names.id(errand.point.zone_name)
    stored = await stored_pages(errand.ports.store, errand.point.game, had)
    pages = [page for page in stored.values() if page]
    had = await prose_again(errand, pages, had, names)
    acts = acts_in(await errand.ports.store.steps_done(errand.point.game))
    told = labels_told(acts)
    near = errand.ports.near
    claims, meaning = await asyncio.to_thread(read_again, pages, had, zone_id, names, told, near)
    claims += await from_graph(errand, claims, zone_id, acts)
    had = had.model_copy(update={"claims": claims, "meaning": meaning})
    confirmed, denied = set(had.confirmed), set(had.denied)
    for claim in disputed([*claims, *turned(claims)], "connects_to"):
        if claim.subject_id == zone_id:
            there = await look_at_other_end(errand, claim, had, names)
            confirmed |= {claim.value_id} if there else set()
            denied |= {claim.value_id} if there is False else set()
    gathered = had.model_copy(update={"confirmed": sorted(confirmed), "denied": sorted(denied)})
    package = await package_of(errand, gathered)
    listed = [c for c in package.conflicts if c.kind == "error"]
    if listed:
        lines = "\n".join(_as_line(number, c) for number, c in enumerate(listed, start=1))
        zone = errand.point.zone_name
        asked = ConflictsInput(zone=zone, conflicts=lines)
        named = await errand.ask(LABEL_CONFLICTS, asked, about=f"{zone}|{digest(lines)}")
        labels = {
            listed[label.number - 1].data_point: f"{_SUPPOSED[label.kind]}{as_sentence(label.why)}"
            for label in (named.labels if named else [])
            if 0 < label.number <= len(listed) and as_sentence(label.why)
        }
        gathered = gathered.model_copy(update={"labels": labels})
    doubts = await review(errand, package)
    gathered = gathered.model_copy(update={"doubts": doubts})
    for conflict in package.conflicts:
        errand.ports.log(
            "conflict_detected", "warn", zone_name=errand.point.zone_name, data_point=conflict.data_point,
            kind=conflict.kind, source_a=conflict.source_a.url, source_b=conflict.source_b.url,
        )  # fmt: skip
    used = labels_of(pages, gathered, zone_id)
    return _done(
        errand,
        gathered,
        conflicts=len(package.conflicts),
        gaps=len(package.gaps),
        labels={key: use.model_dump() for key, use in used.items()},
    )


async def discover_zones(errand: Errand, had: Gathered) -> StepDone:
    """Step 9: where one can go from here. One way goes into the queue; a fork is put to a person
    (D9)."""
    package = await package_of(errand, had)
    changes, messages, decisions = await at_fork(errand, package, had)
    done = _done(errand, had, connected=len(package.zone_data.connected_zones))
    return StepDone(done.gathered, done.summary, changes, messages, decisions)


async def send_package(errand: Errand, had: Gathered) -> StepDone:
    """Step 10: everything into one package, to the validator."""
    package = await package_of(errand, had)
    message_id = effect_id(errand.key, "package")
    envelope = MessageEnvelope(
        message_id=message_id,
        source_agent=RESEARCHER,
        target_agent=VALIDATOR,
        message_type="research_package",
        timestamp=errand.ports.clock.now(),
        correlation_id=message_id,
        payload=package.model_dump(mode="json"),
    )
    errand.ports.log(
        "package_sent", zone_name=package.zone_name, data_point_count=package.data_points,
        total_sources=len(package.sources),
    )  # fmt: skip
    done = _done(
        errand,
        had,
        data_points=package.data_points,
        sources=len(package.sources),
        gaps=len(package.gaps),
    )
    return StepDone(done.gathered, done.summary, {"awaiting": message_id}, [envelope])


async def package_of(errand: Errand, had: Gathered) -> ResearchPackage:
    """The package as the evidence stands."""
    ports, point = errand.ports, errand.point
    packing = Packing(
        ports.store, ports.unlike, point.game, point.zone_name, ports.now(), point.iteration
    )
    return await packing.package(had)


async def _search(
    errand: Errand,
    had: Gathered,
    kind: Kind,
    queries: list[str],
    good: Callable[[SearchHit], bool] = lambda hit: True,
    *,
    every: bool = False,
) -> StepDone:
    """Query after query until enough good hits are found; what the validator asked for is always
    looked for, and with `every` all of them are."""
    found: dict[str, SearchHit] = {}
    asked = 0
    for query in queries:
        enough = sum(map(good, found.values())) >= ENOUGH
        if enough and not every and query not in had.searches:
            break
        asked += 1
        for hit in await errand.search(query):
            found.setdefault(hit.url, hit)
    hits = sorted(found.values(), key=lambda hit: (not good(hit), hit.tier))
    gathered = had.model_copy(update={"hits": {**had.hits, kind: hits}})
    return _done(errand, gathered, queries=asked, hits=len(hits))


async def _extract(errand: Errand, had: Gathered, kind: Kind) -> StepDone:
    """Reads the pages of one kind: those the zone's pages link to first, then those that were
    found."""
    names = had.names
    linked, found = await wanted_urls(errand, had, kind, names)
    pages, claims, zones = await follow(errand, had, linked, found, names)
    gathered = had.with_pages(pages, claims, names)
    gathered = gathered.model_copy(update={"other_zones": sorted({*had.other_zones, *zones})})
    return _done(errand, gathered, pages=len(pages), claims=len(claims))


def _by_name(errand: Errand, had: Gathered, kind: Kind) -> list[str]:
    """Searches for the first few things of a kind that the zone's pages name."""
    zone_id = had.names.id(errand.point.zone_name)
    named = [
        claim.value
        for claim in had.claims
        if claim.subject_id == zone_id and predicate("zone", claim.predicate).names == kind
    ]
    return [f"{name} {errand.point.game}" for name in dict.fromkeys(named)][:MOST_BY_NAME]


def _done(errand: Errand, gathered: Gathered, **summary: Any) -> StepDone:
    failed = {**gathered.failed, **errand.failed}
    outages = gathered.outages + errand.outages
    return StepDone(gathered.model_copy(update={"failed": failed, "outages": outages}), summary)


def _as_line(number: int, conflict: ClaimConflict) -> str:
    """A conflict as the pass sees it, on a line of its own whatever the sources wrote."""
    sides = (
        f"'{shorten(visible(side.value), 160)}' (tier {side.tier}, {as_name(side.era) or 'no time given'})"
        for side in (conflict.source_a, conflict.source_b)
    )
    quotes = (shorten(visible(side.quote), 160) for side in (conflict.source_a, conflict.source_b))
    said = "; ".join(f'"{quote}"' for quote in quotes if quote and not is_order(quote))
    return f"{number}. {conflict.data_point}: {' against '.join(sides)}" + (
        f"; their words: {said}" if said else ""
    )


def as_sentence(text: str) -> str:
    """What a pass wrote, short and on one line; '' where a page has put orders into its mouth."""
    return "" if is_order(text) else shorten(visible(text), 200)


def _about(hit: SearchHit, zone: str) -> bool:
    return slug(name_of(hit.title)) == slug(zone)


def _best(pages: list[WebPage]) -> list[WebPage]:
    """One page of each address, best tier first."""
    return sorted({page.url: page for page in pages}.values(), key=lambda page: page.tier)


def start_of(point: ResearchCheckpoint, searches: list[str]) -> dict[str, Any]:
    """The step data a new attempt at a zone begins with."""
    return {"gathered": Gathered(searches=searches).model_dump(mode="json")} if searches else {}

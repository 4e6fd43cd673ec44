"""Autonomy inside a step: which pages to open next, which of them to read, and what the other end
of a connection says."""

import re
from collections.abc import Iterable

from freeform.core.text import slug
from freeform.lore.daemon.gathered import Gathered
from freeform.lore.daemon.packing import gathered_for
from freeform.lore.daemon.reading import PageReading
from freeform.lore.errand import Errand
from freeform.lore.judge.comparing import settled
from freeform.lore.judge.rows import claim_key
from freeform.lore.model import Claim, Kind
from freeform.lore.person.acts import PersonAct, by_person
from freeform.lore.person.applied import Merged, merged_in, renamed
from freeform.lore.ports import SearchHit, WebPage
from freeform.lore.read.kinds import tells_apart
from freeform.lore.read.page_reader import body_links, read_page
from freeform.lore.read.values import Names, name_of, other_names
from freeform.lore.read.vocabulary import predicate

MOST_MEANT = 8
"""So many of the things that share a name are looked at."""
TELLS_MUCH = 400
"""A page of so many letters that does not name a zone leads nowhere near it; a shorter one may
leave out anything."""
SITES_PER_THING = 2
"""From so many sites the page of one thing is read: one to know, one to compare."""


async def wanted_urls(
    errand: Errand, had: Gathered, kind: Kind, names: Names
) -> tuple[list[str], list[str]]:
    """Addresses worth reading for a kind: links to things that claims name as that kind, and search
    hits.

    Step 6 (`lore`) also follows every link of the zone's pages that nothing is known about.
    """
    store, game = errand.ports.store, errand.point.game
    wanted: dict[str, None] = {}
    kinds: dict[str, str] = {}
    for claim in had.claims:
        known = predicate(claim.subject_kind, claim.predicate)
        if known.names:
            kinds.setdefault(claim.value_id, known.names)
            if known.names == kind:
                wanted.setdefault(claim.value_id)
    linked: dict[str, list[str]] = {}
    for ref in had.pages:
        page = await store.page(game, ref.url, ref.sha256)
        if page is None:
            continue
        for link in body_links(page):
            id = names.id(link.title)
            if link.exists and (
                id in wanted or (kind == "lore" and ref in had.zone_pages and id not in kinds)
            ):
                linked.setdefault(id, []).append(link.url)
    first = [
        urls[nth] for nth in range(SITES_PER_THING) for urls in linked.values() if nth < len(urls)
    ]
    limits = errand.ports.limits
    linked_to = list(dict.fromkeys(first))[: limits.follow_per_step * errand.point.iteration]
    found = [hit.url for hit in spread(had.hits.get(kind, []), limits.results_per_search // 2)]
    return linked_to, [url for url in found if url not in linked_to]


def spread(hits: Iterable[SearchHit], most: int) -> list[SearchHit]:
    """The best hits of every site, so many of each: a site of a lesser tier may be the only one
    that tells a thing."""
    counted: dict[str, int] = {}
    kept: list[SearchHit] = []
    for hit in hits:
        counted[hit.domain] = counted.get(hit.domain, 0) + 1
        if counted[hit.domain] <= most:
            kept.append(hit)
    return kept


async def opened(errand: Errand, url: str) -> list[WebPage]:
    """The page of an address; where that only tells apart things of one name, the pages of those
    things."""
    page = await errand.fetch(url)
    if page is None or not tells_apart(page):
        return [page] if page else []
    name = slug(name_of(page.title))
    meant = [link.url for link in body_links(page) if slug(name_of(link.title)) == name]
    found = [await errand.fetch(other) for other in dict.fromkeys(meant[:MOST_MEANT])]
    return [each for each in found if each and not tells_apart(each)]


async def follow(
    errand: Errand, had: Gathered, linked: list[str], found: list[str], names: Names
) -> tuple[list[WebPage], list[Claim], list[str]]:
    """Reads the pages that belong to the zone, each as what it is. Ids of those that are zones come
    third."""
    seen = {ref.url for ref in had.pages}
    near = things_near(had, names.id(errand.point.zone_name))
    pages: dict[str, WebPage] = {}
    for url in [*linked, *found]:
        for page in await opened(errand, url):
            wanted = url in linked or names_zone(page, errand.point.zone_name, names)
            if page.url not in seen and (wanted or names_any(page, near)):
                pages[page.url] = page
    names.learn(pages.values())
    reading = PageReading(errand, had, names)
    claims: list[Claim] = []
    zones: list[str] = []
    for page in pages.values():
        if reading.kind_of(page) == "zone":
            zones.append(names.id(page.title))
        claims += await reading.read(page)
    return list(pages.values()), claims, zones


def names_zone(page: WebPage, zone: str, names: Names) -> bool:
    """Whether a page names the zone, by any of its names, in its text or its title."""
    id = names.id(zone)
    if names.id(page.title) == id:
        return True
    forms = {slug(name_of(zone)), id, *other_names(names.aliases(), id)}
    text = slug(f"{page.title} {page.text}")
    return any(re.search(rf"(?:^|_){re.escape(form)}(?:_|$)", text) for form in forms if form)


def things_near(had: Gathered, zone_id: str) -> set[str]:
    """Ids of the people, places, factions and things of the zone."""
    found = set[str]()
    for claim in had.claims:
        named = predicate(claim.subject_kind, claim.predicate).names
        if claim.subject_id == zone_id and named and named != "zone":
            found.add(claim.value_id)
        elif claim.value_id == zone_id and claim.subject_kind != "zone":
            found.add(claim.subject_id)
    return found


def names_any(page: WebPage, ids: set[str]) -> bool:
    """Whether a page names at least two of these, or is about one."""
    text = f"_{slug(f'{page.title} {page.text}')}_"
    return slug(name_of(page.title)) in ids or sum(f"_{id}_" in text for id in ids if id) >= 2


async def look_at_other_end(
    errand: Errand, claim: Claim, had: Gathered, names: Names
) -> bool | None:
    """Whether the other end of a connection lists it too, or at least names the zone, on a page of
    a better tier; None where no such page lists ways or tells much. This end's better sources list
    its ways without it: where that end has not a word of it either, both leave it out."""
    zone_id, silent = claim.subject_id, False
    for hit in await errand.search(f"{claim.value} {errand.point.game}"):
        if names.id(hit.title) != claim.value_id or hit.tier >= claim.tier:
            continue
        page = await errand.fetch(hit.url)
        if page is None:
            continue
        if names_zone(page, zone_id.replace("_", " "), names):
            return True
        said = read_page(page, names, "zone", had.meaning)
        lists = any(back.predicate == "connects_to" for back in said)
        silent = silent or lists or len(page.text) >= TELLS_MUCH
    return False if silent else None


async def from_graph(
    errand: Errand, had: list[Claim], zone_id: str, acts: list[PersonAct]
) -> list[Claim]:
    """What accepted zones say of this one and of its places, people and things: a way is confirmed
    from its other end, and a thing that is told to be elsewhere is a conflict. Each claim as its
    page makes it: what a person merged (`acts`) goes by one name for as long as they say so."""
    one = merged_in(acts)
    ours = [now for claim in had if (now := renamed(claim, one))]
    here = {claim.value_id for claim in ours if claim.subject_id == zone_id and claim.value_id}
    told = {(claim.subject_kind, claim.subject_id, claim.predicate) for claim in ours}
    known = {claim_key(claim) for claim in had}
    found: dict[str, Claim] = {}
    for claim, now, place in await _told_elsewhere(errand, zone_id, one):
        shared = now.predicate in ("place", "npc", "item") and now.value_id in here
        near = place == now.subject_id and (shared or now.value_id == zone_id)
        if (near or _of_the_same(now, told)) and claim_key(claim) not in known:
            found.setdefault(claim_key(claim), claim)
    return list(found.values())


async def _told_elsewhere(
    errand: Errand, zone_id: str, one: Merged
) -> list[tuple[Claim, Claim, str]]:
    """The claims that other zones' packages hold: as their page makes them, by the names things go
    by now, and of which zone."""
    store, game = errand.ports.store, errand.point.game
    found: list[tuple[Claim, Claim, str]] = []
    for row in await store.rows(game, "zone"):
        package = await store.package(game, row.id) if row.id != zone_id else None
        if package is None:
            continue
        kept = {claim_key(claim) for claim in package.claims}
        had = gathered_for(package)
        names = had.names
        for claim in had.claims:
            now = renamed(claim, one)
            # A person's word is said of the world, and applied to every zone: no page of this one.
            if now and not by_person(claim) and claim_key(settled(now, names)) in kept:
                found.append((settled(claim, names), settled(now, names), row.id))
    return found


def _of_the_same(claim: Claim, told: set[tuple[Kind, str, str]]) -> bool:
    """Whether a claim is on one of this zone's people and things, where only one can be right: the
    level of somebody, where something is kept, what somebody is."""
    if claim.subject_kind not in ("npc", "narrative_item"):
        return False
    exclusive = predicate(claim.subject_kind, claim.predicate).type in ("one", "number")
    exclusive = exclusive or (claim.subject_kind, claim.predicate) == ("npc", "role")
    return exclusive and (claim.subject_kind, claim.subject_id, claim.predicate) in told

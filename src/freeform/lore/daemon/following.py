"""Autonomy inside a step: which pages to open next, which of them to read, and what the other end
of a connection says."""

import re
from collections.abc import Iterable

from freeform.core.text import slug
from freeform.lore.daemon.gathered import Gathered
from freeform.lore.daemon.reading import PageReading
from freeform.lore.errand import Errand
from freeform.lore.judge.rows import claim_key
from freeform.lore.model import Claim, Kind
from freeform.lore.person.acts import by_person
from freeform.lore.ports import SearchHit, WebPage
from freeform.lore.read.kinds import tells_apart
from freeform.lore.read.page_reader import body_links, read_page
from freeform.lore.read.values import Names, name_of, other_names
from freeform.lore.read.vocabulary import predicate

MOST_MEANT = 8
"""So many of the things that share a name are looked at."""
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
    """Whether the other end of a connection lists it too, on a page of a better tier; None where no
    such page lists any ways."""
    zone_id, lists = claim.subject_id, False
    for hit in await errand.search(f"{claim.value} {errand.point.game}"):
        if names.id(hit.title) != claim.value_id or hit.tier >= claim.tier:
            continue
        page = await errand.fetch(hit.url)
        if page is None:
            continue
        said = read_page(page, names, "zone", had.meaning)
        ways = [back for back in said if back.predicate == "connects_to"]
        if not ways:
            reading = PageReading(errand, had, names)
            said = await reading.read_prose(page, [], ("zone",))
            ways = [back for back in said if back.predicate == "connects_to"]
        if any(zone_id in (back.value_id, back.subject_id) for back in ways):
            return True
        if names_zone(page, zone_id.replace("_", " "), names):
            return True
        lists = lists or bool(ways)
    return False if lists else None


async def from_graph(errand: Errand, had: list[Claim], zone_id: str) -> list[Claim]:
    """What accepted zones say of this one and of its places, people and things: a way is confirmed
    from its other end, and a thing that is told to be elsewhere is a conflict."""
    store, game = errand.ports.store, errand.point.game
    here = {claim.value_id for claim in had if claim.subject_id == zone_id and claim.value_id}
    known = {claim_key(claim) for claim in had}
    found: list[Claim] = []
    for row in await store.rows(game, "zone"):
        for claim in await store.claims(game, row.id) if row.id != zone_id else ():
            if by_person(claim):
                continue  # Said of the world, and applied to every zone: no page of this one.
            shared = claim.predicate in ("place", "npc", "item") and claim.value_id in here
            if (shared or claim.value_id == zone_id) and claim_key(claim) not in known:
                found.append(claim)
    found += await _of_the_same(errand, had)
    return found


async def _of_the_same(errand: Errand, had: list[Claim]) -> list[Claim]:
    """What accepted zones say of this one's people and things where only one can be right: the
    level of somebody, where something is kept, what somebody is."""
    known = {claim_key(claim) for claim in had}
    told = {(claim.subject_kind, claim.subject_id, claim.predicate) for claim in had}
    found: list[Claim] = []
    for id in sorted({id for kind, id, _ in told if kind in ("npc", "narrative_item")}):
        for claim in await errand.ports.store.claims(errand.point.game, id):
            same = (claim.subject_kind, claim.subject_id, claim.predicate) in told
            exclusive = predicate(claim.subject_kind, claim.predicate).type in ("one", "number")
            exclusive = exclusive or (claim.subject_kind, claim.predicate) == ("npc", "role")
            if same and exclusive and not by_person(claim) and claim_key(claim) not in known:
                found.append(claim)
    return found

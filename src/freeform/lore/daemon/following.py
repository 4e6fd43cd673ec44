"""Autonomy inside a step: follows links to what is named and missing, asks passes about prose,
checks other ends."""

from freeform.core.text import slug
from freeform.lore.daemon.gathered import Gathered
from freeform.lore.errand import Errand
from freeform.lore.model import Claim, Kind
from freeform.lore.ports import WebPage
from freeform.lore.read.claim_check import checked
from freeform.lore.read.claims import make_claim
from freeform.lore.read.page_reader import body_links, kind_of, read_page
from freeform.lore.read.passes import EXTRACT, ReadInput
from freeform.lore.read.prose import (
    ProsePassage,
    as_name,
    as_text,
    passages,
    within,
)
from freeform.lore.read.values import Names, name_of
from freeform.lore.read.vocabulary import predicate, predicate_of

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
    zone_id = names.id(errand.point.zone_name)
    wanted: dict[str, None] = {}
    kinds: dict[str, str] = {}
    for claim in had.claims:
        known = predicate(claim.subject_kind, claim.predicate)
        if known.names:
            kinds.setdefault(claim.value_id, known.names)
            if known.names == kind:
                wanted.setdefault(claim.value_id)
    read: dict[str, int] = {}
    linked: dict[str, list[str]] = {}
    for ref in had.pages:
        page = await store.page(game, ref.url, ref.sha256)
        if page is None:
            continue
        read[names.id(page.title)] = read.get(names.id(page.title), 0) + 1
        for link in body_links(page):
            id = names.id(link.title)
            if link.exists and (
                id in wanted or (kind == "lore" and ref in had.zone_pages and id not in kinds)
            ):
                linked.setdefault(id, []).append(link.url)
    first = [
        urls[nth] for nth in range(SITES_PER_THING) for urls in linked.values() if nth < len(urls)
    ]
    others = [
        hit.url for hit in had.hits.get(kind, [])
        if (id := slug(name_of(hit.title))) != zone_id and kinds.get(id, kind) == kind and not read.get(id)
    ]  # fmt: skip
    limits = errand.ports.limits
    follow_most = limits.follow_per_step * errand.point.iteration
    linked_to = list(dict.fromkeys(first[:follow_most]))
    return linked_to, [url for url in others if url not in linked_to][
        : limits.results_per_search // 2
    ]


async def follow(
    errand: Errand, had: Gathered, kind: Kind, linked: list[str], found: list[str], names: Names
) -> tuple[list[WebPage], list[Claim], list[str]]:
    """Reads the pages that belong to the zone, each as what it is. Ids of those that are zones come
    third."""
    pages: dict[str, WebPage] = {}
    for url in [*linked, *found]:
        page = await errand.fetch(url)
        if page and (url in linked or _belongs(page, errand.point.zone_name, kind)):
            pages[page.url] = page
    names.learn(pages.values())
    asked = 0
    kept: list[WebPage] = []
    claims: list[Claim] = []
    zones: list[str] = []
    for page in pages.values():
        what = kind_of(page)
        if what.kind == "zone":
            zones.append(names.id(page.title))
            continue
        kept.append(page)
        claims += read_page(page, names, what.kind)
        claims += read_content(page, names, what.kind)
        if not what.place and asked < errand.ports.limits.passes_per_step:
            asked += 1
            claims += await read_prose(errand, page, what.kind, names, [*had.claims, *claims])
    return kept, claims, zones


def read_content(page: WebPage, names: Names, kind: Kind) -> list[Claim]:
    """The prose of a page on a place or a piece of lore, paragraph by paragraph, as it stands."""
    if kind != "lore":
        return []
    made = [
        make_claim(
            page, kind="lore", subject=name_of(page.title), subject_id=names.id(page.title), predicate="content",
            value=passage.text, span=(passage.start, passage.start + len(passage.text)), extractor="section@1",
        )
        for passage in passages(page)[:12]
    ]  # fmt: skip
    return [claim for claim in made if claim]


def read_tales(page: WebPage, names: Names) -> list[Claim]:
    """What a zone's page tells in prose: its first words, and its history and legends as lore of
    their own."""
    zone, found = name_of(page.title), list[Claim | None]()
    for passage in passages(page)[:20]:
        span = (passage.start, passage.start + len(passage.text))
        if not passage.heading or slug(passage.heading) == slug(page.title):
            found.append(
                make_claim(
                    page, kind="zone", subject=zone, subject_id=names.id(zone), predicate="description",
                    value=passage.text, span=span, extractor="section@1",
                )
            )  # fmt: skip
        elif (known := predicate_of("lore", passage.heading)) and known.id == "content":
            title = f"{passage.heading} of {zone}"
            found.append(
                make_claim(
                    page, kind="lore", subject=title, subject_id=slug(title), predicate="content",
                    value=passage.text, span=span, extractor="section@1",
                )
            )  # fmt: skip
    return [claim for claim in found if claim]


async def read_prose(
    errand: Errand, page: WebPage, kind: Kind, names: Names, known: list[Claim]
) -> list[Claim]:
    """What a pass finds in a page's prose. A fact whose quote is not in the page is thrown away."""
    shown = within(_telling(passages(page), kind), errand.ports.limits.pass_tokens)
    if not shown:
        return []
    pass_ = EXTRACT[kind]
    titles = [link.title for link in body_links(page)] + [
        c.value.rpartition(": ")[2] for c in known if c.value_id
    ]
    asked = ReadInput(
        zone=errand.point.zone_name, game=errand.point.game, page_title=as_name(name_of(page.title)) or "(untitled)",
        known_names=", ".join(list(dict.fromkeys(filter(None, map(as_name, titles))))[:60]), text=as_text(shown),
    )  # fmt: skip
    answer = await errand.ask(pass_, asked)
    claims = [
        checked(fact, page, kind, names, pass_.id) for fact in (answer.facts if answer else [])
    ]
    return [claim for claim in claims if claim]


async def confirm(errand: Errand, claim: Claim, zone_id: str, names: Names) -> bool:
    """Whether the other end of a disputed connection lists it too, on a page of a better tier."""
    for hit in await errand.search(f"{claim.value} {errand.point.game}"):
        if names.id(hit.title) != claim.value_id or hit.tier >= claim.tier:
            continue
        page = await errand.fetch(hit.url)
        if page is None:
            continue
        said = read_page(page, names, "zone")
        if not any(back.predicate == "connects_to" for back in said):
            said += await read_prose(errand, page, "zone", names, [])
        if any(back.predicate == "connects_to" and back.value_id == zone_id for back in said):
            return True
    return False


def _belongs(page: WebPage, zone: str, kind: Kind) -> bool:
    """A page that was only found by searching is read if it is of the kind looked for and speaks of
    the zone."""
    found = kind_of(page)
    return zone.lower() in page.text.lower() and (
        found.kind == kind if found.sure else kind == "lore"
    )


def _telling(found: list[ProsePassage], kind: Kind) -> list[ProsePassage]:
    """Long descriptions of places tell a model little: the first paragraphs of each section do."""
    if kind != "lore":
        return found
    seen: dict[str, int] = {}
    kept = []
    for passage in found:
        seen[passage.heading] = seen.get(passage.heading, 0) + 1
        if seen[passage.heading] <= 2:
            kept.append(passage)
    return kept

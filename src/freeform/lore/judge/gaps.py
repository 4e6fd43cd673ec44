"""What the pages name and nobody has read: named gaps, and how complete a zone is."""

from collections.abc import Iterable, Mapping

from freeform.lore.model import Claim, Gap, Kind
from freeform.lore.ports import WebPage
from freeform.lore.read.page_reader import body_links
from freeform.lore.read.values import Names
from freeform.lore.read.vocabulary import predicate


def find_gaps(
    zone_id: str,
    zone_pages: Iterable[WebPage],
    read: Iterable[WebPage],
    claims: Iterable[Claim],
    names: Names,
    failed: Mapping[str, str],
    other_zones: Iterable[str] = (),
) -> list[Gap]:
    """Everything linked from the zone's pages, or named by a claim, of which no page was read.

    Zones are left out: where to go next is the queue's business (D9). `failed`: address -> why.
    """
    have = {names.id(page.title) for page in read} | set(other_zones)
    kinds: dict[str, Kind] = {}
    named: dict[str, tuple[str, str]] = {}
    said = list(claims)
    near = {zone_id} | {
        claim.value_id for claim in said if claim.subject_id == zone_id and claim.value_id
    }
    for claim in said:
        known = predicate(claim.subject_kind, claim.predicate)
        if claim.value_id and known.names:
            kinds[claim.value_id] = known.names  # type: ignore[assignment]
            # What a faction of the zone has to do elsewhere in the world, and what is in the next
            # zone, is not this zone's gap.
            other = claim.subject_kind == "zone" and claim.subject_id != zone_id
            if claim.subject_id in near and claim.subject_kind != "faction" and not other:
                named.setdefault(claim.value_id, (claim.value, claim.subject_id))
    addresses: dict[str, tuple[str, bool]] = {}
    for page in zone_pages:
        for link in body_links(page):
            id = names.id(link.title)
            named.setdefault(id, (link.title, zone_id))
            url, exists = addresses.get(id, ("", False))
            addresses[id] = (url or link.url, exists or link.exists)
    gaps: list[Gap] = []
    for id, (name, by) in named.items():
        kind = kinds.get(id, "lore")
        if id in have or id == zone_id or kind == "zone":
            continue
        url, exists = addresses.get(id, ("", True))
        why = failed.get(url) or (
            "no page known" if not url else "not read" if exists else "dead link"
        )
        gaps.append(Gap(name=name, kind=kind, named_by=by, why=why, url=url))
    return gaps


def completeness(read: int, gaps: int) -> float:
    """The share of what is named that was read."""
    return round(read / (read + gaps), 4) if read + gaps else 0.0

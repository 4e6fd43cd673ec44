"""What is known of one thing, as a person reads it: each fact with who says so, what is disputed,
what is missing."""

from collections.abc import Iterable

from pydantic import Field

from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.core.text import slug
from freeform.lore.judge.comparing import domain_of, same_value
from freeform.lore.messages import Decision
from freeform.lore.model import Claim, ClaimConflict, Gap, Kind, NodeRow, ResearchPackage
from freeform.lore.ports import LoreStore
from freeform.lore.read.values import plain_value
from freeform.lore.read.vocabulary import predicate


class Quoted(Record):
    """A page's own words."""

    url: str
    domain: str
    tier: int
    quote: str
    revision: str = ""
    licence: str = ""


class LoreFact(Record):
    """One thing that is said. `kept` is false where a better source says otherwise; `value_kind`
    where it is a node."""

    predicate: str
    value: str
    value_kind: str = ""
    value_id: str = ""
    era: str = ""
    confidence: float = 0.0
    kept: bool = True
    sources: list[Quoted] = Field(default_factory=list)


class NodeFacts(Record):
    """All that is known of a node. `gaps`: what its pages name and nobody has read."""

    node: NodeRow
    facts: list[LoreFact] = Field(default_factory=list)
    conflicts: list[ClaimConflict] = Field(default_factory=list)
    gaps: list[Gap] = Field(default_factory=list)


class OptionEvidence(Record):
    """What speaks for one way at a fork: how sure the way is, in whose words, and about what it
    will cost."""

    option: str
    confidence: float = 0.0
    tokens: int = 0
    researched: bool = False
    sources: list[Quoted] = Field(default_factory=list)


async def facts_of(store: LoreStore, game: str, kind: Kind, id: str) -> NodeFacts:
    """The node's facts, the surest first, with every conflict and gap that the accepted packages
    tell of it."""
    node = next((row for row in await store.rows(game, kind) if row.id == id), None)
    if node is None:
        raise NotFound(f"nothing is known of '{id}' in '{game}' yet")
    zones = [row.id for row in await store.rows(game, "zone")]
    own = id if kind == "zone" else str(node.data.get("zone_id", ""))
    packages = [
        p
        for zone in sorted(zones, key=lambda z: z != own)
        if (p := await store.package(game, zone))
    ]
    conflicts = _once(
        c for p in packages for c in p.conflicts if (c.subject_kind, c.subject_id) == (kind, id)
    )
    gaps = {gap.name: gap for p in packages for gap in p.gaps if gap.named_by == id}
    claims = [claim for claim in await store.claims(game, id) if claim.subject_kind == kind]
    return NodeFacts(
        node=node,
        facts=told(claims, packages, conflicts),
        conflicts=conflicts,
        gaps=list(gaps.values()),
    )


async def evidence_for(store: LoreStore, decision: Decision) -> list[OptionEvidence]:
    """For each way, what the pages say of it. Nothing while the validator has not accepted the
    zone."""
    said: list[LoreFact] = []
    known = {row.id for row in await store.rows(decision.game, "zone")}
    if slug(decision.zone_name) in known:
        said = (await facts_of(store, decision.game, "zone", slug(decision.zone_name))).facts
    ways = {
        fact.value_id: fact for fact in said if fact.predicate == "connects_to" and fact.value_id
    }
    return [
        OptionEvidence(
            option=option, tokens=decision.costs.get(option, 0), researched=slug(option) in known,
            confidence=way.confidence if (way := ways.get(slug(option))) else 0.0, sources=way.sources if way else [],
        )
        for option in decision.options
    ]  # fmt: skip


def told(
    claims: Iterable[Claim], packages: list[ResearchPackage], conflicts: list[ClaimConflict]
) -> list[LoreFact]:
    """Claims that say the same become one fact with several sources."""
    groups: list[list[Claim]] = []
    for claim in claims:
        home = next((group for group in groups if _together(group[0], claim)), None)
        if home is None:
            groups.append(home := [])
        home.append(claim)
    facts = [_fact(group, packages, conflicts) for group in groups]
    return sorted(facts, key=lambda fact: (not fact.kept, fact.predicate, -fact.confidence))


def _together(one: Claim, other: Claim) -> bool:
    return (one.predicate, one.era) == (other.predicate, other.era) and same_value(one, other)


def _fact(
    group: list[Claim], packages: list[ResearchPackage], conflicts: list[ClaimConflict]
) -> LoreFact:
    best = min(group, key=lambda claim: claim.tier)
    known = predicate(best.subject_kind, best.predicate)
    point = f"{best.subject_id}.{best.predicate}"
    several = known.type in ("set", "text")
    keys = {f"{point}.{c.value_id or c.value[:40]}" for c in group} if several else {point}
    sure = next((p.confidence[key] for p in packages for key in keys if key in p.confidence), 0.0)
    lost = any(
        c.kind == "error"
        and c.predicate == best.predicate
        and _lost(c, {plain_value(x.value) for x in group})
        for c in conflicts
    )
    return LoreFact(
        predicate=best.predicate, value=best.value, value_kind=known.names if best.value_id else "",
        value_id=best.value_id, era=best.era, confidence=0.0 if lost else sure, kept=not lost and sure > 0,
        sources=_quoted(group),
    )  # fmt: skip


def _lost(conflict: ClaimConflict, values: set[str]) -> bool:
    """Whether these are the words of the side that the row does not carry."""
    sides = {plain_value(conflict.source_a.value), plain_value(conflict.source_b.value)}
    return bool(values & sides) and plain_value(conflict.kept) not in values


def _quoted(group: list[Claim]) -> list[Quoted]:
    """Each page once, the best first."""
    pages = {
        claim.url: Quoted(
            url=claim.url, domain=domain_of(claim.url), tier=claim.tier, quote=claim.quote,
            revision=claim.revision, licence=claim.licence,
        )
        for claim in sorted(group, key=lambda claim: -len(claim.quote))
    }  # fmt: skip
    return sorted(pages.values(), key=lambda page: page.tier)


def _once(conflicts: Iterable[ClaimConflict]) -> list[ClaimConflict]:
    """Two packages may tell of the same conflict."""
    return list({(c.predicate, c.source_a.value, c.source_b.value): c for c in conflicts}.values())

"""Claims in, a package out: rows of the five tables, edges, confidences, conflicts and gaps.
Pure."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from pydantic import Field

from freeform.core.record import Record
from freeform.lore.judge.comparing import domain_of, settled, source_at
from freeform.lore.judge.conflicts import Point, weigh
from freeform.lore.judge.gaps import completeness, find_gaps
from freeform.lore.judge.trades import Unlike, never_unlike
from freeform.lore.model import (
    Claim,
    ClaimConflict,
    FactionData,
    FactionRelation,
    Kind,
    LevelRange,
    LoreData,
    NarrativeItemData,
    NPCData,
    NPCRelationship,
    PhaseState,
    Relation,
    RelationName,
    ResearchPackage,
    SourceReference,
    Stance,
    ZoneData,
)
from freeform.lore.ports import WebPage
from freeform.lore.read.kinds import kind_of
from freeform.lore.read.values import Names, other_names, range_in
from freeform.lore.read.vocabulary import predicate, vocabulary

BASE = {0: 0.97, 1: 0.8, 2: 0.65, 3: 0.45}
"""One source alone. A second domain that agrees halves the doubt, so does a third."""
CONTRADICTED = 0.65
"""What is left of it when a source of the same time says otherwise."""
HIGHEST = 0.97


def confidence_of(point: Point) -> float:
    """Of one data point, 0..1."""
    tiers: dict[str, int] = {}
    for claim in point.support:
        domain = domain_of(claim.url)
        tiers[domain] = min(claim.tier, tiers.get(domain, 9))
    ranked = sorted(tiers.values())
    doubt = 1 - BASE.get(ranked[0], 0.3)
    for tier in ranked[1:]:
        doubt *= 1 - BASE.get(tier, 0.3) * 0.6
    sure = 1 - doubt
    for _ in {domain_of(claim.url) for claim in point.against}:
        sure *= CONTRADICTED
    return round(min(HIGHEST, sure), 4)


def row_confidence(points: Iterable[float], completeness: float = 1.0) -> float:
    """Of a row: the mean of its data points, less where what it links to was not read."""
    found = list(points)
    return round(sum(found) / len(found) * (0.6 + 0.4 * completeness), 4) if found else 0.0


_STANCES: tuple[Stance, ...] = ("allied", "hostile", "neutral")
_FACTS = ("population", "description", "levels", "capital", "ruler", "leader")
_OF_PEOPLE = frozenset(
    {"zone", "faction", "personality", "motivation", "relation", "quest", "phased_state", "role"}
)
"""What a person's row has columns for."""
Subject = tuple[Kind, str]


class ClaimEvidence(Record):
    """All that was read for a zone."""

    zone_name: str
    zone_id: str
    game: str
    zone_pages: list[WebPage]
    pages: list[WebPage]
    """All pages, the zone's own among them."""
    claims: list[Claim]
    aliases: dict[str, str] = Field(default_factory=dict)
    failed: dict[str, str] = Field(default_factory=dict)
    denied: list[str] = Field(default_factory=list)
    """Ids of connections that neither end lists, though better sources list the ways of both."""
    other_zones: list[str] = Field(default_factory=list)
    at: str = ""
    iteration: int = 1


def assemble(seen: ClaimEvidence, unlike: Unlike = never_unlike) -> ResearchPackage:
    """The package of a zone. `unlike` says whether two trades lie far apart."""
    return _Assembly(seen, unlike).package()


class _Assembly:
    def __init__(self, seen: ClaimEvidence, unlike: Unlike) -> None:
        self.names = Names(seen.aliases)
        # Another name may have been learned after a claim was read: by now each thing goes by one
        # id.
        self.seen = seen = seen.model_copy(
            update={"claims": [settled(claim, self.names) for claim in seen.claims]}
        )
        denied = {(seen.zone_id, self.names.id(id)) for id in seen.denied}
        denied |= {(other, zone) for zone, other in denied}
        weighed = weigh(
            seen.claims, lambda claim: (claim.subject_id, claim.value_id) in denied, unlike
        )
        self.conflicts: list[ClaimConflict] = weighed.conflicts
        # By kind and id: a system, its main planet and a faction may all go by one name.
        self.points: dict[Subject, dict[str, list[Point]]] = defaultdict(lambda: defaultdict(list))
        self.titles: dict[Subject, str] = {}
        for point in weighed.points:
            first = point.support[0]
            subject: Subject = (first.subject_kind, point.subject_id)
            self.points[subject][point.predicate].append(point)
            self.titles.setdefault(subject, first.subject)
        self.here: Subject = ("zone", seen.zone_id)
        self.pages = {self.names.id(page.title): page for page in reversed(seen.pages)}
        self.gaps = find_gaps(
            seen.zone_id, seen.zone_pages, seen.pages, self.kept_claims(), self.names, seen.failed, seen.other_zones
        )  # fmt: skip
        self.complete = completeness(len(self.pages), len(self.gaps))
        self.sources = {page.url: page.reference for page in seen.pages}
        self.edges: dict[tuple[str, ...], Relation] = {}

    def kept_claims(self) -> list[Claim]:
        return [
            c
            for known in self.points.values()
            for points in known.values()
            for p in points
            for c in p.support
        ]

    def package(self) -> ResearchPackage:
        seen = self.seen
        zone = self.zone()
        factions = [self.faction(id) for id in self.ids("faction", zone.faction_ids)]
        npcs = [self.npc(id) for id in self.ids("npc", self.values(self.here, "npc"))]
        lore = [self.lore(id) for id in self.ids("lore", self.values(self.here, "place"))]
        items = [self.item(id) for id in self.ids("narrative_item", self.values(self.here, "item"))]
        kept: set[Subject] = {
            self.here,
            *(("faction", row.id) for row in factions),
            *(("npc", row.id) for row in npcs),
        }
        kept |= {
            *(("lore", row.id) for row in lore),
            *(("narrative_item", row.id) for row in items),
        }
        return ResearchPackage(
            zone_name=seen.zone_name,
            zone_data=zone,
            npcs=npcs,
            factions=factions,
            lore=[row for row in lore if row.content or row.facts],
            narrative_items=items,
            sources=list(self.sources.values()),
            confidence=self.confidences(kept),
            conflicts=self.conflicts,
            claims=[
                claim
                for claim in seen.claims
                if (claim.subject_kind, claim.subject_id) in kept or claim.value_id == seen.zone_id
            ],
            relations=list(self.edges.values()),
            gaps=self.gaps,
            game=seen.game,
            iteration=seen.iteration,
            completeness=self.complete,
        )

    def ids(self, kind: Kind, named: Iterable[str]) -> list[str]:
        """Subjects of a kind that were read, and those the zone names."""
        read = [id for known, id in self.points if known == kind]
        return list(dict.fromkeys([*named, *read]))

    def confidences(self, kept: set[Subject]) -> dict[str, float]:
        found: dict[str, float] = {}
        for subject in sorted(kept, key=lambda each: (each != self.here, each)):
            for name, points in self.known(subject).items():
                several = predicate(subject[0], name).type in ("set", "text")
                for point in points:
                    key = (
                        f"{point.id}.{point.value_id or point.value[:40]}" if several else point.id
                    )
                    found.setdefault(key, confidence_of(point))
        return found

    # rows

    def zone(self) -> ZoneData:
        me, id = self.here, self.seen.zone_id
        factions = [*self.values(me, "faction"), *self.values(me, "factions")]
        places = self.of(me, "place")
        for place in places:
            factions += self.values(("lore", place.value_id), "faction")
        connected = self.values(me, "connects_to")
        for point in self.of(me, "connects_to"):
            self.relate(
                "CONNECTS_TO", "zone", id, "zone", point.value_id, sure=confidence_of(point)
            )
        levels = range_in(self.text(me, "level_range")) if self.text(me, "level_range") else None
        known = vocabulary().predicates["zone"]
        return ZoneData(
            id=id, name=self.seen.zone_name, game=self.seen.game,
            level_range=LevelRange(min=levels[0], max=levels[1]) if levels else None,
            narrative_arc=self.text(me, "narrative_arc"), political_climate=self.text(me, "political_climate"),
            access_gating=self.texts(me, "access_gating"),
            phase_states=[PhaseState(name=text) for text in self.texts(me, "phase_state")],
            connected_zones=connected, places=[point.value for point in places],
            faction_ids=list(dict.fromkeys(factions)),
            aliases=other_names(self.seen.aliases, id),
            facts={name: self.listed(me, name) for name in self.known(me) if name not in known or name in _FACTS},
            era=self.era(me), **self.common(me),
        )  # fmt: skip

    def npc(self, id: str) -> NPCData:
        me: Subject = ("npc", id)
        zone_id, places = self.whereabouts(me, "npc")
        facts = {name: self.listed(me, name) for name in self.known(me) if name not in _OF_PEOPLE}
        if places:
            facts["place"] = ", ".join(places)
        factions = self.values(me, "faction")
        for faction in factions:
            self.relate("BELONGS_TO", "npc", id, "faction", faction)
        if zone_id:
            self.relate("LOCATED_IN", "npc", id, "zone", zone_id)
        relations = []
        for point in self.of(me, "relation"):
            kind, _, _ = point.value.rpartition(": ")
            kind = kind or "knows"
            relations.append(
                NPCRelationship(
                    npc_id=point.value_id, type=kind, description=point.support[0].quote[:200]
                )
            )
            self.relate("RELATES_TO", "npc", id, "npc", point.value_id, kind)
        return NPCData(
            id=id, name=self.title(me), zone_id=zone_id, faction_ids=factions,
            personality=self.text(me, "personality"), motivations=self.texts(me, "motivation"),
            relationships=relations, quest_threads=self.texts(me, "quest"),
            phased_state=self.text(me, "phased_state"), role=self.listed(me, "role"), places=places,
            facts=facts, **self.common(me),
        )  # fmt: skip

    def whereabouts(self, me: Subject, listed_as: str) -> tuple[str, list[str]]:
        """The zone a person or thing is in, and the names of the places there; '' where nothing
        says so. A place leads to the zone it is inside of."""
        here = self.seen.zone_id
        found = self.of(me, "zone")
        inside = {id: self.values(("lore", id), "zone") for id in self.values(me, "zone")}
        inside = {id: zones for id, zones in inside.items() if zones and id != here}
        zones = [point.value_id for point in found if point.value_id not in inside]
        zones += [zone for each in inside.values() for zone in each]
        listed = [point for point in self.of(self.here, listed_as) if point.value_id == me[1]]
        linked = all(claim.extractor == "prose@1" for point in listed for claim in point.support)
        if listed and not (zones and linked):
            zones.append(here)  # A link in passing is less than a word on where somebody is.
        places = [point.value for point in found if point.value_id in inside]
        return (here if here in zones else next(iter(zones), "")), places

    def faction(self, id: str) -> FactionData:
        me: Subject = ("faction", id)
        parent = next(iter(self.values(me, "parent")), "")
        if parent:
            self.relate("CHILD_OF", "faction", id, "faction", parent)
        stances = []
        for stance in _STANCES:
            for other in self.values(me, stance):
                stances.append(FactionRelation(faction_id=other, stance=stance))
                self.relate("STANCE_TOWARD", "faction", id, "faction", other, stance)
        return FactionData(
            id=id, name=self.title(me), parent_faction_id=parent, level=self.text(me, "level"),
            inter_faction=stances, exclusive_with=self.values(me, "exclusive_with"),
            ideology=self.text(me, "ideology"), goals=self.texts(me, "goal"), **self.common(me),
        )  # fmt: skip

    def lore(self, id: str) -> LoreData:
        me: Subject = ("lore", id)
        place = id in self.values(self.here, "place") or bool(
            self.pages.get(id) and kind_of(self.pages[id]).place
        )
        facts = {
            name: ", ".join(self.texts(me, name)) for name in self.known(me) if name not in ("content", "category", "zone")
        }  # fmt: skip
        content = self.texts(me, "content")
        listed = id in self.values(self.here, "place")
        inside = self.values(me, "zone")
        about = self.seen.zone_id if listed or not place else ""
        zone_id = about or next(iter(inside), "")
        if (content or facts) and zone_id:
            self.relate("ABOUT", "lore", id, "zone", zone_id)
        return LoreData(
            id=id, zone_id=zone_id, title=self.title(me),
            category="place" if place else self.text(me, "category") or "history",
            content="\n\n".join(content), faction_ids=self.values(me, "faction"),
            facts=facts, era=self.era(me), **self.common(me),
        )  # fmt: skip

    def item(self, id: str) -> NarrativeItemData:
        me: Subject = ("narrative_item", id)
        zone_id, _ = self.whereabouts(me, "item")
        if zone_id:
            self.relate("FOUND_IN", "narrative_item", id, "zone", zone_id)
        return NarrativeItemData(
            id=id, name=self.title(me), zone_id=zone_id, story_arc=self.text(me, "story_arc"),
            wielder_lineage=self.texts(me, "wielder"), power_description=self.text(me, "power"),
            significance=self.text(me, "significance"), **self.common(me),
        )  # fmt: skip

    # what a row is made of

    def relate(
        self,
        name: RelationName,
        kind: Kind,
        id: str,
        other_kind: Kind,
        other: str,
        label: str = "",
        sure: float = 0.0,
    ) -> None:
        edge = Relation(
            name=name, source_kind=kind, source_id=id, target_kind=other_kind, target_id=other, label=label,
            confidence=sure or row_confidence(self.own_points((kind, id)), self.complete),
        )  # fmt: skip
        self.edges[name, id, other, label] = edge

    def common(self, me: Subject) -> dict[str, Any]:
        urls = dict.fromkeys(
            claim.url for known in self.known(me).values() for p in known for claim in p.support
        )
        if not urls:
            # Named, never read: its only sources are the pages that name it.
            urls = dict.fromkeys(claim.url for claim in self.seen.claims if claim.value_id == me[1])
        sure = self.own_points(me) or [0.3]
        return {
            "sources": [self.source(url) for url in urls],
            "confidence": row_confidence(sure, self.complete if me == self.here else 1.0),
            "updated_at": self.seen.at,
        }

    def own_points(self, me: Subject) -> list[float]:
        return [confidence_of(point) for known in self.known(me).values() for point in known]

    def source(self, url: str) -> SourceReference:
        return self.sources.get(url) or source_at(url)

    def known(self, me: Subject) -> dict[str, list[Point]]:
        """All that is kept of a thing, by predicate."""
        return self.points.get(me, {})

    def of(self, me: Subject, name: str) -> list[Point]:
        return self.known(me).get(name, [])

    def values(self, me: Subject, name: str) -> list[str]:
        return list(dict.fromkeys(point.value_id for point in self.of(me, name) if point.value_id))

    def texts(self, me: Subject, name: str) -> list[str]:
        return list(dict.fromkeys(point.value for point in self.of(me, name)))

    def listed(self, me: Subject, name: str) -> str:
        if predicate(me[0], name).type == "text":
            return self.text(me, name)
        return ", ".join(self.texts(me, name))

    def text(self, me: Subject, name: str) -> str:
        return "\n\n".join(self.texts(me, name)[:3])

    def era(self, me: Subject) -> str:
        return next((p.era for known in self.known(me).values() for p in known if p.era), "")

    def title(self, me: Subject) -> str:
        if me in self.titles:
            return self.titles[me]
        _, id = me
        return next(
            (claim.value_name for claim in self.seen.claims if claim.value_id == id),
            id.replace("_", " ").title(),
        )

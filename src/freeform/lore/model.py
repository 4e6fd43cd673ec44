"""What is known of a world: claims with their quotes, the five tables of the seed, packages,
conflicts and gaps."""

from typing import Any, Literal

from pydantic import Field

from freeform.core.record import Record

Kind = Literal["zone", "npc", "faction", "lore", "narrative_item"]
RelationName = Literal[
    "CONNECTS_TO",
    "BELONGS_TO",
    "LOCATED_IN",
    "RELATES_TO",
    "CHILD_OF",
    "STANCE_TOWARD",
    "FOUND_IN",
    "ABOUT",
]
ConflictKind = Literal["error", "era", "alias"]
Stance = Literal["allied", "hostile", "neutral"]
KINDS: tuple[Kind, ...] = ("zone", "npc", "faction", "lore", "narrative_item")


class SourceReference(Record):
    """Where something was read. Tier 1 is the best kind of source; `accessed_at` is an ISO time in
    UTC."""

    url: str
    domain: str
    tier: int = 3
    accessed_at: str = ""
    title: str = ""
    licence: str = ""
    revision: str = ""
    sha256: str = ""


class Claim(Record):
    """One thing a page says. `quote` stands at `start`..`end` of the stored text of that page,
    letter by letter."""

    subject_id: str
    """A slug: the id of the row it speaks of."""
    subject_kind: Kind
    subject: str
    """The name as the page writes it."""
    predicate: str
    value: str
    value_id: str = ""
    """A slug, where the value is itself a thing of the world."""
    era: str = ""
    quote: str
    start: int
    end: int
    revision: str = ""
    url: str
    sha256: str
    fetched_at: str = ""
    extractor: str
    """Who read it: `infobox@1`, `table@1`, `lore/extract_npc@0`."""
    tier: int = 3
    licence: str = ""

    @property
    def value_name(self) -> str:
        """The value as a name; a relation says before it what somebody is: `wife: Nell Orrin`."""
        return self.value.rpartition(": ")[2] if self.predicate == "relation" else self.value


class LevelRange(Record):
    """For which levels of character a zone is meant."""

    min: int
    max: int


class PhaseState(Record):
    """A variant of a zone or person for some progress."""

    name: str
    description: str = ""


class NPCRelationship(Record):
    """How one person stands to another."""

    npc_id: str
    type: str
    description: str = ""


class FactionRelation(Record):
    """How one faction stands to another."""

    faction_id: str
    stance: Stance


class Known(Record):
    """What every row has: where it comes from and how sure it is."""

    sources: list[SourceReference] = Field(default_factory=list)
    confidence: float = 0.0
    updated_at: str = ""


class ZoneData(Known):
    """A zone. `connected_zones`, `places`, `faction_ids` are ids."""

    id: str
    name: str
    game: str = ""
    level_range: LevelRange | None = None
    narrative_arc: str = ""
    political_climate: str = ""
    access_gating: list[str] = Field(default_factory=list)
    phase_states: list[PhaseState] = Field(default_factory=list)
    connected_zones: list[str] = Field(default_factory=list)
    places: list[str] = Field(default_factory=list)
    """Names of places inside it; each has a row of `lore` where something is told of it."""
    faction_ids: list[str] = Field(default_factory=list)
    aliases: list[str] = Field(default_factory=list)
    facts: dict[str, str] = Field(default_factory=dict)
    """What else its tables say, by predicate."""
    era: str = ""


class NPCData(Known):
    """A person."""

    id: str
    name: str
    zone_id: str = ""
    faction_ids: list[str] = Field(default_factory=list)
    personality: str = ""
    motivations: list[str] = Field(default_factory=list)
    relationships: list[NPCRelationship] = Field(default_factory=list)
    quest_threads: list[str] = Field(default_factory=list)
    phased_state: str = ""
    role: str = ""
    places: list[str] = Field(default_factory=list)
    """Names of places inside the zone where they are found."""
    facts: dict[str, str] = Field(default_factory=dict)
    """What else pages say of them, by predicate."""


class FactionData(Known):
    """A faction."""

    id: str
    name: str
    parent_faction_id: str = ""
    level: str = ""
    inter_faction: list[FactionRelation] = Field(default_factory=list)
    exclusive_with: list[str] = Field(default_factory=list)
    ideology: str = ""
    goals: list[str] = Field(default_factory=list)


class LoreData(Known):
    """Something told of the world: its history, its heavens, its powers."""

    id: str
    zone_id: str = ""
    title: str
    category: str = "history"
    """history, mythology, cosmology, power_source, or place: somewhere inside a zone."""
    content: str = ""
    faction_ids: list[str] = Field(default_factory=list)
    facts: dict[str, str] = Field(default_factory=dict)
    """What tables say of a place, by predicate."""
    era: str = ""


class NarrativeItemData(Known):
    """A thing with a story."""

    id: str
    name: str
    zone_id: str = ""
    story_arc: str = ""
    wielder_lineage: list[str] = Field(default_factory=list)
    power_description: str = ""
    significance: str = ""


class ConflictSide(Record):
    """What one source says."""

    value: str
    url: str
    tier: int
    era: str = ""
    quote: str = ""


class ClaimConflict(Record):
    """Two sources that do not agree on one thing. `kept`: the value that the row carries, '' where
    none."""

    subject_id: str
    subject_kind: Kind = "zone"
    predicate: str
    kind: ConflictKind
    source_a: ConflictSide
    source_b: ConflictSide
    kept: str = ""
    why: str = ""

    @property
    def data_point(self) -> str:
        """As logs and confidences name it: `delta_polaris.faction`."""
        return f"{self.subject_id}.{self.predicate}"


DoubtKind = Literal["contradiction", "wrong_subject", "wrong_kind", "other_time", "same_thing"]


class DoubtedFact(Record):
    """A fact that somebody doubts, and the page that says so."""

    subject_kind: Kind
    subject_id: str
    subject: str
    predicate: str
    value: str
    url: str


class Doubt(Record):
    """What a model takes for wrong when it sees all facts of a zone together. It changes no row."""

    facts: list[DoubtedFact]
    kind: DoubtKind = "contradiction"
    why: str = ""


class Gap(Record):
    """Something the pages name, but of which nothing was read: the next work."""

    name: str
    kind: Kind
    named_by: str
    """The id of the row whose page names it."""
    why: str
    """`dead link`, `not read`, `unreadable page`, `no page known`, `robots forbid it`."""
    url: str = ""


class Relation(Record):
    """An edge of the graph."""

    name: RelationName
    source_kind: Kind
    source_id: str
    target_kind: Kind
    target_id: str
    label: str = ""
    """The stance or the kind of relationship."""
    confidence: float = 0.0


class ResearchPackage(Record):
    """All that was found on a zone, in the shape in which it is stored (D3)."""

    zone_name: str
    zone_data: ZoneData
    npcs: list[NPCData] = Field(default_factory=list)
    factions: list[FactionData] = Field(default_factory=list)
    lore: list[LoreData] = Field(default_factory=list)
    narrative_items: list[NarrativeItemData] = Field(default_factory=list)
    sources: list[SourceReference] = Field(default_factory=list)
    confidence: dict[str, float] = Field(default_factory=dict)
    """Data point (`zone_id.predicate`) to 0..1."""
    conflicts: list[ClaimConflict] = Field(default_factory=list)
    claims: list[Claim] = Field(default_factory=list)
    """The ledger behind the rows: every one with its quote."""
    relations: list[Relation] = Field(default_factory=list)
    gaps: list[Gap] = Field(default_factory=list)
    doubts: list[Doubt] = Field(default_factory=list)
    """What a model that saw everything asks a person to look at."""
    game: str = ""
    iteration: int = 1
    completeness: float = 0.0
    """Share of what the pages link to that was read."""
    basis: dict[str, Any] = Field(default_factory=dict)
    """What it was made of, before a person's corrections: from this it is made anew."""

    @property
    def data_points(self) -> int:
        """How many things it says."""
        return len(self.confidence)


class FailedZone(Record):
    """A zone given up after the last allowed iteration."""

    zone_name: str
    reason: str
    iterations: int = 0
    failed_at: str = ""


class ResearchCheckpoint(Record):
    """Where the daemon stands. Nothing else is needed to go on after a crash."""

    zone_name: str = ""
    current_step: int = 0
    """The last completed step of the zone, 0..10."""
    step_data: dict[str, Any] = Field(default_factory=dict)
    """What the completed steps found, by step name; emptied when the zone is done."""
    progression_queue: list[str] = Field(default_factory=list)
    priority_queue: list[str] = Field(default_factory=list)
    completed_zones: list[str] = Field(default_factory=list)
    failed_zones: list[FailedZone] = Field(default_factory=list)
    daily_tokens_used: int = 0
    last_reset_date: str = ""
    version: int = 1
    game: str = ""
    iteration: int = 1
    """Which attempt at the zone this is."""
    cycle: int = 0
    """How many zones were begun; part of every step's key."""
    cycle_tokens_used: int = 0
    awaiting: str = ""
    """The id of the package that the validator has not answered yet, or ''."""
    held_zones: list[str] = Field(default_factory=list)
    """Zones that wait for a person's decision at a fork."""
    sequence: int = 0
    """Counts the commits; a commit on top of an older one than the stored is a Conflict."""
    sleeping_until: str = ""
    """ISO time in UTC until which the day's budget lets nothing be done, or ''."""
    refresh_zones: list[str] = Field(default_factory=list)
    """Completed zones whose pages a person wants looked at again."""


class NodeRow(Record):
    """A row of one of the five tables, as the graph shows it."""

    kind: Kind
    id: str
    name: str
    game: str
    confidence: float = 0.0
    data: dict[str, Any] = Field(default_factory=dict)
    """The whole record: ZoneData, NPCData … as plain data."""


class LoreGraph(Record):
    """What `lore graph` gives."""

    nodes: list[NodeRow] = Field(default_factory=list)
    edges: list[Relation] = Field(default_factory=list)

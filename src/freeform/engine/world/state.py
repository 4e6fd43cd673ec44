"""What is true in a campaign: the rows of the state tables, and the whole state they make."""

from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, cast

from pydantic import Field

from freeform.core.record import Record

Origin = Literal["pack", "campaign", "world"]
Visibility = Literal["known", "hidden", "engine"]
"""`known`: the player may read it. `hidden`: true, but the player has not learnt it.

`engine`: bookkeeping.
"""

PLAYER = "player"
FREE_TURNS = "free_turns"
"""Of the campaign: how many of its turns were words at the table alone."""


class Entity(Record):
    """Someone or something with a name: npc, pc, location, item, faction …"""

    id: str
    type: str
    name: str
    attrs: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list)
    origin: Origin = "campaign"
    pack_id: str | None = None
    pack_entity_id: str | None = None


class Fact(Record):
    """Something that is so. `object` holds `value` (compared), and may hold `text` (told)."""

    id: str
    subject_id: str
    predicate: str
    object: dict[str, Any] = Field(default_factory=dict)
    visibility: Visibility = "known"
    confidence: float = 1.0
    tags: list[str] = Field(default_factory=list)
    discovered_turn: int | None = None
    discovery_method: str | None = None
    origin: Origin = "campaign"
    pack_id: str | None = None


class Scene(Record):
    """Where play is now, who is here, and when it is.

    `time` holds `day` and `minute` (of the day).
    """

    id: str = "scene_1"
    location_id: str = ""
    present_entity_ids: list[str] = Field(default_factory=list)
    time: dict[str, Any] = Field(default_factory=dict)
    constraints: dict[str, Any] = Field(default_factory=dict)
    visibility_conditions: str | None = None
    noise_level: str | None = None
    obscured_entities: list[str] = Field(default_factory=list)


class Thread(Record):
    """A question the story asks. Status: `hidden`, `active`, `resolved`, `failed`."""

    id: str
    title: str
    status: str = "active"
    stakes: dict[str, Any] = Field(default_factory=dict)
    related_entity_ids: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    origin: Origin = "campaign"
    pack_id: str | None = None


class StoryClock(Record):
    """Segments filling towards something. `triggers`: value -> {"text", "effects"}."""

    id: str
    name: str
    value: int = 0
    max: int = 6
    triggers: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list)
    origin: Origin = "campaign"
    pack_id: str | None = None


class Holding(Record):
    """Who has how many of what. Places hold things too. `flags.hidden`: not found yet."""

    owner_id: str
    item_id: str
    qty: int = 1
    flags: dict[str, Any] = Field(default_factory=dict)


class Relationship(Record):
    """How `a` stands to `b`, from -5 to 5."""

    a_id: str
    b_id: str
    rel_type: str
    intensity: int = 0
    notes: dict[str, Any] = Field(default_factory=dict)
    origin: Origin = "campaign"
    pack_id: str | None = None


class Summary(Record):
    """What a stretch of play came to."""

    id: str
    scope: str
    scope_id: str
    text: str
    turn_no_range: str


def fact_id(subject_id: str, predicate: str) -> str:
    """The id of the one fact that play makes about a subject's predicate."""
    return f"{subject_id}#{predicate}"


@dataclass(frozen=True)
class GameState:
    """The whole state after some turn. Treat it as a value: `engine.change` makes the next one."""

    campaign_id: str
    turn_no: int = 0
    branch: str = "main"
    scene: Scene = field(default_factory=Scene)
    entities: dict[str, Entity] = field(default_factory=dict)
    facts: dict[str, Fact] | ChainMap[str, Fact] = field(default_factory=dict)
    """By id, in the order they came.

    In a turn that is being settled: few new ones laid over the old (`ChainMap`).
    """
    threads: dict[str, Thread] = field(default_factory=dict)
    clocks: dict[str, StoryClock] = field(default_factory=dict)
    inventory: dict[tuple[str, str], Holding] = field(default_factory=dict)
    relationships: dict[tuple[str, str, str], Relationship] = field(default_factory=dict)
    summaries: dict[str, Summary] = field(default_factory=dict)
    by_subject: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Fact ids by subject, in the order they came. This and the next three are derived from
    `facts`, so that a lookup costs the same at turn 10,000."""
    settled: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    """Subject -> predicate -> the ids of the facts that speak of it, the first that came first."""
    weighed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By subject, the ids of facts that can deny a claim: such as are open, dead, lit."""
    hidden: dict[str, None] = field(default_factory=dict)
    """The ids of facts the player has not learnt."""

    def facts_of(self, subject_id: str, newest: int | None = None) -> list[Fact]:
        """Every fact about that subject, in the order they came; or only so many of the newest."""
        ids = self.by_subject.get(subject_id, ())
        return [self.facts[id] for id in (ids if newest is None else ids[-newest:])]

    def fact(self, subject_id: str, predicate: str) -> Fact | None:
        """The fact that settles that predicate of that subject, if any."""
        settled = self.facts.get(fact_id(subject_id, predicate))
        if settled is None:
            ids = self.settled.get(subject_id, {}).get(predicate)
            if ids:
                return self.facts[ids[0]]
        return settled

    def newest_facts(self) -> Iterator[Fact]:
        """Every fact, the last that came first."""
        new: MutableMapping[str, Fact] = {}
        old: MutableMapping[str, Fact] = self.facts
        if isinstance(self.facts, ChainMap):
            new, old = self.facts.maps
        ids = chain(
            (id for id in reversed([*new]) if id not in old), reversed(cast(dict[str, Fact], old))
        )
        return (self.facts[id] for id in ids)

    def facts_about(self, subject_id: str, predicate: str) -> list[Fact]:
        """Every fact that speaks of that predicate of that subject, in the order they came."""
        return [self.facts[id] for id in self.settled.get(subject_id, {}).get(predicate, ())]

    def weighed_of(self, subject_id: str) -> list[Fact]:
        """The facts about that subject that can deny a claim, in the order they came."""
        return [self.facts[id] for id in self.weighed.get(subject_id, ())]

    def value(self, subject_id: str, predicate: str) -> Any:
        """Its value, or None."""
        fact = self.fact(subject_id, predicate)
        return fact.object.get("value") if fact else None

    def summary(self, scope: str, scope_id: str) -> Summary | None:
        """The newest summary of a scene, thread, session …"""
        found = [s for s in self.summaries.values() if (s.scope, s.scope_id) == (scope, scope_id)]
        return found[-1] if found else None

    def name(self, entity_id: str) -> str:
        """The name people use for an entity; ids stay inside."""
        entity = self.entities.get(entity_id)
        return entity.name if entity else entity_id.split(":")[-1].replace("_", " ")

    def held(self, owner_id: str, *, hidden: bool = False) -> list[Holding]:
        """What an owner has; with `hidden`, also what nobody found yet."""
        rows = [
            (item, h)
            for (owner, item), h in self.inventory.items()
            if owner == owner_id and h.qty > 0 and (hidden or not h.flags.get("hidden"))
        ]
        return [
            h for _, h in sorted(rows)
        ]  # no two are of one item: holdings themselves are never compared

    def where(self, entity_id: str) -> str:
        """The location id an entity is at, or '' when nobody knows."""
        if entity_id == PLAYER or entity_id in self.scene.present_entity_ids:
            return self.scene.location_id
        return str(self.value(entity_id, "at") or "")

    @property
    def played(self) -> int:
        """The number of this turn among those that counted: free ones bring nothing nearer."""
        return self.turn_no - int(self.value("campaign", FREE_TURNS) or 0)

    def at_turn(self, turn_no: int) -> "GameState":
        """The same state, stamped with another turn."""
        return self.but(turn_no=turn_no)

    def but(self, **changes: Any) -> "GameState":
        """The same state but for some fields.

        `dataclasses.replace` does as much, and a turn would wait for it.
        """
        other = object.__new__(GameState)
        other.__dict__.update(self.__dict__, **changes)
        return other

    def document(self) -> dict[str, Any]:
        """The whole state as plain data: what `state` prints, equal states giving equal bytes."""
        return {
            "campaign": self.campaign_id,
            "turn_no": self.turn_no,
            "branch": self.branch,
            "scene": self.scene.model_dump(mode="json"),
            "entities": _rows(self.entities),
            "facts": _rows(self.facts),
            "threads": _rows(self.threads),
            "clocks": _rows(self.clocks),
            "inventory": _rows(self.inventory),
            "relationships": _rows(self.relationships),
            "summaries": _rows(self.summaries),
        }


def _rows(table: Mapping[Any, Record]) -> list[dict[str, Any]]:
    """A table as plain data, by its keys."""
    return [row.model_dump(mode="json") for _, row in sorted(table.items())]

"""Records that the suites of lore ports share: one small zone, a checkpoint, messages."""

from datetime import UTC, datetime
from typing import Any

from freeform.lore.messages import RESEARCHER, VALIDATOR, Decision, MessageEnvelope
from freeform.lore.model import (
    Claim,
    FactionData,
    Kind,
    LevelRange,
    LoreData,
    NPCData,
    Relation,
    RelationName,
    ResearchCheckpoint,
    ResearchPackage,
    SourceReference,
    ZoneData,
)
from freeform.lore.ports import GraphWrite, Spend, StepCommit, WebPage

GAME = "naev"
SOURCE = SourceReference(
    url="https://wiki.test/Delta",
    domain="wiki.test",
    tier=1,
    licence="CC-BY-SA 4.0",
    sha256="s" * 64,
)


def envelope(name: str, target: str = VALIDATOR, kind: str = "research_package") -> MessageEnvelope:
    return MessageEnvelope(
        message_id=name,
        source_agent=RESEARCHER if target != RESEARCHER else VALIDATOR,
        target_agent=target,
        message_type=kind,
        timestamp=datetime(2091, 3, 15, 19, 0, tzinfo=UTC),
        correlation_id="c1",
        payload={
            "zone_name": "Delta Polaris",
            "deep": [{"n": None, "x": 1.5, "words": "é 字 '\"; -- $"}],
        },
    )


def commit(key: str, sequence: int = 0, **more: Any) -> StepCommit:
    """A step; with a sequence it carries a checkpoint."""
    point = ResearchCheckpoint(
        game=more.get("game", GAME), zone_name="Delta Polaris", sequence=sequence
    )
    return StepCommit(
        **{
            "key": key,
            "agent": RESEARCHER,
            "game": GAME,
            "zone_name": "Delta Polaris",
            "step": 1,
            "name": "zone_overview_search",
            "result": {"urls": ["https://wiki.test/Delta"], "nothing": None},
            "spend": Spend(tokens=10, calls=1),
            "checkpoint": point if sequence else None,
            "at": "2091-03-15T19:00:00+00:00",
        }
        | more
    )


def claim(subject: str = "delta", value: str = "Empire") -> Claim:
    return Claim(
        subject_id=subject, subject_kind="zone", subject=subject.title(), predicate="faction", value=value,
        quote=value, start=3, end=3 + len(value), url=SOURCE.url, sha256=SOURCE.sha256, extractor="infobox@1", tier=1,
    )  # fmt: skip


def relation(
    name: RelationName, source: tuple[Kind, str], target: tuple[Kind, str], label: str = ""
) -> Relation:
    return Relation(
        name=name, source_kind=source[0], source_id=source[1], target_kind=target[0], target_id=target[1], label=label,
        confidence=0.5,
    )  # fmt: skip


def package(zone: str = "delta", to: str = "gamma", **more: Any) -> ResearchPackage:
    return ResearchPackage(
        zone_name=zone.title(),
        game=GAME,
        zone_data=ZoneData(
            id=zone, name=zone.title(), game=GAME, level_range=LevelRange(min=1, max=9), connected_zones=[to],
            political_climate="The Empire keeps order.", facts={"star": "G2"}, sources=[SOURCE], confidence=0.7,
        ),
        npcs=[NPCData(id="mira", name="Mira", zone_id=zone, personality="A dry courier.", sources=[SOURCE], confidence=0.6)],
        factions=[
            FactionData(id="empire", name="Empire", goals=[f"hold {zone}"], ideology="order", confidence=0.8),
            FactionData(id="pirate", name="Pirate", confidence=0.4),
        ],
        lore=[LoreData(id=f"{zone}_history", zone_id=zone, title=f"The fall of {zone.title()}", content="Long ago it burned.")],
        sources=[SOURCE],
        claims=[claim(zone)],
        relations=[
            relation("CONNECTS_TO", ("zone", zone), ("zone", to)),
            relation("LOCATED_IN", ("npc", "mira"), ("zone", zone)),
            relation("STANCE_TOWARD", ("faction", "empire"), ("faction", "pirate"), "hostile"),
            relation("ABOUT", ("lore", f"{zone}_history"), ("zone", zone)),
        ],
        confidence={f"{zone}.faction": 0.7},
        **more,
    )  # fmt: skip


def accepted(key: str, of: ResearchPackage) -> StepCommit:
    """The validator's commit of a package."""
    return commit(key, agent=VALIDATOR, name="accept", graph=GraphWrite(package=of))


def page(
    text: str = "Delta Polaris. Empire.", url: str = "https://wiki.test/Delta", **more: Any
) -> WebPage:
    import hashlib

    return WebPage(
        url=url, text=text, sha256=hashlib.sha256(text.encode()).hexdigest(), title="Delta", **more
    )


def decision(name: str, game: str = GAME) -> Decision:
    return Decision(
        decision_id=name,
        game=game,
        zone_name="Delta",
        question="Where next?",
        options=["Gamma", "Alpha"],
    )

"""Session zero and the start of a campaign: what the table agreed on, who the hero is, the world as
it stands."""

from typing import Any

from pydantic import Field

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.engine.authored.library import load_system
from freeform.engine.authored.opposition import CombatBlock
from freeform.engine.authored.scenario import (
    Calibration,
    Hero,
    Risk,
    Scenario,
)
from freeform.engine.authored.script import SetFact
from freeform.engine.authored.system import System
from freeform.engine.log import Begun
from freeform.engine.rehearsal import SuggestionTrial
from freeform.engine.rules.change import apply
from freeform.engine.rules.effects import CAMPAIGN, people_at
from freeform.engine.rules.fight.resting import set_out
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.table import Rules, Table
from freeform.engine.world.model import SceneUpdate, StateDiff
from freeform.engine.world.state import (
    PLAYER,
    Entity,
    Fact,
    GameState,
    Holding,
    fact_id,
)

LETHALITY = ("none", "low", "medium", "high")
FAILURE = ("gentle", "consequential", "harsh")


class OwnHero(Record):
    """A character of the player's own making."""

    name: str
    concept: str = ""
    pronouns: str = "they/them"
    stats: dict[str, int] = Field(default_factory=dict)
    items: list[str] = Field(default_factory=list)
    facts: list[SetFact] = Field(default_factory=list)
    block: CombatBlock | None = None
    gear: list[Entity] = Field(default_factory=list)


class Answers(Record):
    """Session zero: anything left out is as the scenario has it."""

    hero: str | OwnHero | None = None
    tone: str | None = None
    themes: list[str] | None = None
    risk: Risk | None = None
    lines: list[str] | None = None
    veils: list[str] | None = None


class ZeroQuestion(Record):
    """One question of session zero, with what is taken when it is skipped."""

    key: str
    ask: str
    options: list[str] = Field(default_factory=list)
    default: str = ""


def session_zero_questions(scenario: Scenario) -> list[ZeroQuestion]:
    """What a table agrees on before play. Every question may be skipped."""
    agreed = scenario.calibration
    heroes = [f"{hero.id}: {hero.name}, {hero.concept}" for hero in scenario.heroes]
    return [
        ZeroQuestion(key="hero", ask="Who are you?", options=heroes, default=scenario.heroes[0].id),
        ZeroQuestion(key="tone", ask="What tone?", default=agreed.tone),
        ZeroQuestion(key="themes", ask="Which themes?", default=", ".join(agreed.themes)),
        ZeroQuestion(
            key="lethality",
            ask="How deadly?",
            options=list(LETHALITY),
            default=agreed.risk.lethality,
        ),
        ZeroQuestion(
            key="failure_mode",
            ask="How hard is failure?",
            options=list(FAILURE),
            default=agreed.risk.failure_mode,
        ),
        ZeroQuestion(
            key="permanence",
            ask="Is loss for good?",
            options=["yes", "no"],
            default="yes" if agreed.risk.permanence else "no",
        ),
        ZeroQuestion(
            key="lines", ask="Lines: what must never appear?", default=", ".join(agreed.lines)
        ),
        ZeroQuestion(
            key="veils", ask="Veils: what happens off-screen only?", default=", ".join(agreed.veils)
        ),
    ]


async def begin(
    scenario: Scenario,
    campaign: str,
    seed: int,
    answers: Answers,
    table: Table,
    *,
    system: System | None = None,
) -> Begun:
    """Makes a campaign. UserError for an id that cannot be one, Conflict for one that is taken."""
    books = table.lore.books if table.lore else None
    rules = system or load_system(scenario.system, books.shelf.folder.parent if books else None)
    hero = choose_hero(scenario, answers, rules)
    calibration = agree(scenario.calibration, answers)
    begun = Begun(
        scenario=scenario,
        name=scenario.name,
        seed=seed,
        system=rules.model_copy(update={"extraction": {}}),
        calibration=calibration,
        genre_rules={"genre": scenario.genre},
        packs=books.hold(scenario.packs) if books else {},
        opening=scenario.opening.strip(),
        suggested_actions=scenario.opening_suggestions,
        state_diff=first_state(scenario, hero),
    )
    begun = begun.model_copy(update={"state_diff": with_sheet(begun)})
    limits = SafetyLimits(
        calibration.lines,
        calibration.veils,
        topics=table.rules(begun, GameState(campaign_id="")).topics,
    )
    first_words = {
        "opening": limits.allow(begun.opening),
        "suggested_actions": limits.allow_each(_tried(begun, campaign, table)),
    }
    begun = begun.model_copy(update=first_words)
    await table.store.create(campaign, begun)
    if books:
        books.write_lock(campaign, begun.packs)
    return begun


def _tried(begun: Begun, campaign: str, table: Table) -> list[str]:
    """The author's first suggestions, without those that this table could not play."""
    first = apply(GameState(campaign_id=campaign), begun.state_diff)
    trial = SuggestionTrial(table.ear, first, Rules.of(begun))
    return [idea for idea in begun.suggested_actions if trial.passes(idea)]


def choose_hero(scenario: Scenario, answers: Answers, system: System) -> Hero:
    """One of the scenario's heroes, or the player's own, with stats the system allows."""
    wanted = answers.hero
    if isinstance(wanted, OwnHero):
        hero = Hero(id="own", **wanted.model_dump())
        known = {entity.id for entity in scenario.entities}
        strange = [item for item in hero.items if item not in known]
        if strange:
            raise UserError(
                f"no item '{strange[0]}' in {scenario.name}; "
                "leave `items` out or name one of its items"
            )
    else:
        chosen = next((h for h in scenario.heroes if wanted in (None, h.id, h.name)), None)
        if chosen is None:
            names = ", ".join(h.id for h in scenario.heroes)
            raise UserError(f"no hero '{wanted}' in {scenario.name}; choose one of: {names}")
        hero = chosen
    low, high = system.stat_range
    for stat, value in hero.stats.items():
        if stat not in system.stats and not any(
            stat in names for names in system.stat_map.values()
        ):
            raise UserError(f"{system.name} has no stat '{stat}'; it has {', '.join(system.stats)}")
        if not low <= value <= high:
            raise UserError(
                f"{stat} {value} is out of range: {system.name} goes from {low} to {high}"
            )
    return hero


def agree(default: Calibration, answers: Answers) -> Calibration:
    """What the table agreed on, over what the scenario proposes."""
    asked = ("tone", "themes", "risk", "lines", "veils")
    answered = {name: getattr(answers, name) for name in asked}
    agreed = {name: answer for name, answer in answered.items() if answer is not None}
    risk = agreed.get("risk", default.risk)
    if risk.lethality not in LETHALITY or risk.failure_mode not in FAILURE:
        raise UserError(
            f"lethality is one of {', '.join(LETHALITY)}; failure_mode one of {', '.join(FAILURE)}"
        )
    return default.model_copy(update=agreed)


def first_state(scenario: Scenario, hero: Hero) -> StateDiff:
    """Everything true before the first turn, as one diff."""
    attrs: dict[str, Any] = {
        "concept": hero.concept,
        "pronouns": hero.pronouns,
        "stats": hero.stats,
        "hero": hero.id,
        "aliases": ["me", "myself"],
    }
    if hero.block:
        attrs["block"] = hero.block.model_dump(mode="json", exclude_unset=True)
    player = Entity(id=PLAYER, type="pc", name=hero.name, attrs=attrs)
    entities = [player, *(e for e in scenario.entities if e.id != PLAYER), *hero.gear]
    authored = {entity.id: entity for entity in entities if entity.origin == "pack"}
    placed = {fact.subject_id for fact in scenario.facts if fact.predicate == "at"}
    facts = [
        *(_from_pack(fact, authored.get(fact.subject_id)) for fact in scenario.facts),
        *(_of_hero(new) for new in hero.facts),
        *(_place_of(e) for e in entities if e.attrs.get("location") and e.id not in placed),
    ]
    holdings = {(h.owner_id, h.item_id): h for h in scenario.inventory}
    for item in (*hero.items, *(thing.id for thing in hero.gear)):
        holdings[PLAYER, item] = Holding(owner_id=PLAYER, item_id=item)
    world = StateDiff(
        entities_add=entities,
        facts_add=facts,
        threads_add=scenario.threads,
        clocks_add=scenario.clocks,
        inventory_add=list(holdings.values()),
        relationships_add=scenario.relationships,
    )
    state = apply(GameState(campaign_id=""), world)
    start = scenario.start
    here = people_at(start.location, state)
    engine = {
        (start.location, "visited"): 1,
        **{(who, "met"): True for who in here},
        (CAMPAIGN, "quiet"): 0,
    }
    marks = [
        Fact(
            id=fact_id(s, p),
            subject_id=s,
            predicate=p,
            object={"value": value},
            visibility="engine",
        )
        for (s, p), value in engine.items()
    ]
    scene = SceneUpdate(
        id="scene_1",
        location_id=start.location,
        present_entity_ids=[PLAYER, *here],
        time={"day": start.day, "minute": start.minute},
    )
    return world.model_copy(update={"facts_add": [*facts, *marks], "scene_update": scene})


def with_sheet(begun: Begun) -> StateDiff:
    """The first state, and what the hero has of hit points and resources where the system counts
    them."""
    rules, world = Rules.of(begun), begun.state_diff
    if rules.system.fight is None:
        return world
    page = Ledger(apply(GameState(campaign_id=""), world))
    set_out(page, rules)
    given = {fact.id for fact in world.facts_add}
    new = [fact for fact in page.diff.facts_add if fact.id not in given]
    return world.model_copy(update={"facts_add": [*world.facts_add, *new]})


def _of_hero(new: SetFact) -> Fact:
    return Fact(
        id=fact_id(new.subject, new.predicate),
        subject_id=new.subject,
        predicate=new.predicate,
        object={"value": new.value, "text": new.text} if new.text else {"value": new.value},
        visibility=new.visibility,
        discovered_turn=0,
        discovery_method="session zero",
    )


def _place_of(entity: Entity) -> Fact:
    return Fact(
        id=fact_id(entity.id, "at"),
        subject_id=entity.id,
        predicate="at",
        object={"value": entity.attrs["location"]},
        visibility="engine",
    )


def _from_pack(fact: Fact, subject: Entity | None) -> Fact:
    """A scenario's fact about something out of a pack points back to that pack, so that `why` can
    open it."""
    if subject is None or fact.pack_id:
        return fact
    return fact.model_copy(update={"origin": "pack", "pack_id": subject.pack_id})

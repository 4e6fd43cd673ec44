"""A small campaign and its turns, for tests that store them."""

from freeform.engine.authored.scenario import (
    Calibration,
    Exit,
    Hero,
    Place,
    Scenario,
    Start,
)
from freeform.engine.authored.script import Condition
from freeform.engine.authored.system import System
from freeform.engine.log import Begun, Changed, Entry, Narrated, Resolved
from freeform.engine.world.model import (
    ClockDelta,
    ContextPacket,
    EngineEvent,
    InterpreterOutput,
    InventoryChange,
    NarratorOutput,
    PlannerOutput,
    SceneUpdate,
    StateDiff,
    ValidatorOutput,
)
from freeform.engine.world.state import (
    Entity,
    Fact,
    Holding,
    Relationship,
    StoryClock,
    Thread,
)

CELLAR = Scenario(
    id="cellar",
    name="The Cellar",
    genre="mystery",
    description="A lamp, a door and what is behind it.",
    system="base",
    opening="It is dark.",
    start=Start(location="cellar"),
    heroes=[Hero(id="mira", name="Mira", concept="a locksmith")],
    entities=[],
    places={
        "cellar": Place(
            description="Cold stone.", exits=[Exit(to="yard", when=[Condition(has="key")])]
        )
    },
)

START = StateDiff(
    entities_add=[
        Entity(id="player", type="pc", name="Mira", attrs={"nerve": 1}),
        Entity(id="lamp", type="item", name="lamp", tags=["light"], origin="pack", pack_id="house"),
    ],
    facts_add=[Fact(id="lamp#lit", subject_id="lamp", predicate="lit", object={"value": False})],
    threads_add=[Thread(id="door", title="What is behind the door?", stakes={"time": "dawn"})],
    clocks_add=[StoryClock(id="heat", name="Heat", max=6, triggers={"6": {"text": "They come."}})],
    inventory_add=[Holding(owner_id="player", item_id="coin", qty=3)],
    relationships_add=[Relationship(a_id="player", b_id="lamp", rel_type="owns", intensity=1)],
    scene_update=SceneUpdate(
        location_id="cellar", present_entity_ids=["player"], time={"day": 1, "minute": 0}
    ),
)


def begun(diff: StateDiff = START, seed: int = 7) -> Begun:
    """How the campaign begins."""
    return Begun(
        scenario=CELLAR,
        name="The Cellar",
        seed=seed,
        system=System(id="base", name="Base"),
        calibration=Calibration(tone="quiet", lines=["spiders"]),
        genre_rules={"magic": "none"},
        opening=CELLAR.opening,
        state_diff=diff,
    )


def step(turn_no: int) -> StateDiff:
    """What a usual turn changes: a fact, a clock, a coin, the time."""
    fact = Fact(
        id=f"note_{turn_no}",
        subject_id="lamp",
        predicate=f"note_{turn_no}",
        object={"value": turn_no},
    )
    return StateDiff(
        facts_add=[fact],
        clocks=[ClockDelta(id="heat", delta=1 if turn_no % 2 else -1)],
        inventory_changes=[InventoryChange(owner_id="player", item_id="coin", delta=1)],
        scene_update=SceneUpdate(time={"day": 1, "minute": turn_no}),
    )


def resolved(
    turn_no: int, diff: StateDiff | None = None, *, turn_id: str = "", take: int = 1
) -> Resolved:
    """A turn's facts."""
    return Resolved(
        turn_id=turn_id or f"turn_{turn_no}",
        turn_no=turn_no,
        take=take,
        player_input=f"I do thing {turn_no}",
        context_packet=ContextPacket(scene={"location_id": "cellar"}),
        interpreter=InterpreterOutput(intent="do"),
        validator=ValidatorOutput(),
        planner=PlannerOutput(beats=["beat"]),
        engine_events=[EngineEvent(type="did", details={"turn": turn_no})],
        state_diff=step(turn_no) if diff is None else diff,
        prompt_versions={"engine/planner": "engine/planner@0#aa"},
    )


def narrated(
    turn_no: int, diff: StateDiff | None = None, *, turn_id: str = "", text: str = ""
) -> Narrated:
    """A turn's prose."""
    told = text or f"Thing {turn_no} is done."
    return Narrated(
        turn_id=turn_id or f"turn_{turn_no}",
        turn_no=turn_no,
        narrator=NarratorOutput(final_text=told),
        final_text=told,
        state_diff=diff or StateDiff(),
        prompt_versions={"engine/narrator": "engine/narrator@0#bb"},
    )


def turn(turn_no: int, *, turn_id: str = "", take: int = 1, text: str = "") -> list[Entry]:
    """A whole turn."""
    facts = resolved(turn_no, turn_id=turn_id, take=take)
    return [facts, narrated(turn_no, turn_id=turn_id, text=text)]


def changed(why: str = "correction", diff: StateDiff | None = None) -> Changed:
    """A change between turns."""
    return Changed(why=why, state_diff=diff or StateDiff())

"""Rolls worked out by hand from each system's open rules: the engine throws the same dice and must come to the same."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml

from freeform.core.chance import Chance
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import TurnResolution, resolve
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    AllowedAction,
    PlannerOutput,
    StateDiff,
    ValidatorOutput,
)
from freeform.engine.world.state import Fact, GameState, fact_id
from tests.engine.fights.bridge import begun, bridge

T = TypeVar("T")
WORKED = Path(__file__).parent / "worked"
SYSTEMS = ("srd52", "position_effect", "moves_2d6", "push_pool")


class GivenDice(Chance):
    """Dice that fall as a row says, whoever throws them."""

    def __init__(self, dice: list[int]) -> None:
        super().__init__(0)
        self.left = list(dice)

    def at(self, *path: int | str) -> Chance:
        return self

    def die(self, sides: int) -> int:
        assert self.left, f"a d{sides} more was thrown than the row gives"
        return self.left.pop(0)

    def choose(self, options: Sequence[T]) -> T:
        return options[0]


@cache
def page(system: str) -> dict[str, Any]:
    text = (WORKED / f"{system}.yaml").read_text(encoding="utf-8")
    read: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return read


def rows() -> Iterator[Any]:
    for system in SYSTEMS:
        for row in page(system)["rolls"]:
            yield pytest.param(system, row, id=f"{system}: {row['rule']}")


def table(system: str, row: dict[str, Any]) -> tuple[GameState, Rules]:
    hero = {**page(system)["hero"], **row.get("hero", {})}
    scene = bridge(system, hero["stats"], **hero["block"])
    things = [
        thing.model_copy(update={"attrs": {**thing.attrs, **page(system)["things"][thing.id]}})
        if thing.id in page(system)["things"]
        else thing
        for thing in scene.entities
    ]
    foe = next(thing for thing in things if thing.id == "snag")
    foe.attrs["block"] = row.get("foe", page(system)["foe"])
    scene = scene.model_copy(update={"entities": things})
    state, rules = begun(scene, row.get("lethality", "medium"))
    fight = {"foes": ["snag"], "ready": ["snag"], "fast": [], "round": 0, "mine": 1}
    given = {"campaign#fight": fight} if row.get("fighting", True) else {}
    given |= row.get("state", page(system).get("state", {}))
    facts = [
        Fact(id=fact_id(s, p), subject_id=s, predicate=p, object={"value": value})
        for (s, _, p), value in ((key.partition("#"), value) for key, value in given.items())
    ]
    return apply(state, StateDiff(facts_add=facts)), rules


def play(row: dict[str, Any], state: GameState, rules: Rules) -> tuple[TurnResolution, GivenDice]:
    dice = GivenDice(row.get("dice", []))
    actions = [AllowedAction.model_validate({"minutes": 1, **act}) for act in row["acts"]]
    validated = ValidatorOutput(allowed_actions=actions)
    return resolve(state, validated, PlannerOutput(), rules, dice), dice


@pytest.mark.parametrize(("system", "row"), list(rows()))
def test_a_worked_roll_comes_out_as_the_rules_say(system: str, row: dict[str, Any]) -> None:
    state, rules = table(system, row)
    came, dice = play(row, state, rules)
    assert [roll.text for roll in came.rolls] == row.get("rolls", [])
    assert dice.left == []
    after = apply(state, came.state_diff)
    facts = {key: after.value(*key.split("#")) for key in row.get("facts", {})}
    assert facts == row.get("facts", {})
    effects = [roll.effect for roll in came.rolls if roll.effect]
    assert effects == row.get("effects", effects)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_twenty_worked_rolls_and_names_whose_rules_it_has(system: str) -> None:
    _, rules = table(system, page(system)["rolls"][0])
    assert len({row["rule"] for row in page(system)["rolls"]}) >= 20
    assert "icense" in rules.system.licence


@pytest.mark.parametrize(("system", "row"), list(rows()))
def test_the_parts_of_a_roll_sum_to_what_it_adds(system: str, row: dict[str, Any]) -> None:
    state, rules = table(system, row)
    for roll in play(row, state, rules)[0].rolls:
        taken = roll.against if roll.kind == "damage" else []
        if (rules.system.fight and rules.system.fight.damage == "dice") or roll.kind != "damage":
            assert sum(part.value for part in [*roll.parts, *taken]) == roll.modifier, roll.text
        assert all(part.source for part in [*roll.parts, *roll.against]), roll

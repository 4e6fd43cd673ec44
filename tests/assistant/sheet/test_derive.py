"""Numbers follow from what a sheet states, and each is the sum of its parts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.assistant.model import Number
from freeform.assistant.sheet.model import ABILITIES, Item, Sheet, SheetEffect
from freeform.assistant.sheet.numbers.derive import complete
from freeform.assistant.sheet.numbers.tables import (
    SKILLS,
    pact_at,
    proficiency,
    slots_at,
)
from tests.assistant.sheet.examples import hero

CLASSES = ("Barbarian", "Bard", "Cleric", "Druid", "Fighter", "Monk", "Paladin", "Ranger", "Rogue", "Sorcerer",
           "Warlock", "Wizard")  # fmt: skip
KINDS = ("bonus", "proficiency", "expertise", "half", "set", "advantage")
TARGETS = [*(f"skill:{s}" for s in SKILLS), *(f"save:{a}" for a in ABILITIES), *(f"score:{a}" for a in ABILITIES),
           "ac", "initiative", "saves", "checks", "hp", "prof", "dc", "ac:base", "speed:walk"]  # fmt: skip
effects = st.builds(
    SheetEffect,
    target=st.sampled_from(TARGETS),
    kind=st.sampled_from(KINDS),
    value=st.integers(-5, 25),
    ability=st.sampled_from(["", *ABILITIES]),
    when=st.sampled_from(["", "in the dark"]),
    source=st.sampled_from(["a ring", "by hand", "Soldier"]),
)
items = st.builds(
    Item,
    name=st.sampled_from(["Mail", "Blade", "Bow", "Shield"]),
    equipped=st.booleans(),
    armor=st.sampled_from(["", "light", "medium", "heavy", "shield"]),
    armor_class=st.integers(0, 18),
    damage=st.sampled_from(["", "1d6", "2d4"]),
    weapon=st.sampled_from(["", "simple melee", "martial ranged"]),
    props=st.lists(st.sampled_from(["Finesse", "Thrown", "Versatile"])),
    bonus=st.integers(0, 3),
)
heroes = st.builds(
    lambda classes, scores, effects, items, edition: hero(
        *classes,
        scores=dict(zip(ABILITIES, scores, strict=True)),
        effects=effects,
        items=items,
        edition=edition,
    ),
    st.lists(
        st.tuples(st.sampled_from(CLASSES), st.integers(1, 12)),
        max_size=3,
        unique_by=lambda c: c[0],
    ),
    st.lists(st.integers(1, 30), min_size=6, max_size=6),
    st.lists(effects, max_size=8),
    st.lists(items, max_size=4),
    st.sampled_from(["2014", "2024"]),
)


def total(number: Number) -> float:
    return sum(part.value for part in number.parts if isinstance(part.value, int | float))


@given(heroes)
@settings(deadline=None, max_examples=60)
def test_every_number_is_the_sum_of_its_parts(sheet: Sheet) -> None:
    derived = complete(sheet).derived
    wrong = {
        key: number
        for key, number in derived.items()
        if isinstance(number.value, int | float)
        and key != "carried"
        and total(number) != number.value
    }
    assert wrong == {}


@given(heroes)
@settings(deadline=None, max_examples=40)
def test_completing_twice_changes_nothing(sheet: Sheet) -> None:
    once = complete(sheet)
    assert complete(once) == once


@given(heroes)
@settings(deadline=None, max_examples=40)
def test_what_holds_only_sometimes_is_told_and_not_counted(sheet: Sheet) -> None:
    without = sheet.model_copy(
        update={"effects": [e for e in sheet.effects if not e.when or e.kind == "set"]}
    )
    ours, plain = complete(sheet).derived, complete(without).derived
    assert {k: n.value for k, n in ours.items()} == {k: n.value for k, n in plain.items()}


@given(st.integers(1, 20), st.integers(1, 20))
def test_a_higher_level_never_has_fewer_slots_or_a_lower_bonus(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert proficiency(low) <= proficiency(high)
    assert all(slots_at(high).get(level, 0) >= count for level, count in slots_at(low).items())
    assert pact_at(low) <= pact_at(high)


@pytest.mark.parametrize(
    ("classes", "edition", "slots"),
    [
        ([("Wizard", 5)], "2014", {"1": 4, "2": 3, "3": 2}),
        ([("Paladin", 1)], "2014", {}),
        ([("Paladin", 1)], "2024", {"1": 2}),
        ([("Paladin", 5)], "2014", {"1": 4, "2": 2}),
        ([("Paladin", 5), ("Wizard", 1)], "2014", {"1": 4, "2": 2}),
        ([("Paladin", 5), ("Wizard", 1)], "2024", {"1": 4, "2": 3}),
        ([("Cleric", 3), ("Druid", 4), ("Ranger", 2)], "2014", {"1": 4, "2": 3, "3": 3, "4": 2}),
        ([("Warlock", 9), ("Sorcerer", 2)], "2014", {"1": 3}),
        ([("Fighter", 11)], "2014", {}),
    ],
)
def test_slots_are_those_of_the_tables(
    classes: list[tuple[str, int]], edition: str, slots: dict[str, int]
) -> None:
    sheet = complete(hero(*classes, edition=edition))
    assert {level: uses.max for level, uses in sheet.magic_info.slots.items()} == slots


def test_pact_magic_stays_apart() -> None:
    sheet = complete(hero(("Warlock", 9), ("Sorcerer", 2)))
    assert sheet.magic_info.pact and (sheet.magic_info.pact.level, sheet.magic_info.pact.max) == (
        5,
        2,
    )


def test_a_third_caster_casts_by_its_subclass() -> None:
    sheet = hero(("Fighter", 7))
    knight = sheet.character_basics.classes[0].model_copy(update={"subclass": "Eldritch Knight"})
    basics = sheet.character_basics.model_copy(update={"classes": [knight]})
    done = complete(sheet.model_copy(update={"character_basics": basics}))
    assert {k: u.max for k, u in done.magic_info.slots.items()} == {"1": 4, "2": 2}
    assert [c.ability for c in done.magic_info.casters] == ["int"]


def test_armor_limits_dexterity_and_a_monks_defence_is_lost_with_a_shield() -> None:
    scores = {"dex": 18, "wis": 16}
    mail = Item(name="Half plate", armor="medium", armor_class=15, equipped=True)
    shield = Item(name="Shield", armor="shield", armor_class=2, equipped=True)
    bare = SheetEffect(
        target="ac:base", kind="set", value=10, ability="wis", when="no shield", source="Monk 1"
    )

    def ac(*items: Item) -> object:
        return complete(
            hero(("Monk", 1), scores=scores, effects=[bare], items=list(items))
        ).combat_info.ac.value

    assert (ac(), ac(shield), ac(mail), ac(mail, shield)) == (17, 16, 17, 19)


def test_scores_stop_at_twenty_but_not_for_what_a_person_typed() -> None:
    asi = SheetEffect(target="score:str", value=4, source="feats")
    hand = SheetEffect(target="score:str", value=2, source="by hand")
    sheet = complete(hero(("Fighter", 8), scores={"str": 18}, effects=[asi, hand]))
    assert sheet.character_basics.abilities["str"].score == 22


def test_heavy_armor_slows_the_weak() -> None:
    plate = Item(name="Plate", armor="heavy", armor_class=18, strength=15, equipped=True)
    walk = SheetEffect(target="speed:walk", kind="set", value=30, source="Human")
    slow = complete(hero(("Fighter", 1), scores={"str": 10}, items=[plate], effects=[walk]))
    strong = complete(hero(("Fighter", 1), scores={"str": 15}, items=[plate], effects=[walk]))
    assert (slow.combat_info.speeds, strong.combat_info.speeds) == ({"walk": 20}, {"walk": 30})

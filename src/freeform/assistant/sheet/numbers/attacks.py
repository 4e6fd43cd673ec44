"""Attacks with what is in hand, and what can be carried."""

from freeform.assistant.sheet.model import Attack, Item, Uses
from freeform.assistant.sheet.numbers.ground import Ground, NumberTally
from freeform.assistant.sheet.numbers.tables import MARTIAL, SIZES
from freeform.core.text import slug
from freeform.language.inflection import singular


def fill_attacks(ground: Ground) -> list[Attack]:
    """One row for each weapon at hand, and the bare fist."""
    weapons = [i for i in ground.sheet.inventory_info.items if i.damage or i.weapon]
    held = [i for i in weapons if i.equipped] or weapons
    seen: dict[str, Attack] = {}
    for item in held:
        if item.name not in seen:
            seen[item.name] = _attack(ground, item)
    return [*seen.values(), _unarmed(ground)]


def wielding(ground: Ground, item: Item) -> str:
    """The ability a weapon is used with."""
    if item.ability:
        return item.ability
    props = {p.lower() for p in item.props}
    choices = ["dex"] if "ranged" in item.weapon and "thrown" not in props else ["str"]
    if "finesse" in props or (_martial_arts(ground) and _is_monk_weapon(item, props)):
        choices = ["str", "dex"]
    elif "ranged" in item.weapon:
        choices = ["dex"]
    return max(choices, key=lambda a: ground.mods[a])


def _martial_arts(ground: Ground) -> bool:
    armored = any(i.equipped and i.armor for i in ground.sheet.inventory_info.items)
    return ground.levels_in("monk") > 0 and not armored


def _is_monk_weapon(item: Item, props: set[str]) -> bool:
    plain = "simple melee" in item.weapon and not {"heavy", "two-handed"} & props
    return plain or item.base == "shortsword" or "monk" in props


def is_proficient(ground: Ground, item: Item) -> bool:
    """Whether the training covers that weapon, as far as the sheet tells."""
    if item.proficient is not None:
        return item.proficient
    known = {singular(slug(name)) for name in ground.sheet.abilities_info.weapons}
    base = slug(item.base or item.name)
    kind = item.weapon.partition(" ")[0] or (
        "martial" if base.replace("_", "") in MARTIAL else "simple"
    )
    names = {base, base.replace("_", ""), "_".join(reversed(base.split("_"))), slug(item.name)}
    return (
        f"{kind}_weapon" in known
        or kind in known
        or bool({singular(name) for name in names} & known)
    )


def _attack(ground: Ground, item: Item) -> Attack:
    ability, way = wielding(ground, item), "ranged" if "ranged" in item.weapon else "melee"
    tally = ground.ability_part(NumberTally(f"{item.name}, to hit", "action_economy"), ability)
    if is_proficient(ground, item):
        tally.add("proficiency bonus", ground.prof, item.weapon or "weapon training")
    else:
        tally.add("not proficient", 0, even_nothing=True)
    tally.add("magic", item.bonus, item.name)
    ground.apply(tally, f"attack:{way}", "attack:weapon", f"attack:item:{slug(item.name)}")
    harm = ground.ability_part(NumberTally(f"{item.name}, damage", "action_economy"), ability)
    harm.add("magic", item.bonus, item.name)
    ground.apply(harm, f"damage:{way}", "damage:weapon", f"damage:item:{slug(item.name)}")
    dice = item.damage
    if _martial_arts(ground) and _is_monk_weapon(item, {p.lower() for p in item.props}):
        dice = larger(dice, martial_die(ground))
    kind = f" {'/'.join(item.damage_types)}" if item.damage_types else ""
    damage = [f"{dice}{_signed(harm.total)}{kind}"] if dice else []
    if item.versatile:
        damage.append(f"{larger(item.versatile, dice)}{_signed(harm.total)}{kind} (two hands)")
    ground.numbers[f"damage:{item.name}"] = harm.number().model_copy(
        update={"value": damage[0] if damage else harm.total}
    )
    return Attack(
        name=item.name,
        to_hit=ground.keep(f"attack:{item.name}", tally),
        damage=damage,
        range=item.range,
        props=item.props,
        source_item=item.name,
    )


def _unarmed(ground: Ground) -> Attack:
    ability = "dex" if _martial_arts(ground) and ground.mods["dex"] > ground.mods["str"] else "str"
    tally = ground.ability_part(NumberTally("Unarmed strike, to hit", "action_economy"), ability)
    tally.add("proficiency bonus", ground.prof, "everyone")
    ground.apply(tally, "attack:unarmed")
    mod = ground.mods[ability]
    die = martial_die(ground) if ground.levels_in("monk") else ""
    damage = f"{die}{_signed(mod)} bludgeoning" if die else f"{max(0, 1 + mod)} bludgeoning"
    return Attack(
        name="Unarmed strike",
        to_hit=ground.keep("attack:Unarmed strike", tally),
        damage=[damage],
        range="5 ft.",
    )


def martial_die(ground: Ground) -> str:
    """A monk's die for blows of hand and staff."""
    level, later = ground.levels_in("monk"), 2 if ground.sheet.edition == "2024" else 0
    return (
        f"1d{(4 if level < 5 else 6 if level < 11 else 8 if level < 17 else 10) + later}"
        if level
        else ""
    )


def larger(one: str, other: str) -> str:
    """The better of two dice such as `1d6` and `1d8`."""

    def worth(dice: str) -> float:
        count, _, sides = dice.partition("d")
        return (
            float(count or 0) * (float(sides) + 1) if count.isdigit() and sides.isdigit() else 0.0
        )

    return one if worth(one) >= worth(other) else other


def _signed(value: int) -> str:
    return f" {'+' if value > 0 else '-'} {abs(value)}" if value else ""


def fill_carrying(ground: Ground) -> dict[str, float]:
    """What may be carried, what is, and what can be pushed or dragged."""
    basics, inventory = ground.sheet.character_basics, ground.sheet.inventory_info
    strength = basics.abilities["str"].score
    times = SIZES.get(basics.size.lower(), 1.0)
    doubled = [e for e in ground.effects("carry", kind="advantage")]
    tally = NumberTally("Carrying capacity (lb.)", "inventory")
    tally.add(f"STR {strength} x 15", strength * 15, "rule")
    if doubled:
        times *= 2
    if times != 1:
        source = doubled[0].source if doubled else basics.size
        tally.add(f"x {times:g}", int(strength * 15 * (times - 1)), source)
    most = ground.keep("carrying_capacity", tally)
    carried = sum(item.weight * item.qty for item in inventory.items)
    coins = sum(inventory.currency.values()) / 50
    weight = (
        NumberTally("Carried (lb.)", "inventory")
        .number()
        .model_copy(update={"value": round(carried + coins, 2), "parts": []})
    )
    ground.numbers["carried"] = weight
    return {"capacity": most, "carried": round(carried + coins, 2), "push_drag_lift": most * 2}


def fill_attunement(ground: Ground) -> Uses:
    """How many things are attuned, of how many."""
    stated = ground.sheet.inventory_info.attunement
    used = sum(item.attuned for item in ground.sheet.inventory_info.items)
    return Uses(max=stated.max or 3, used=used)

"""Armor Class, hit points, speed, hit dice: what keeps a character alive."""

from freeform.assistant.model import Number
from freeform.assistant.sheet.model import HitPoints, Item, Uses
from freeform.assistant.sheet.numbers.ground import Ground, NumberTally


def fill_armor_class(ground: Ground) -> Number:
    """The best of what is worn and what the body itself gives, then shield and bonuses."""
    override = next(iter(ground.effects("ac:override", kind="set")), None)
    if override:
        made_of = any(map(str.isdigit, override.source))
        label = f"{override.source}, together" if made_of else "set by hand"
        tally = NumberTally("Armor Class", "combat_stats").add(
            label, override.value, override.source
        )
        ground.keep("armor_class", tally)
        return tally.number()
    items = ground.sheet.inventory_info.items
    worn = [i for i in items if i.equipped and i.armor in ("light", "medium", "heavy")]
    shields = [i for i in items if i.equipped and i.armor == "shield"]
    bases = [_worn(ground, item) for item in worn] or _bare(ground, bool(shields))
    tally = max(bases, key=lambda t: t.total)
    if shields:
        shield = max(shields, key=lambda i: i.armor_class)
        tally.add("shield", shield.armor_class, shield.name)
    ground.apply(tally, "ac", *(["ac:armored"] if worn else ["ac:unarmored"]))
    ground.keep("armor_class", tally)
    return tally.number()


def _worn(ground: Ground, item: Item) -> NumberTally:
    tally = NumberTally("Armor Class", "combat_stats").add("armor", item.armor_class, item.name)
    dex = ground.mods["dex"]
    cap = (
        {"light": 99, "medium": 2, "heavy": 0}[item.armor] if item.dex_cap is None else item.dex_cap
    )
    if item.armor == "medium" and item.dex_cap in (None, 2):
        cap += sum(e.value for e in ground.effects("ac:medium_dex"))
    if item.armor == "heavy":
        return tally
    counted = min(dex, cap)
    return tally.add(
        "DEX modifier" + (f", at most {cap}" if dex > cap else ""),
        counted,
        "rule",
        even_nothing=True,
    )


def _bare(ground: Ground, shield: bool) -> list[NumberTally]:
    plain = NumberTally("Armor Class", "combat_stats").add("unarmored", 10, "rule")
    found = [ground.ability_part(plain, "dex")]
    for effect in ground.effects("ac:base", kind="set"):
        # A monk's defence is lost with a shield in hand; such a formula is simply not offered.
        if shield and effect.when == "no shield":
            continue
        tally = NumberTally("Armor Class", "combat_stats").add(
            "unarmored", effect.value or 10, effect.source
        )
        cap = next((e.value for e in ground.effects("ac:bare_dex", kind="set")), None)
        if cap is None or ground.mods["dex"] <= cap:
            ground.ability_part(tally, "dex")
        else:
            tally.add(f"DEX modifier, at most {cap}", cap, "rule", even_nothing=True)
        if effect.ability:
            ground.ability_part(tally, effect.ability)
        found.append(tally)
    return found


def fill_hit_points(ground: Ground) -> HitPoints:
    """The most there can be, and what is left. What a file states outright stands."""
    hp = ground.sheet.combat_info.hp
    tally = NumberTally("Hit point maximum", "combat_stats")
    if hp.override is not None:
        tally.add("set by hand", hp.override, "sheet")
    elif hp.rolled is not None:
        tally.add("hit dice", hp.rolled, "sheet")
        tally.add(
            f"CON modifier x {ground.level}",
            ground.mods["con"] * ground.level,
            "rule",
            even_nothing=True,
        )
        for effect in ground.effects("hp:level"):
            tally.add(
                f"{effect.source} x level",
                effect.value * ground.levels_in(effect.level_of or "*"),
                effect.source,
            )
        ground.apply(tally, "hp")
    elif hp.stated is not None:
        tally.add("as stated", hp.stated, "sheet")
        ground.apply(tally, "hp:temporary_max")
    most = ground.keep("hit_points", tally)
    current = most - hp.removed if hp.removed is not None else hp.current
    return hp.model_copy(update={"max": most, "current": max(0, current)})


def fill_speeds(ground: Ground) -> dict[str, int]:
    """How far each way of moving carries."""
    worn = [i for i in ground.sheet.inventory_info.items if i.equipped and i.armor]
    armored = any(i.armor != "shield" for i in worn)
    strength = ground.sheet.character_basics.abilities["str"].score
    speeds: dict[str, int] = {}
    named = {
        e.target[6:]
        for e in ground.sheet.effects
        if e.target.startswith("speed:") and e.kind == "set"
    }
    for way in sorted(named, key=lambda way: (way != "walk", way)):
        tally, base = NumberTally(f"Speed, {way}", "combat_stats"), ground.best_set(f"speed:{way}")
        if base is None:
            continue
        # A climbing speed "equal to your walking speed" is stored as nothing.
        tally.add("base", ground.worth(base) or speeds.get("walk", 0), base.source)
        ground.apply(tally, f"speed:{way}", "speeds")
        if way == "walk":
            if not worn:
                ground.apply(tally, "speed:unarmored")
            if not armored:
                ground.apply(tally, "speed:no_armor")
            unslowed = any(ground.effects("speed:heavy_armor", kind="ignore"))
            for item in worn:
                if item.armor == "heavy" and item.strength > strength and not unslowed:
                    tally.add(f"too heavy (needs STR {item.strength})", -10, item.name)
        speeds[way] = ground.keep(f"speed:{way}", tally)
    return speeds


def fill_hit_dice(ground: Ground) -> dict[str, Uses]:
    """Hit dice by their size."""
    dice: dict[str, Uses] = {}
    for cls in ground.sheet.character_basics.classes:
        key = f"d{cls.hit_die}"
        had = dice.get(key, Uses(reset="long rest"))
        dice[key] = Uses(
            max=had.max + cls.level, used=had.used + cls.hit_dice_used, reset="long rest"
        )
    for key, uses in dice.items():
        tally = NumberTally(f"Hit dice {key}", "combat_stats")
        for cls in ground.sheet.character_basics.classes:
            if f"d{cls.hit_die}" == key:
                tally.add(f"{cls.name} levels", cls.level, cls.name)
        tally.add("used", -uses.used, "sheet")
        ground.keep(f"hit_dice:{key}", tally)
    return dice

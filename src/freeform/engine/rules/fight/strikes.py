"""A blow: rolled to hit, rolled for damage, and what it leaves."""

from freeform.engine.authored.opposition import Rider
from freeform.engine.rules.fight.arms import armour_of, defence_parts, to_hit
from freeform.engine.rules.fight.fray import Blow, Fray, whose
from freeform.engine.rules.fight.health import (
    counts_points,
    effect_name,
    effect_of,
    hurt,
    suffer,
    wounds_part,
)
from freeform.engine.rules.fight.pushing import pushed_dice
from freeform.engine.rules.fight.resources import spend
from freeform.engine.rules.fight.saves import afflict, rolled_beside, save
from freeform.engine.rules.numbers import (
    RollAsked,
    bearing_on,
    block_of,
    conditions_in,
    level_of,
    stats_of,
)
from freeform.engine.rules.rolls import Throw, at_least, dice_in, roll
from freeform.engine.rulings.lasting import cease
from freeform.engine.world.rolled import Roll, RollPart
from freeform.engine.world.state import PLAYER


def strike(blow: Blow, fray: Fray) -> Roll:
    """One blow: rolled to hit, and, where it does, for damage."""
    page, rules = fray.page, fray.rules
    stat, own = to_hit(blow, fray.state, rules)
    asked = RollAsked("attack", blow.by, blow.target, (stat,), blow.weapon.ranged)
    bearing = bearing_on(asked, fray.state, rules.system)
    bearing.good += blow.advantage
    bearing.bad += blow.hindered
    if blow.weapon.spends and blow.by == PLAYER:
        spend({blow.weapon.spends: 1}, page, rules)
    against = defence_parts(blow.target, fray.state, rules)
    wounds = wounds_part(fray.state, rules) if blow.by == PLAYER else None
    worse = [wounds] if wounds and wounds.value else []
    pushed = pushed_dice(page) if blow.by == PLAYER else 0
    landed = roll(
        Throw(
            action="attack",
            target_id=blow.target,
            stat=stat,
            tier=blow.tier,
            own=tuple(own),
            parts=tuple(
                [*bearing.parts, *worse, *rolled_beside(bearing, fray.chance.at("beside"))]
            ),
            advantage=bearing.advantage + pushed,
            by=blow.by,
            kind="attack",
            against=tuple(against) if fray.fight.against == "defence" else (),
            natural=fray.fight.natural or None,
        ),
        rules.system,
        fray.state,
        fray.chance,
    )
    if bearing.critical and at_least(landed.outcome, "success"):
        text = landed.text.removesuffix(landed.outcome) + "critical"
        landed = landed.model_copy(update={"outcome": "critical", "text": text})
    if blow.by == PLAYER:
        more = blow.weapon.bonus + bearing.effect
        effect = effect_name(landed.outcome, more, fray.state, rules)
        landed = landed.model_copy(update={"effect": effect})
    page.rolls.append(landed)
    return landed


def damage_of(blow: Blow, landed: Roll, fray: Fray) -> int:
    """What a blow that landed does."""
    if fray.fight.damage == "dice":
        return roll_damage(blow, landed, fray)
    return _flat_damage(blow, landed, fray)


def wound(blow: Blow, total: int, fray: Fray) -> None:
    """Damage is done, and whatever else a hit brings."""
    apply_damage(blow, total, fray)
    if blow.weapon.on_hit:
        ride(blow.weapon.on_hit, blow, fray.at("rider"))


def apply_damage(blow: Blow, total: int, fray: Fray) -> None:
    """Damage becomes wounds, and wakes who slept."""
    if counts_points(fray.rules, blow.target):
        hurt(blow.target, total, fray.page, fray.rules, blow.spared)
    elif total > 0:
        suffer(min(total, len(fray.rules.system.health.levels)), fray.page, fray.rules)
    if total > 0:
        _end_when_hurt(blow.target, fray)


def _end_when_hurt(who: str, fray: Fray) -> None:
    for name, condition in conditions_in(who, fray.state, fray.rules.system):
        if condition.ends_when_hurt:
            cease(who, name, fray.page)


def roll_damage(blow: Blow, landed: Roll, fray: Fray) -> int:
    """Dice for damage, less what armour and nature take."""
    weapon = blow.weapon
    stats = stats_of(blow.by, fray.state, fray.rules.system)
    stat = landed.stat if weapon.adds_stat and weapon.to_hit is None else ""
    added = []
    if stat and stats.get(stat):
        added.append(RollPart(label=stat, value=stats[stat], source="sheet"))
    if weapon.bonus:
        added.append(RollPart(label=weapon.name, value=weapon.bonus, source="gear"))
    asked = RollAsked("damage", blow.by, blow.target, (landed.stat,), weapon.ranged)
    added += bearing_on(asked, fray.state, fray.rules.system).parts
    total = 0
    for number, row in enumerate(weapon.damage):
        more = added if number == 0 else []
        total += throw_damage(row, more, blow, landed.outcome, fray.at("damage", number))
    for number, row in enumerate(_beside(blow, landed, fray)):
        total += throw_damage(row, [], blow, landed.outcome, fray.at("beside", number))
    return total


def _beside(blow: Blow, landed: Roll, fray: Fray) -> list[str]:
    """Dice that a class adds to a hit with advantage, and that conditions add to any."""
    state, system = fray.state, fray.rules.system
    asked = RollAsked("damage", blow.by, blow.target, (landed.stat,), blow.weapon.ranged)
    rows = [dice for dice, _ in bearing_on(asked, state, system).dice]
    own_class = system.classes.get(block_of(blow.by, state, system).kind)
    extra = own_class.advantage_damage if own_class else []
    favoured = bool(landed.kept) and sum(landed.kept) * 2 >= sum(landed.dice)
    if extra and favoured and blow.weapon.trained:
        kind = blow.weapon.damage[0].partition(" ")[2] if blow.weapon.damage else ""
        level = level_of(blow.by, state, system)
        rows.append(f"{extra[min(level, len(extra)) - 1]} {kind}".strip())
    return rows


def throw_damage(row: str, added: list[RollPart], blow: Blow, outcome: str, fray: Fray) -> int:
    """One kind of damage, `1d8 slashing`, in the open."""
    text, _, kind = row.partition(" ")
    count, sides, more = dice_in(text)
    if outcome == "critical" and fray.fight.critical_doubles:
        count *= 2
    dice = fray.chance.dice(count, sides) if count else []
    parts = (
        [RollPart(label=blow.weapon.name or "dice", value=more, source="weapon")] if more else []
    )
    parts += added
    plain = max(0, sum(dice) + sum(part.value for part in parts))
    taken = _taken(kind, plain, blow.target, fray)
    total = max(0, plain + sum(part.value for part in taken))
    fell = f"{count}d{sides} ({','.join(map(str, dice))})" if dice else ""
    signed = "".join(f" {'+' if p.value > 0 else '-'} {abs(p.value)}" for p in [*parts, *taken])
    fray.page.rolls.append(
        Roll(
            action="damage",
            target_id=blow.target,
            method="damage",
            dice=dice,
            sides=sides,
            modifier=sum(part.value for part in [*parts, *taken]),
            total=total,
            outcome=outcome,
            text=f"{fell}{signed} = {total} {kind}".strip(" ="),
            kind="damage",
            by="" if blow.by == PLAYER else blow.by,
            parts=parts,
            against=taken,
        )
    )
    return total


def _taken(kind: str, plain: int, target: str, fray: Fray) -> list[RollPart]:
    """What armour and nature take from damage, or add."""
    block, state = block_of(target, fray.state, fray.rules.system), fray.state
    held = conditions_in(target, state, fray.rules.system)
    resist = {*block.resist, *(k for _, c in held for k in c.resist)}
    if kind and kind in block.immune:
        return [RollPart(label=f"immune to {kind}", value=-plain, source=whose(target, state))]
    parts = []
    reduces = block.reduces + sum(a.reduces for a in armour_of(target, state, fray.rules))
    if reduces:
        less = RollPart(label="armour", value=-min(plain, reduces), source=whose(target, state))
        parts.append(less)
    left = plain + sum(part.value for part in parts)
    if kind in resist or ("all" in resist and kind):
        less = RollPart(label=f"resists {kind}", value=left // 2 - left, source="nature")
        return [*parts, less]
    if kind in block.vulnerable:
        return [*parts, RollPart(label=f"vulnerable to {kind}", value=left, source="nature")]
    return parts


def _flat_damage(blow: Blow, landed: Roll, fray: Fray) -> int:
    """Damage without dice of its own: by successes, or by effect."""
    weapon = blow.weapon
    base = sum(dice_in(row.partition(" ")[0])[2] for row in weapon.damage)
    if fray.fight.damage == "effect":
        return effect_of(landed.outcome, weapon.bonus, fray.state, fray.rules)
    over = max(0, landed.total - sum(part.value for part in landed.against) - 1)
    parts = [RollPart(label=weapon.name, value=base, source="weapon")]
    parts += [RollPart(label="further successes", value=over, source="dice")] if over else []
    dice = sum(each.dice for each in armour_of(blow.target, fray.state, fray.rules))
    fell = fray.chance.at("armour").dice(dice, 6) if dice else []
    stopped = fell.count(6)
    total = max(0, base + over - stopped)
    taken = [RollPart(label="armour", value=-stopped, source="armour")] if stopped else []
    fray.page.rolls.append(
        Roll(
            action="damage",
            target_id=blow.target,
            method="damage",
            dice=fell,
            sides=6,
            modifier=base + over,
            total=total,
            outcome=landed.outcome,
            text=f"{base} + {over} - {stopped} = {total}",
            kind="damage",
            by="" if blow.by == PLAYER else blow.by,
            parts=parts,
            against=taken,
        )
    )
    return total


def ride(rider: Rider, blow: Blow, fray: Fray) -> None:
    """What a hit brings beside its damage."""
    difficulty = [RollPart(label=blow.weapon.name, value=rider.difficulty, source="block")]
    held = bool(rider.save) and save(blow.target, rider.save, difficulty, fray.at("save"))
    total = 0
    for number, row in enumerate(rider.damage):
        if not held or rider.half:
            total += throw_damage(row, [], blow, "success", fray.at("rider", number))
    apply_damage(blow, total // 2 if held else total, fray)
    if rider.condition and not held:
        afflict(blow.target, rider.condition, rider.turns, fray)

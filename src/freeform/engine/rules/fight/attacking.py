"""The player's deeds in a fight: to strike, to strike down, to cast, to get away, to give up."""

from freeform.engine.authored.conditions import check
from freeform.engine.authored.opposition import HeroPower, Weapon
from freeform.engine.rules.deeds.attempt import Attempt, hidden
from freeform.engine.rules.effects import end_situation, go, pay
from freeform.engine.rules.fight import rounds
from freeform.engine.rules.fight.arms import weapon_meant, weapons_of
from freeform.engine.rules.fight.foes import fight_of, stand_down, standing
from freeform.engine.rules.fight.fray import Blow, Fray
from freeform.engine.rules.fight.health import is_up, mend
from freeform.engine.rules.fight.powers import (
    casting_part,
    difficulty_of,
    healing_roll,
    power_meant,
    powers_of,
    price_of,
    times_of,
    weapon_of,
)
from freeform.engine.rules.fight.pushing import remember_roll
from freeform.engine.rules.fight.resources import lacks, learn_from, spend
from freeform.engine.rules.fight.saves import afflict, save
from freeform.engine.rules.fight.strikes import apply_damage, damage_of, strike, throw_damage, wound
from freeform.engine.rules.numbers import at_level, block_of, conditions_in, level_of
from freeform.engine.rules.rolls import at_least, thrown
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.rolled import RollPart
from freeform.engine.world.state import PLAYER


def fray_of(attempt: Attempt) -> Fray:
    """What an attempt's blows are struck in."""
    return Fray(attempt.page, attempt.rules, attempt.chance)


def attack(attempt: Attempt) -> str:
    """Strikes someone: as often as one may, or with a power that is named."""
    return _attack(attempt, spared=False)


def subdue(attempt: Attempt) -> str:
    """Strikes someone down without killing."""
    return _attack(attempt, spared=True)


def _attack(attempt: Attempt, spared: bool) -> str:
    fray, who = fray_of(attempt), attempt.action.target_id
    power = power_meant(attempt.action.details, powers_of(attempt.page.state, attempt.rules))
    if power:
        return _cast_power(power, attempt)
    weapon = weapon_meant(
        attempt.action.details, weapons_of(PLAYER, attempt.page.state, attempt.rules)
    )
    lacking = lacks({weapon.spends: 1}, attempt.page.state, attempt.rules) if weapon.spends else ""
    if lacking:
        attempt.page.happen("lacked", name=lacking)
        return ""
    from_hiding = ("hidden",) if hidden(attempt.page) else ()
    if rounds.turn_against(who, fray):
        rounds.foes_act(fray.at("first"), fast=True)
    worst = ""
    for number in range(_blows(attempt)):
        if not is_up(who, fray.state) or not is_up(PLAYER, fray.state):
            break
        blow = Blow(
            PLAYER,
            who,
            weapon,
            tier=attempt.kind.tier,
            advantage=from_hiding if number == 0 else (),
            hindered=_too_near(weapon, fray),
            spared=spared,
        )
        worst = _land(blow, fray.at("blow", number) if number else fray, attempt.action)
    return worst


def _land(blow: Blow, fray: Fray, action: AllowedAction) -> str:
    """One blow of the player's, and what it does."""
    landed = strike(blow, fray)
    remember_roll(landed, action, fray.page, fray.rules)
    learn_from(landed, blow.tier, fray.page, fray.rules)
    hit = at_least(landed.outcome, "mixed")
    damage = damage_of(blow, landed, fray) if hit else 0
    fray.page.happen(
        "struck",
        ("violence",),
        target=blow.target,
        name=fray.state.name(blow.target),
        weapon=blow.weapon.name,
        hit=hit,
        outcome=landed.outcome,
        damage=damage,
    )
    if hit:
        wound(blow, damage, fray)
    if not at_least(landed.outcome, "success"):
        _answered(blow, fray)
    return landed.outcome


def _answered(blow: Blow, fray: Fray) -> None:
    """Where foes only answer, a blow that went badly is answered; or it has its price in harm."""
    foe = blow.target
    if fray.fight.foes == "answer" and is_up(foe, fray.state):
        weapon = weapon_meant("", weapons_of(foe, fray.state, fray.rules))
        rounds.foe_strikes(Blow(foe, PLAYER, weapon), fray.at("answer"))
    elif fray.fight.foes == "price":
        pay({"harm": fray.fight.harm_by_tier.get(str(blow.tier), 0)}, fray.page, fray.rules)


def _too_near(weapon: Weapon, fray: Fray) -> tuple[str, ...]:
    near = fray.fight.near_hinders_ranged and weapon.ranged
    began = fight_of(fray.state).get("round", 0)
    return ("a foe is upon you",) if near and began else ()


def _blows(attempt: Attempt) -> int:
    state, system = attempt.page.state, attempt.rules.system
    block = block_of(PLAYER, state, system)
    own_class = system.classes.get(block.kind)
    by_class = at_level(own_class.attacks, level_of(PLAYER, state, system)) if own_class else 1
    return max(block.attacks, by_class)


def cast(attempt: Attempt) -> str:
    """Uses a power that the words name."""
    known = powers_of(attempt.page.state, attempt.rules)
    named = attempt.rules.system.powers.get(attempt.kind.power)
    if attempt.kind.power and named not in known:
        attempt.page.happen("unknown_power", names=[each.name for each in known])
        return ""
    power = named or power_meant(f"{attempt.action.details} {attempt.name}", known)
    if power is None:
        attempt.page.happen("unknown_power", names=[each.name for each in known])
        return ""
    return _cast_power(power, attempt)


def _cast_power(power: HeroPower, attempt: Attempt) -> str:
    page, rules = attempt.page, attempt.rules
    lacking = lacks(price_of(power, page.state, rules), page.state, rules)
    if lacking:
        page.happen("lacked", name=lacking)
        return ""
    fray = fray_of(attempt)
    if power.on in ("foe", "foes"):
        return _cast_at(power, attempt, fray)
    spend(price_of(power, page.state, rules), page, rules)
    who = attempt.action.target_id if power.on == "friend" else ""
    who = who or PLAYER
    page.happen("cast", name=power.name, target=fray.state.name(who), own=who == PLAYER)
    if power.heals:
        dice, total = thrown(power.heals, fray.chance)
        heal_roll(who, power, dice, total, fray)
    if power.condition:
        afflict(who, power.condition, power.turns, fray)
    return "success"


def heal_roll(who: str, power: HeroPower, dice: list[int], total: int, fray: Fray) -> None:
    """Healing, thrown in the open."""
    made = healing_roll(power, dice, total, fray)
    fray.page.rolls.append(made)
    mended = mend(who, made.total, fray.page, fray.rules)
    fray.page.happen("mended", name=fray.state.name(who), own=who == PLAYER, points=mended)


def _cast_at(power: HeroPower, attempt: Attempt, fray: Fray) -> str:
    """A power at a foe, or at all of them."""
    who = attempt.action.target_id
    who = who or next(iter(standing(fray.state)), "")
    if not who:
        fray.page.happen("no_target", name=power.name)
        return ""
    if rounds.turn_against(who, fray):
        rounds.foes_act(fray.at("first"), fast=True)
    if not is_up(PLAYER, fray.state):
        return ""
    spend(price_of(power, fray.state, fray.rules), fray.page, fray.rules)
    targets = standing(fray.state) if power.on == "foes" else [who]
    fray.page.happen("cast", name=power.name, target=fray.state.name(who), own=False)
    best = "failure"
    for target in targets:
        came = _strikes_with(power, target, fray.at("power", target), attempt)
        best = came if at_least(came, best) else best
    return best


def _strikes_with(power: HeroPower, target: str, fray: Fray, attempt: Attempt) -> str:
    weapon = weapon_of(power, fray)
    blow = Blow(PLAYER, target, weapon, tier=attempt.kind.tier)
    if power.attack:
        came = "failure"
        for number in range(times_of(power, fray.state, fray.rules)):
            if is_up(target, fray.state):
                landed = _land(blow, fray.at("blow", number), attempt.action)
                came = landed if at_least(landed, came) else came
        if power.condition and at_least(came, "mixed"):
            afflict(target, power.condition, power.turns, fray)
        return came
    held = bool(power.save) and save(target, power.save, difficulty_of(fray), fray.at("save"))
    total = 0
    if not held or power.half:
        for number in range(times_of(power, fray.state, fray.rules)):
            for row in weapon.damage:
                total += throw_damage(
                    row, _stat_added(power, fray), blow, "success", fray.at("dart", number)
                )
    total = total // 2 if held else total
    name = fray.state.name(target)
    fray.page.happen(
        "power_struck", ("violence",), name=name, power=power.name, held=held, damage=total
    )
    apply_damage(blow, total, fray)
    if power.condition and not held:
        afflict(target, power.condition, power.turns, fray)
    if power.calms and not held:
        stand_down(target, fray.page)
    return "mixed" if held else "success"


def _stat_added(power: HeroPower, fray: Fray) -> list[RollPart]:
    return casting_part(fray) if power.adds_stat else []


def escape(attempt: Attempt) -> str:
    """Gets away from foes: a roll, and a way out; who fails is still among them."""
    fray, state = fray_of(attempt), attempt.page.state
    held = conditions_in(PLAYER, state, attempt.rules.system)
    fast = next((name for name, condition in held if not condition.speed), "")
    if fast:
        attempt.page.happen("held_fast", condition=fast)
        return ""
    outcome = attempt.throw(attempt.kind.stat, attempt.kind.tier)
    page, rules = attempt.page, attempt.rules
    page.happen("outcome", action="flee", target="", name=attempt.name, details="", outcome=outcome)
    if not at_least(outcome, "mixed"):
        return outcome
    if outcome == "mixed":
        rounds.parting_blows(fray)
    ways = [w.to for w in rules.exits(attempt.here, state) if check(w.when, state).holds]
    wanted = attempt.action.target_id
    if ways and is_up(PLAYER, page.state):
        go(wanted if wanted in ways else ways[0], page, rules)
    elif not ways:
        _break_off(attempt)
    end_situation("pursued", page)
    return outcome


def _break_off(attempt: Attempt) -> None:
    """Where no way is open one gets out of their reach, and they let it be."""
    page = attempt.page
    for foe in standing(page.state):
        stand_down(foe, page)
    page.happen("broke_off")


def surrender(attempt: Attempt) -> str:
    """Lays down arms: foes who can be spoken to stop; it is their prisoner now."""
    page = attempt.page
    foes = standing(page.state)
    if not foes:
        page.happen("no_foe")
        return ""
    for foe in foes:
        stand_down(foe, page)
    page.settle(
        PLAYER, "captive", foes[0], text=f"You gave yourself up to {page.state.name(foes[0])}."
    )
    page.happen(
        "gave_up", foes=[page.state.name(foe) for foe in foes], name=page.state.name(foes[0])
    )
    return ""

"""Wounds: points and steps of harm, who falls, who mends, and the last rolls of the dying."""

from freeform.core.chance import Chance
from freeform.engine.authored.opposition import Dying, Health
from freeform.engine.rules.ledger import ENGINE, Disclosure, Ledger
from freeform.engine.rules.numbers import block_of, level_of, stat_of, stats_of
from freeform.engine.rules.rolls import thrown
from freeform.engine.table import Rules
from freeform.engine.world.rolled import Roll, RollPart
from freeform.engine.world.state import PLAYER, GameState

POINTS, HARM, CONDITION, LAST = "hit_points", "harm_taken", "condition", "last_rolls"
DEADLY = ("medium", "high")
"""The lethality at which one can die."""
GONE = frozenset({"dead", "unconscious", "dying", "out"})
_BAD_AT = 0.5
VIOLENCE = Disclosure(method="violence")


def counts_points(rules: Rules, who: str) -> bool:
    """Whether someone's wounds are points: a foe's always are, a hero's where the system says."""
    return who != PLAYER or rules.system.health.track_type != "levels"


def most(who: str, state: GameState, rules: Rules) -> int:
    """How many points someone has unhurt."""
    system, block = rules.system, block_of(who, state, rules.system)
    health = system.health
    if block.hp:
        return block.hp + _grown(who, state, rules, since=block.level)
    names = [name for name in health.stat.split("+") if name]
    stats = stats_of(who, state, system)
    total = sum(stats.get(name, system.resolution.stat_default) for name in names)
    from_stats = total if len(names) < 2 else (total + 1) // 2
    own_class = system.classes.get(block.kind)
    die = own_class.hit_die if own_class else 0
    return max(1, health.base + die + from_stats + _grown(who, state, rules, since=1))


def _grown(who: str, state: GameState, rules: Rules, since: int) -> int:
    """Points that levels brought since one of them."""
    system, block = rules.system, block_of(who, state, rules.system)
    growth = system.progression
    levels = level_of(who, state, system) - since
    own_class = system.classes.get(block.kind)
    die = block.hit_die or (own_class.hit_die if own_class else 0)
    if growth is None or growth.hp != "half_die" or levels <= 0:
        return 0
    each = die // 2 + 1 + stat_of(system, system.health.stat, state, who)[1]
    return levels * max(1, each)


def points(who: str, state: GameState, rules: Rules) -> int:
    """How many points someone has left."""
    left = state.value(who, POINTS)
    return int(left) if left is not None else most(who, state, rules)


def is_up(who: str, state: GameState) -> bool:
    """Whether someone can still act, so far as wounds go."""
    return str(state.value(who, CONDITION) or "") not in GONE


def hurt(who: str, amount: int, page: Ledger, rules: Rules, spared: bool = False) -> None:
    """Someone loses points; at none they fall. `spared`: a foe is struck down, not killed."""
    if amount <= 0 or page.state.value(who, CONDITION) == "dead":
        return
    whole = most(who, page.state, rules)
    before = points(who, page.state, rules)
    after = max(0, before - amount)
    _set_points(who, after, page, rules)
    if who == PLAYER:
        if after == 0:
            _fall(page, rules, beyond=amount - before, whole=whole, was_down=before == 0)
        return
    _show(who, after, whole, page, rules, spared)


def _show(who: str, left: int, whole: int, page: Ledger, rules: Rules, spared: bool) -> None:
    """How someone else looks who was just hurt."""
    risk = rules.begun.calibration.risk
    deadly = risk.lethality in DEADLY and rules.system.health.foe_at_zero == "dead"
    if left == 0:
        looks = "dead" if deadly and not spared else "unconscious"
    else:
        looks = "badly hurt" if left <= whole * _BAD_AT else "hurt"
    name = page.state.name(who)
    was = page.state.value(who, CONDITION)
    page.settle(who, CONDITION, looks, text=f"{name} is {looks}.", disclosure=VIOLENCE)
    if was != looks:
        page.happen("wounded", ("violence",), npc=who, name=name, condition=looks)


def _set_points(who: str, left: int, page: Ledger, rules: Rules) -> None:
    whole = most(who, page.state, rules)
    name = rules.system.health.name
    if who == PLAYER:
        page.settle(who, POINTS, left, text=f"You have {left} of {whole} {name}.")
    else:
        page.settle(who, POINTS, left, disclosure=ENGINE)


def _fall(page: Ledger, rules: Rules, beyond: int, whole: int, was_down: bool) -> None:
    """The player's character has nothing left."""
    dying = rules.system.health.dying
    deadly = rules.begun.calibration.risk.lethality in DEADLY
    if not deadly or dying is None:
        _become("unconscious", "You are out cold.", page)
    elif dying.instant_at and beyond >= whole * dying.instant_at:
        die(page)
    elif was_down:
        _count_last(page, dying, bad=1)
    else:
        page.note(PLAYER, LAST, {"good": 0, "bad": 0})
        _become("dying", "You are dying.", page)


def _become(condition: str, text: str, page: Ledger) -> None:
    page.settle(PLAYER, CONDITION, condition, text=text, disclosure=VIOLENCE)
    page.happen("fell", ("violence",), condition=condition)


def die(page: Ledger) -> None:
    """The player's character is dead."""
    page.settle(PLAYER, CONDITION, "dead", text="You are dead.", disclosure=VIOLENCE)
    page.happen("died", ("violence", "ending"))


def mend(who: str, amount: int, page: Ledger, rules: Rules) -> int:
    """Someone gets points back; gives how many. One who lay there comes to."""
    if page.state.value(who, CONDITION) == "dead":
        return 0
    before = points(who, page.state, rules)
    after = min(most(who, page.state, rules), before + amount)
    if after > before:
        _set_points(who, after, page, rules)
    if after > 0 and page.state.value(who, CONDITION):
        rise(who, page)
    return after - before


def rise(who: str, page: Ledger) -> None:
    """Someone is on their feet again."""
    down = not is_up(who, page.state)
    name = "You are" if who == PLAYER else f"{page.state.name(who)} is"
    page.settle(who, CONDITION, "well", text=f"{name} up again.")
    if down:
        page.happen("rose", who=who, name=page.state.name(who), own=who == PLAYER)


def linger(page: Ledger, rules: Rules, chance: Chance) -> None:
    """A turn of the dying: one roll, and what it decides."""
    dying = rules.system.health.dying
    if dying is None or page.state.value(PLAYER, CONDITION) != "dying":
        _come_to(page, rules, chance)
        return
    dice = chance.dice(dying.count, dying.sides)
    label, value = stat_of(rules.system, dying.stat, page.state)
    total = sum(dice) + (value if dying.stat else 0)
    parts = [RollPart(label=label, value=value, source="sheet")] if dying.stat and value else []
    verdict = _verdict(dying, sum(dice), total)
    page.rolls.append(_last_roll(dying, dice, total, verdict, parts))
    if verdict in ("rise", "bargain"):
        page.happen("last_roll", ("violence",), outcome=verdict)
        mend(PLAYER, 1, page, rules)
    elif verdict == "dead":
        die(page)
    elif verdict == "good":
        _count_last(page, dying, good=1)
    else:
        _count_last(page, dying, bad=2 if verdict == "bad2" else 1)


def _verdict(dying: Dying, bare: int, total: int) -> str:
    if dying.bands:
        reached = [(floor, came) for floor, came in dying.bands if total >= floor]
        return max(reached)[1] if reached else "dead"
    forced = dying.natural.get(str(bare))
    return forced or ("good" if total >= dying.needs else "bad")


def _last_roll(
    dying: Dying, dice: list[int], total: int, verdict: str, parts: list[RollPart]
) -> Roll:
    good = verdict in ("rise", "good", "bargain")
    more = f" + {parts[0].value}" if parts else ""
    fell = ",".join(map(str, dice))
    against = "" if dying.bands else f" vs {dying.needs}"
    outcome = "success" if good else "failure"
    return Roll(
        action="dying",
        method="dying",
        dice=dice,
        sides=dying.sides,
        modifier=total - sum(dice),
        stat=dying.stat,
        difficulty=None if dying.bands else dying.needs,
        total=total,
        outcome=outcome,
        text=f"{dying.count}d{dying.sides} ({fell}){more} = {total}{against} {outcome}",
        kind="dying",
        parts=parts,
    )


def _count_last(page: Ledger, dying: Dying, good: int = 0, bad: int = 0) -> None:
    """The rolls of the dying are counted until three are one way."""
    so_far = dict(page.state.value(PLAYER, LAST) or {"good": 0, "bad": 0})
    count = {"good": so_far["good"] + good, "bad": so_far["bad"] + bad}
    page.note(PLAYER, LAST, count)
    page.happen("last_roll", ("violence",), outcome="good" if good else "bad", **count)
    if count["bad"] >= dying.bad:
        die(page)
    elif count["good"] >= dying.good:
        _become("unconscious", "You are unconscious, and stable.", page)


def _come_to(page: Ledger, rules: Rules, chance: Chance) -> None:
    """One who is out, and not dying, wakes in time."""
    from_dice = rules.system.health.dying
    hours = thrown(from_dice.wakes_after if from_dice else "1", chance)[1]
    page.happen("time_lost", hours=hours)
    if counts_points(rules, PLAYER):
        mend(PLAYER, 1, page, rules)
    if not is_up(PLAYER, page.state):
        rise(PLAYER, page)


def harm_penalty(state: GameState, health: Health) -> tuple[str, int, int]:
    """The worst harm the player's character bears: its name, what it takes from dice, from
    effect."""
    borne = list(state.value(PLAYER, HARM) or [])
    rows = [health.levels[step - 1] for step in borne if 0 < step <= len(health.levels)]
    if not rows:
        return "", 0, 0
    penalty = min(int(row.penalty or 0) for row in rows)
    effect = min(row.effect for row in rows)
    return health.levels[max(borne) - 1].name, penalty, effect


def wounds_part(state: GameState, rules: Rules) -> RollPart:
    """What wounds take from a roll."""
    health = rules.system.health
    if any(level.boxes for level in health.levels):
        name, penalty, _ = harm_penalty(state, health)
        return RollPart(label="harm", value=penalty, source=name)
    harm = state.clocks.get(rules.scenario.cost_clocks.get("harm", ""))
    value = harm.value if harm else 0
    if value and health.levels:
        level = health.levels[min(value, len(health.levels)) - 1]
        return RollPart(label="wounds", value=int(level.penalty or 0), source=level.name)
    half = harm is not None and value * 2 > harm.max and health.track_type != "points"
    return RollPart(label="wounds", value=-1 if half else 0, source="harm")


def effect_of(outcome: str, more: int, state: GameState, rules: Rules) -> int:
    """How much a deed of the player's does, in levels of effect: wounds lessen it."""
    levels = rules.system.effect_levels
    if levels is None or outcome not in ("mixed", "success", "critical"):
        return 0
    better = levels.critical if outcome == "critical" else 0
    step = levels.usual + more + better + harm_penalty(state, rules.system.health)[2]
    return max(0, min(len(levels.names) - 1 + levels.critical, step))


def effect_name(outcome: str, more: int, state: GameState, rules: Rules) -> str:
    """The level of effect by its name; '' where the system has none."""
    levels = rules.system.effect_levels
    if levels is None or outcome not in ("mixed", "success", "critical"):
        return ""
    return levels.names[min(len(levels.names) - 1, effect_of(outcome, more, state, rules))]


def suffer(step: int, page: Ledger, rules: Rules) -> int:
    """Harm of a step goes into the first free box at or above it; past the last one falls."""
    health = rules.system.health
    borne = list(page.state.value(PLAYER, HARM) or [])
    place = step
    while place <= len(health.levels) and borne.count(place) >= health.levels[place - 1].boxes:
        place += 1
    if place > len(health.levels):
        if rules.begun.calibration.risk.lethality in DEADLY:
            die(page)
        else:
            _become("unconscious", "You are out cold.", page)
        return place
    _bear([*borne, place], page, health)
    page.happen("harmed", ("violence",), step=place, level=health.levels[place - 1].name)
    if not health.levels[place - 1].acts:
        _become("unconscious", f"You are {health.levels[place - 1].name}.", page)
    return place


def ease(steps: int, page: Ledger, rules: Rules) -> None:
    """Every harm is so many steps less; those below the first are healed."""
    health = rules.system.health
    borne = [step - steps for step in page.state.value(PLAYER, HARM) or []]
    _bear([step for step in borne if step > 0], page, health)
    if not is_up(PLAYER, page.state) and page.state.value(PLAYER, CONDITION) != "dead":
        rise(PLAYER, page)


def take_back(step: int, by: int, page: Ledger, rules: Rules) -> None:
    """One harm just taken is less by so many steps."""
    borne = list(page.state.value(PLAYER, HARM) or [])
    if step not in borne:
        return
    borne.remove(step)
    if step - by > 0:
        borne.append(step - by)
    _bear(borne, page, rules.system.health)
    if not is_up(PLAYER, page.state):
        rise(PLAYER, page)


def _bear(borne: list[int], page: Ledger, health: Health) -> None:
    named = [health.levels[step - 1].name for step in sorted(borne)]
    text = f"You bear {', '.join(named)} harm." if named else "You bear no harm."
    page.settle(PLAYER, HARM, sorted(borne), text=text)


def hit_dice(who: str, state: GameState, rules: Rules) -> tuple[int, int]:
    """How many sides a hit die has, and how many one has in all."""
    block = block_of(who, state, rules.system)
    own_class = rules.system.classes.get(block.kind)
    sides = block.hit_die or (own_class.hit_die if own_class else 0)
    return sides, level_of(who, state, rules.system)

"""A system's rules in plain sentences, a few for each topic a player may ask about."""

from collections.abc import Callable, Sequence

from freeform.core.chance import Chance
from freeform.engine.authored.system import Resolution
from freeform.engine.knowledge.evidence import AnswerSource
from freeform.engine.knowledge.reply import SourcedAnswer
from freeform.engine.rules.known import listed
from freeform.engine.rules.numbers import stat_of
from freeform.engine.rules.rolls import Throw, how_often
from freeform.engine.table import Rules
from freeform.engine.world.costs import Costs
from freeform.engine.world.state import PLAYER, GameState

_TIERS = ("0", "1", "2")
_THROWS = 2000
"""Throws of which odds are counted, the same ones each time."""
_MOST_WEIGHED = 2
"""Deeds of one question whose odds are told."""
_RISKY = 1
"""The tier of a deed that nobody named."""


def rule_on(topic: str, rules: Rules, state: GameState) -> SourcedAnswer | None:
    """What the system says of a topic; None where it says nothing."""
    saying = _TOPICS.get(topic)
    text = saying(rules, state) if saying else ""
    return _from(text, rules, topic) if text else None


def rule_of_action(name: str, rules: Rules, state: GameState) -> SourcedAnswer:
    """How one kind of deed is decided, what it takes and what it costs."""
    kind = rules.system.action_types[name]
    deed = f"To {name}"
    if kind.roll == "never":
        decided = f"{deed} needs no dice as a rule"
    else:
        label, value = stat_of(rules.system, kind.stat or "nerve", state)
        tier = rules.system.tiers.get(str(kind.tier))
        danger = f", a {tier.name} deed" if tier else ""
        when = "" if kind.roll == "always" else " when something is at stake"
        stat = " and ".join(label.split("+"))
        decided = f"{deed} you roll {stat}{when}{danger}; yours is {value:+d}"
    takes = f"It takes about {_minutes(kind.minutes)}" if kind.minutes else "It takes no time"
    cost = _costs(kind.costs)
    price = f", and costs {cost} whatever comes of it" if cost else ""
    return _from(f"{decided}. {takes}{price}.", rules, f"actions, {name}")


def rule_of_odds(
    deeds: Sequence[str], stats: Sequence[str], rules: Rules, state: GameState
) -> SourcedAnswer | None:
    """How likely deeds of those kinds are to come off, or rolls of those stats; with neither, rolls
    of all one has, the best first. None where the system rolls no stats."""
    kinds = rules.system.action_types
    rolled = [name for name in deeds if kinds[name].roll != "never"]
    said = []
    for name in rolled[:_MOST_WEIGHED]:
        stat, tier = kinds[name].stat or "nerve", kinds[name].tier
        said.append(f"to {name} you roll {_with_odds([stat], tier, rules, state)}")
    if not said:
        alike: dict[int, list[str]] = {}
        for stat in stats or _own_stats(state):
            alike.setdefault(stat_of(rules.system, stat, state)[1], []).append(stat)
        best_first = [alike[value] for value in sorted(alike, reverse=True)]
        said = [f"with {_with_odds(some, _RISKY, rules, state)}" for some in best_first]
    if not said:
        return None
    bearing = "How far someone trusts you and how hurt you are shift that."
    return _from(f"{_capital('; '.join(said))}. {bearing}", rules, "odds")


def rule_of_stat(stat: str, rules: Rules, state: GameState) -> SourcedAnswer:
    """What a stat is rolled for, and what the player's own does."""
    kinds = rules.system.action_types
    deeds = [
        name
        for name, kind in kinds.items()
        if kind.roll != "never" and stat in stat_of(rules.system, kind.stat, state)[0].split("+")
    ]
    used = f"It is rolled to {listed(deeds)}. " if deeds else ""
    odds = _with_odds([stat], _RISKY, rules, state)
    return _from(f"{used}It is added to what the dice show: {odds}.", rules, "stats")


def _own_stats(state: GameState) -> dict[str, int]:
    hero = state.entities.get(PLAYER)
    return dict(hero.attrs.get("stats") or {}) if hero else {}


def _with_odds(stats: Sequence[str], tier: int, rules: Rules, state: GameState) -> str:
    """`wits or nerve (+2): about 42 % go well, 42 % at a price, 17 % badly`."""
    label, value = stat_of(rules.system, stats[0], state)
    named = " or ".join(stats) if len(stats) > 1 else " and ".join(label.split("+"))
    throw = Throw(action="", target_id="", stat=stats[0], tier=tier)
    chance = Chance("odds", rules.system.id)
    came = how_often(throw, rules.system, state, chance, _THROWS)
    shares = {
        "go well": came["success"] + came["critical"],
        "at a price": came["mixed"],
        "badly": came["failure"] + came["botch"],
    }
    told = [f"{round(100 * times / _THROWS)} % {how}" for how, times in shares.items() if times]
    return f"{named} ({value:+d}): about {', '.join(told)}"


def _from(text: str, rules: Rules, where: str) -> SourcedAnswer:
    source = AnswerSource("rules", rules.system.id, f"{rules.system.name}, {where}")
    return SourcedAnswer(f"{text} (Rules: {rules.system.name}, {where}.)", [source])


def _dice(rules: Rules, state: GameState) -> str:
    how = rules.system.resolution
    dice = f"{how.dice_count}d{how.die_type}"
    match how.method:
        case "sum_bands":
            return f"You roll {dice} and add a stat: {_bands(how)}.{_natural(how)}"
        case "target_number":
            return f"You roll {dice} and add a stat, against {_difficulties(rules)}.{_natural(how)}"
        case "roll_under":
            return f"You roll {dice} and must not exceed your score, less {_difficulties(rules)}."
        case "highest_die":
            dice = f"as many d{how.die_type}s as your stat"
            return f"You roll {dice}, and the best of them counts: {_bands(how)}."
        case "dice_pool":
            return (
                f"You roll a pool of d{how.die_type}s, {how.base_pool} and your stats together; "
                f"each die of the difficulty or more is a success, against {_difficulties(rules)}."
                f" {_pool(how)}"
            )


def _bands(how: Resolution) -> str:
    """`6 or less is a failure, 7 to 9 mixed, 10 or more a success`."""
    bands = sorted(how.bands, key=lambda band: band.at_least)
    said = []
    for number, band in enumerate(bands):
        above = bands[number + 1].at_least - 1 if number + 1 < len(bands) else None
        if number == 0:
            said.append(f"{above} or less is {_a(band.outcome)}" if above is not None else "")
        elif above is None:
            said.append(f"{band.at_least} or more is {_a(band.outcome)}")
        else:
            said.append(f"{band.at_least} to {above} is {_a(band.outcome)}")
    return listed([part for part in said if part])


def _a(outcome: str) -> str:
    return "a mixed result" if outcome == "mixed" else f"a {outcome}"


def _natural(how: Resolution) -> str:
    """What the bare dice force."""
    forced = [
        f"a natural {dice} is {_a(outcome)}" for dice, outcome in how.natural.items() if outcome
    ]
    return f" {_capital(listed(forced))}." if forced else ""


def _pool(how: Resolution) -> str:
    needed = sorted(how.pool_outcome_thresholds.items(), key=lambda pair: pair[1])
    said = [f"{count} for {_a(outcome)}" for outcome, count in needed if count]
    ones = " Ones cancel successes." if how.ones_cancel_successes else ""
    return f"You need {listed(said)}.{ones}" if said else ones.strip()


def _difficulties(rules: Rules) -> str:
    how, tiers = rules.system.resolution, rules.system.tiers
    numbers = [
        f"{how.difficulties[tier]} for a {tiers[tier].name} deed"
        for tier in _TIERS
        if tier in how.difficulties and tier in tiers
    ]
    return listed(numbers) or str(how.difficulty_default)


def _difficulty(rules: Rules, state: GameState) -> str:
    how = rules.system.resolution
    if how.method == "sum_bands":
        return (
            f"There is no number that changes with the deed: {_bands(how)}. "
            "What changes is what a failure costs."
        )
    return f"The number depends on the danger: {_difficulties(rules)}."


def _mixed(rules: Rules, state: GameState) -> str:
    prices = _prices(rules, mixed=True)
    if not any(band.outcome == "mixed" for band in rules.system.resolution.bands):
        return "There is no mixed result here: a roll succeeds or fails."
    paid = f" {_capital(prices)}." if prices else ""
    return f"A mixed result gives you what you tried for, or most of it, at a price.{paid}"


def _failure(rules: Rules, state: GameState) -> str:
    moves = [t.name for t in rules.system.tiers.values() if t.move]
    move = (
        f" Failing a {' or '.join(moves)} one also lets the game master make a move."
        if moves
        else ""
    )
    return f"{_capital(_prices(rules, mixed=False))}.{move}"


def _prices(rules: Rules, *, mixed: bool) -> str:
    """What each tier of danger costs."""
    said = []
    for tier in rules.system.tiers.values():
        cost = _costs(tier.mixed if mixed else tier.failure)
        if cost:
            verb = "a mixed result with" if mixed else "failing"
            said.append(f"{verb} a {tier.name} deed costs {cost}")
    return listed(said)


def _critical(rules: Rules, state: GameState) -> str:
    how = rules.system.resolution
    over = next((b.at_least for b in how.bands if b.outcome == "critical"), None)
    beaten = f" Beating the number by {over} is one, too." if over is not None else ""
    return f"{_natural(how).strip()}{beaten}".strip() or "There are no criticals here."


def _harm(rules: Rules, state: GameState) -> str:
    clock = state.clocks.get(rules.scenario.cost_clocks.get("harm", ""))
    if clock is None:
        return "Nothing in this story counts wounds."
    filled = f"Wounds fill '{clock.name}', {clock.max} steps; it stands at {clock.value}."
    levels = rules.system.health.levels
    if levels:
        named = [f"{row.name} {row.penalty or 0}" for row in levels]
        worse = f"Each step has its name and what it takes from a roll: {listed(named)}."
    else:
        worse = "When it is more than half full, every roll is at -1."
    heal = rules.system.action_types.get("heal")
    mend = " Tending wounds takes one or two off." if heal else ""
    return f"{filled} {worse}{mend}"


def _death(rules: Rules, state: GameState) -> str:
    risk = rules.begun.calibration.risk
    lasting = "loss is for good" if risk.permanence else "loss is not for good"
    return (
        f"This table agreed on {risk.lethality} lethality, and {lasting}. "
        "If a turn goes against you, you may still take it back."
    )


def _streak(rules: Rules, state: GameState) -> str:
    streak = rules.system.streak
    cost = _costs(streak.costs) or "a price"
    return f"{streak.threshold} failures in a row cost {cost}; anything better breaks the row."


def _stats(rules: Rules, state: GameState) -> str:
    low, high = rules.system.stat_range
    own = state.entities[PLAYER].attrs.get("stats", {}) if PLAYER in state.entities else {}
    yours = listed([f"{name} {value:+d}" for name, value in own.items()])
    sheet = f" Yours: {yours}." if yours else ""
    named = listed(rules.system.stats)
    return f"The stats are {named}, from {low:+d} to {high:+d}.{sheet}"


def _bonus(rules: Rules, state: GameState) -> str:
    return (
        "Three things shift a roll: how far someone trusts you, in talk; striking or stealing "
        "from hiding, for the better; and wounds, for the worse. Nothing else gives or takes."
    )


def _clocks(rules: Rules, state: GameState) -> str:
    stands = [f"{c.name} {c.value} of {c.max}" for c in state.clocks.values()]
    now = f" Now: {listed(stands)}." if stands else ""
    return (
        f"Clocks fill with what deeds cost and failures bring; full ones make things happen.{now}"
    )


def _time(rules: Rules, state: GameState) -> str:
    kinds = rules.system.action_types
    listed_kinds = [
        f"to {name} {_minutes(kinds[name].minutes)}"
        for name in ("look", "talk", "search", "move")
        if name in kinds
    ]
    each = f" About so long: {listed(listed_kinds)}." if listed_kinds else ""
    return f"Deeds take time in the story; questions to me and remarks like this take none.{each}"


def _gear(rules: Rules, state: GameState) -> str:
    return (
        "What you use you must carry, or have at hand where you are. Nothing is weighed or counted "
        "against you."
    )


def _moves(rules: Rules, state: GameState) -> str:
    return (
        "I make a move against you after a failure that was risky or worse, and when four turns "
        "went by quietly. Threats that were announced come when their turns are up."
    )


_TOPICS: dict[str, Callable[[Rules, GameState], str]] = {
    "resolution": _dice,
    "difficulty": _difficulty,
    "mixed results": _mixed,
    "failure": _failure,
    "criticals": _critical,
    "harm": _harm,
    "lethality": _death,
    "streaks": _streak,
    "stats": _stats,
    "modifiers": _bonus,
    "clocks": _clocks,
    "time": _time,
    "gear": _gear,
    "moves": _moves,
}


def _costs(costs: Costs) -> str:
    return listed([f"{name} {n}" for name, n in costs.model_dump().items() if n])


def _minutes(minutes: int) -> str:
    if minutes == 1:
        return "a minute"
    return f"{minutes} minutes" if minutes < 60 else f"{minutes // 60} h"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

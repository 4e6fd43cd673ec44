"""Rests: what they heal, give back and end."""

from freeform.engine.authored.opposition import RestKind
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.fight.health import (
    POINTS,
    counts_points,
    ease,
    hit_dice,
    mend,
    most,
    points,
)
from freeform.engine.rules.fight.resources import TAG, amount, capacity, change, give_back
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.numbers import conditions_in, stat_of
from freeform.engine.rulings.lasting import cease
from freeform.engine.table import Rules
from freeform.engine.world.rolled import Roll, RollPart
from freeform.engine.world.state import PLAYER

HIT_DICE = "hit_dice"


def rest(attempt: Attempt) -> str:
    """Rests, as the action's kind says."""
    page, rules = attempt.page, attempt.rules
    kind = rules.system.rests.get(attempt.kind.rest)
    if kind is None:
        page.happen("waited", minutes=attempt.action.minutes)
        return ""
    mark, day = f"rested:{attempt.kind.rest}", int(page.state.scene.time.get("day", 1))
    if kind.per_day and page.state.value(PLAYER, mark) == day:
        page.happen("no_rest", reason="day")
        return ""
    page.note(PLAYER, mark, day)
    before = points(PLAYER, page.state, rules) if counts_points(rules, PLAYER) else 0
    _heal(kind, attempt)
    for number, (id, how_much) in enumerate(kind.restores.items()):
        give_back(id, how_much, page, rules, attempt.chance.at("restore", number))
    for name, condition in conditions_in(PLAYER, page.state, rules.system):
        if condition.ends_with == attempt.kind.rest:
            cease(PLAYER, name, page)
    after = points(PLAYER, page.state, rules) if counts_points(rules, PLAYER) else 0
    page.happen("rested", name=kind.name, minutes=kind.minutes, healed=after - before)
    return ""


def _heal(kind: RestKind, attempt: Attempt) -> None:
    page, rules = attempt.page, attempt.rules
    if kind.harm_steps:
        ease(kind.harm_steps, page, rules)
    if not counts_points(rules, PLAYER):
        return
    whole = most(PLAYER, page.state, rules)
    if kind.heals == "all":
        mend(PLAYER, whole, page, rules)
    elif kind.heals == "half":
        mend(PLAYER, whole // 2, page, rules)
    elif kind.heals == "hit_dice":
        _spend_hit_dice(attempt)


def _spend_hit_dice(attempt: Attempt) -> None:
    """Hit dice are thrown one by one until one is well, or has none left."""
    page, rules = attempt.page, attempt.rules
    sides, _ = hit_dice(PLAYER, page.state, rules)
    label, value = stat_of(rules.system, rules.system.health.stat, page.state)
    number = 0
    while (
        sides
        and amount(HIT_DICE, page.state, rules) > 0
        and points(PLAYER, page.state, rules) < most(PLAYER, page.state, rules)
    ):
        die = attempt.chance.at("hit die", number).die(sides)
        total = max(1, die + value)
        change(HIT_DICE, -1, page, rules)
        more = f" {'+' if value > 0 else '-'} {abs(value)}" if value else ""
        parts = [RollPart(label=label, value=value, source="sheet")] if value else []
        page.rolls.append(
            Roll(
                action="rest",
                method="healing",
                dice=[die],
                sides=sides,
                modifier=value,
                stat=label,
                total=total,
                outcome="success",
                text=f"1d{sides} ({die}){more} = {total} healed",
                kind="healing",
                parts=parts,
            )
        )
        mend(PLAYER, total, page, rules)
        number += 1


def set_out(page: Ledger, rules: Rules) -> None:
    """What the player's character begins with, written down: points, and all that is counted."""
    state = page.state
    if counts_points(rules, PLAYER) and state.value(PLAYER, POINTS) is None:
        whole = most(PLAYER, state, rules)
        name = rules.system.health.name
        page.settle(PLAYER, POINTS, whole, text=f"You have {whole} of {whole} {name}.")
    for id, resource in rules.system.resources.items():
        whole = capacity(id, state, rules)
        if state.value(PLAYER, id) is None and (whole or resource.start is not None):
            now = amount(id, state, rules)
            of = f" of {whole}" if whole else ""
            text = f"You have {now}{of} {resource.name}."
            page.settle(PLAYER, id, now, text=text, tags=(TAG,))

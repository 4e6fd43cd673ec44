"""Plays a ruling that stands: dice in the open, then what the outcome brings."""

from freeform.engine.authored.ruling import DeedRuling, RuledOutcome
from freeform.engine.rules.aftermath import OWN_PRICE
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.effects import perform
from freeform.engine.rules.rolls import at_least
from freeform.engine.world.model import RuledDeed

_WENT_WELL, _WENT_BADLY = ("success", "critical", "mixed"), ("failure", "botch")


def play_ruling(ruling: DeedRuling, attempt: Attempt) -> tuple[str, int, RuledDeed]:
    """The outcome, how dangerous it was, and the ruling as the turn's result shows it.

    Where a ruling says itself what failure brings, that is the price: no other is taken.
    """
    outcome = ""
    if ruling.needs_roll:
        outcome = attempt.throw(ruling.stat, ruling.difficulty, ruling.advantage)
    came = outcome or "success"
    brought, priced = _brought(ruling, came)
    page = attempt.page
    page.happen(
        "ruled",
        ("ruling",),
        reading=ruling.reading,
        details=attempt.action.details,
        target=attempt.action.target_id,
        name=attempt.name,
        stakes=ruling.stakes,
        outcome=came,
        rolled=bool(outcome),
        text=brought.line.strip(),
    )
    perform(brought.effects, page, attempt.rules, f"ruling: {ruling.reading}")
    shown = RuledDeed(
        reading=ruling.reading,
        stat=ruling.stat if outcome else "",
        difficulty=ruling.difficulty if outcome else 0,
        outcome=came,
        effects=[effect.model_dump(mode="json") for effect in brought.effects],
        why=ruling.why or ruling.stakes,
    )
    return outcome, OWN_PRICE if priced else ruling.difficulty, shown


def _brought(ruling: DeedRuling, outcome: str) -> tuple[RuledOutcome, bool]:
    """What the nearest outcome brings, and whether a bad one has its own price in the ruling."""
    if outcome in ruling.on:
        brought = ruling.on[outcome]
    else:
        near = _WENT_WELL if at_least(outcome, "mixed") else _WENT_BADLY
        brought = next((ruling.on[name] for name in near if name in ruling.on), RuledOutcome())
    good = at_least(outcome, "success")
    return brought, good or bool(brought.effects)

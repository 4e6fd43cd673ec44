"""What the table hears of a turn of the engine."""

from freeform.engine.world.model import TurnResult
from freeform.players.model import Ruling

BAD = ("failure", "miss", "fail", "critical_failure", "botch", "fumble")
GOOD = ("success", "strong", "critical_success", "critical", "full", "hit")


def ruling_of(result: TurnResult) -> Ruling:
    """What the table hears of a turn of the engine."""
    outcomes = [roll.outcome for roll in result.rolls]
    blocked = result.validator.blocked_actions
    learnt = any(e.type == "fact_learned" for e in result.engine_events)
    bad = any(o in BAD for o in outcomes) or (
        bool(blocked) and not result.validator.allowed_actions
    )
    good = any(o in GOOD for o in outcomes) or learnt
    return Ruling(
        text=result.final_text or result.clarification_question,
        turn_no=result.turn_no,
        rolls=[roll.text for roll in result.rolls],
        stats=[roll.stat for roll in result.rolls if roll.stat],
        outcome="bad" if bad else "good" if good else "",
        blocked=blocked[0].reason if blocked else "",
        events=[{"type": e.type, **e.details} for e in result.engine_events if e.is_seen],
        suggested=result.suggested_actions,
    )


def round_day(day: float) -> float:
    """A day of the world, to the ten-thousandth: about nine seconds."""
    return round(day, 4)

"""What came of a turn besides words: time, way, dice, loss, clocks, violence, refusals."""

from collections import Counter
from typing import Any

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import PLAYER, GameState
from freeform.evals.suites.hearing.gold import GoldCase

MINUTES_A_DAY = 1440
NOTICEABLE = 5
"""Minutes that a neutral turn takes anyway are no excuse; more of them are."""
_VIOLENT = ("wounded", "killed", "attacked")


class TurnEffects(Record):
    """The effects that a case may forbid."""

    minutes: int = 0
    moved_to: str = ""
    dice: int = 0
    lost: list[str] = Field(default_factory=list)
    clocks: dict[str, int] = Field(default_factory=dict)
    """The clocks that moved on, and by how much."""
    violence: int = 0
    refusals: list[str] = Field(default_factory=list)

    def seen(self) -> dict[str, Any]:
        """Those that there were."""
        return {name: value for name, value in self.model_dump().items() if value}


def effects_of(result: TurnResult, before: GameState) -> TurnEffects:
    """What a turn changed in the state it was played in."""
    scene = result.state_diff.scene_update
    there = (scene and scene.location_id) or ""
    return TurnEffects(
        minutes=_minutes(result, before),
        moved_to=there if there != before.scene.location_id else "",
        dice=len(result.rolls),
        lost=_lost(result),
        clocks=_clocks(result),
        violence=_violence(result),
        refusals=[blocked.reason for blocked in result.validator.blocked_actions],
    )


def question_of(result: TurnResult) -> str:
    """What the game master asked back instead of acting, or ''."""
    if result.engine_events or result.rolls:
        return ""
    return result.clarification_question or result.validator.clarification_question


def unmeant(case: GoldCase, came: TurnEffects, neutral: TurnEffects) -> list[str]:
    """The forbidden effects, refusals apart, that this input had and a neutral one had not."""
    patience = case.time_limit
    if neutral.minutes > NOTICEABLE:
        patience = max(patience, neutral.minutes)
    elsewhere = came.moved_to not in ("", neutral.moved_to, *case.move_ok)
    found = {
        f"time ({came.minutes} min)": "time" in case.forbid and came.minutes > patience,
        f"move ({short(came.moved_to)})": "move" in case.forbid and elsewhere,
        "dice": "dice" in case.forbid and came.dice > neutral.dice,
        f"loss ({', '.join(map(short, came.lost))})": "loss" in case.forbid
        and bool(set(came.lost) - set(neutral.lost)),
        "violence": "violence" in case.forbid and came.violence > neutral.violence,
        f"clock ({', '.join(came.clocks)})": "clock" in case.forbid
        and bool(clocks_further(came, neutral)),
    }
    return [name for name, so in found.items() if so]


def clocks_further(came: TurnEffects, neutral: TurnEffects) -> list[str]:
    """The clocks that moved further than in a neutral turn."""
    return [id for id, steps in came.clocks.items() if steps > neutral.clocks.get(id, 0)]


def short(id: str) -> str:
    """An id without the pack it comes from."""
    return id.rpartition(":")[2]


def _minutes(result: TurnResult, before: GameState) -> int:
    scene = result.state_diff.scene_update
    if scene is None or not scene.time or not before.scene.time:
        return 0
    return max(0, _minute_of(scene.time) - _minute_of(before.scene.time))


def _minute_of(time: dict[str, Any]) -> int:
    return int(time.get("day", 0)) * MINUTES_A_DAY + int(time.get("minute", 0))


def _lost(result: TurnResult) -> list[str]:
    """What the player has less of."""
    balance = Counter[str]()
    for change in result.state_diff.inventory_changes:
        if change.owner_id == PLAYER:
            balance[change.item_id] += change.delta
    return sorted(item for item, change in balance.items() if change < 0)


def _clocks(result: TurnResult) -> dict[str, int]:
    moved = Counter[str]()
    for clock in result.state_diff.clocks:
        moved[clock.id] += clock.delta
    return {id: steps for id, steps in moved.items() if steps > 0}


def _violence(result: TurnResult) -> int:
    """Blows that fell, and an attack that was let through, whatever came of it."""
    blows = [
        event
        for event in result.engine_events
        if "violence" in event.tags or event.type in _VIOLENT
    ]
    attacks = any(action.action == "attack" for action in result.validator.allowed_actions)
    return len(blows) + int(attacks and not question_of(result))

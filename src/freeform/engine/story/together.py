"""Several characters act at once: each deed is judged and rolled with its own hero's numbers, on
what the one before has left, and all of it is one turn with one telling.

    parts ─> (judge, roll) each, in order ─> ONE Resolved ─> ONE narration that weaves them
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from freeform.engine.campaign.spotlight import into_light
from freeform.engine.log import LogPosition, PlayedPart, Resolved
from freeform.engine.ports import TurnText
from freeform.engine.rules.aftermath import is_over
from freeform.engine.rules.change import apply, join
from freeform.engine.story.seen import leaves_behind, written
from freeform.engine.table import Table
from freeform.engine.typed import Say, TurnPart, by_number, hear
from freeform.engine.world.model import (
    BlockedAction,
    EngineEvent,
    SceneUpdate,
    StateDiff,
    ValidatorOutput,
)
from freeform.engine.world.state import GameState

TAKES_PART = "takes_part"
"""The event that says whose deed comes next."""
SettleOne = Callable[[Say, list[TurnText], Table, GameState], Awaitable[Resolved]]
"""Judges and rolls one deed on a state, and writes nothing."""


async def settle_together(
    say: Say, recent: list[TurnText], table: Table, settle: SettleOne
) -> tuple[Resolved, LogPosition]:
    """Settles what all do, in their order, and commits it as one turn; and where the log ends.
    What would end the story, or leads all away, comes last, so that the others act before it. Who
    leaves the others behind has a turn alone: the rest of it stays to be told."""
    store = table.store
    head, before = await store.head(say.campaign), await store.get_state(say.campaign)
    state, came = before, list[Resolved]()
    waiting, put_off = list(enumerate(say.parts)), set[int]()
    done: list[TurnPart] = []
    latest = before.scene.time
    while waiting:
        number, part = waiting.pop(0)
        light = join(into_light(part.actor, state) or StateDiff(), _clock(state, before.scene.time))
        lit = apply(state, light)
        text = await by_number(hear(part.text), say.campaign, table)
        own = {"text": text, "actor": part.actor, "part": number, "parts": [], "alone": False}
        own["goes_on"] = part.goes_on
        one = await settle(say.model_copy(update=own), recent, table, lit.at_turn(head.turn_no + 1))
        after = apply(lit, one.state_diff)
        if (
            say.take == 1
            and say.parts[1:]
            and leaves_behind(part.actor, part.text, lit, after, table)
        ):
            rest = [each for each in say.parts if each is not part]
            alone = [part] if number == 0 else rest  # the turn has the id of the first
            told = say.model_copy(update={"parts": alone})
            return await settle_together(told, recent, table, settle)
        leads = after.scene.location_id != lit.scene.location_id
        is_last = leads or (is_over(after) and not is_over(lit))
        if waiting and number not in put_off and is_last:
            put_off.add(number)
            waiting.append((number, part))
            continue
        state, latest = after, max(latest, after.scene.time, key=_moment)
        done.append(part)
        came.append(one.model_copy(update={"state_diff": join(light, one.state_diff)}))
    ends = join(came[-1].state_diff, _clock(state, latest))
    came[-1] = came[-1].model_copy(update={"state_diff": ends})
    parts = [
        PlayedPart(turn_id=part.turn_id, actor=part.actor.name, text=one.player_input)
        for part, one in zip(done, came, strict=True)
    ]
    return await written(say.campaign, _as_one(came, parts), head, table)


def _clock(state: GameState, time: dict[str, Any]) -> StateDiff:
    """The clock set to that time: what all do at once takes as long as the longest of it."""
    same = state.scene.time == time
    return StateDiff() if same else StateDiff(scene_update=SceneUpdate(time=time))


def _moment(time: dict[str, Any]) -> tuple[int, int]:
    return int(time.get("day", 1)), int(time.get("minute", 0))


def told_together(resolved: Resolved) -> dict[str, Any]:
    """How whoever tells such a turn is asked to tell it; nothing for a turn of one."""
    if not resolved.parts:
        return {}
    wish = (
        f"{listed([part.actor for part in resolved.parts])} act at the same moment. Tell one "
        "scene that weaves what each of them does and what comes of it, each by name and in the "
        "third person; leave nobody out, and do not go through them one by one"
    )
    return {"several at once": wish}


def _as_one(came: Sequence[Resolved], parts: list[PlayedPart]) -> Resolved:
    """What all did as one turn. Whoever was asked back is refused what they meant, with the
    question as the reason: the others do not wait for it."""
    first, judged = came[0], [_without_question(one.validator) for one in came]
    rolls = [roll for one in came for roll in one.rolls]
    events: list[EngineEvent] = []
    for one, part, verdict in zip(came, parts, judged, strict=True):
        refused = [blocked.reason for blocked in verdict.blocked_actions]
        details = {"name": part.actor, "deed": part.text, "refused": refused}
        events += [EngineEvent(type=TAKES_PART, details=details), *one.engine_events]
    interpreted = first.interpreter.model_copy(
        update={
            "proposed_actions": [a for one in came for a in one.interpreter.proposed_actions],
            "referenced_entities": list(
                dict.fromkeys(id for one in came for id in one.interpreter.referenced_entities)
            ),
        }
    )
    return first.model_copy(
        update={
            "player_input": "\n".join(f"{part.actor}: {part.text}" for part in parts),
            "actor": listed([part.actor for part in parts]),
            "interpreter": interpreted,
            "validator": ValidatorOutput(
                allowed_actions=[a for one in judged for a in one.allowed_actions],
                blocked_actions=[a for one in judged for a in one.blocked_actions],
            ),
            "rolls": rolls,
            "rulings": [ruling for one in came for ruling in one.rulings],
            "engine_events": events,
            "state_diff": join(*(one.state_diff for one in came)),
            "usage": sum((one.usage for one in came[1:]), first.usage),
            "degraded": list(dict.fromkeys(why for one in came for why in one.degraded)),
            "parts": parts,
        }
    )


def _without_question(judged: ValidatorOutput) -> ValidatorOutput:
    if not judged.clarification_needed:
        return judged
    asked = BlockedAction(action="unclear", reason=judged.clarification_question)
    return ValidatorOutput(blocked_actions=[*judged.blocked_actions, asked])


def listed(names: Sequence[str]) -> str:
    """Names in a row: `Ada, Ben and Cleo`."""
    return " and ".join([*([", ".join(names[:-1])] if names[1:] else []), names[-1]])

"""A turn as one result: what was understood, what came of it, what was told."""

from freeform.engine.log import Narrated, Resolved
from freeform.engine.rules.change import join
from freeform.engine.world.acts import family_of
from freeform.engine.world.model import HeardTurn, TurnResult, UnderstoodAct


def result_of(campaign: str, branch: str, resolved: Resolved, narrated: Narrated) -> TurnResult:
    """Both halves of a turn as one result."""
    return TurnResult(
        campaign=campaign,
        branch=branch,
        turn_no=resolved.turn_no,
        turn_id=resolved.turn_id,
        take=resolved.take,
        player_input=resolved.player_input,
        actor=resolved.actor,
        heard=_understood(resolved),
        interpreter=resolved.interpreter,
        validator=resolved.validator,
        planner=resolved.planner,
        rolls=resolved.rolls,
        rulings=resolved.rulings,
        engine_events=resolved.engine_events,
        state_diff=join(resolved.state_diff, narrated.state_diff),
        final_text=narrated.final_text,
        next_prompt=narrated.narrator.next_prompt,
        suggested_actions=narrated.narrator.suggested_actions,
        clarification_question=resolved.validator.clarification_question,
        rejected=narrated.rejected,
        prompt_versions={**resolved.prompt_versions, **narrated.prompt_versions},
        model={**resolved.model, **narrated.model},
        usage=resolved.usage + narrated.usage,
        timings_ms={**resolved.timings_ms, **narrated.timings_ms},
        degraded=[*resolved.degraded, *narrated.degraded],
    )


def _understood(resolved: Resolved) -> HeardTurn:
    """What was understood of a turn, as other programs read it."""
    acts = [
        UnderstoodAct(
            family=family_of(action.action, action.family),
            action=action.action,
            target_id=action.target_id,
            confidence=action.confidence,
        )
        for action in resolved.interpreter.proposed_actions
    ]
    return HeardTurn(
        acts=acts,
        ooc=any(act.family == "ooc" for act in acts),
        asked=resolved.validator.clarification_needed,
        readings=[reading.text for reading in resolved.validator.readings],
    )

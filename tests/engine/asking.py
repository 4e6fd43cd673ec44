"""Asking at the table in tests: a question or a remark through validate and resolve, at any moment."""

from functools import cache

from freeform.core.chance import Chance
from freeform.engine.authored.library import load_scenario, load_system
from freeform.engine.campaign.begin import Answers, choose_hero, first_state
from freeform.engine.knowledge.background import NO_BACKGROUND, Background
from freeform.engine.log import Begun
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import TurnResolution, resolve
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    EngineEvent,
    InterpreterOutput,
    PlannerOutput,
    ProposedAction,
)
from freeform.engine.world.state import GameState


@cache
def opening(name: str) -> tuple[GameState, Rules]:
    """A bundled scenario at its first turn."""
    authored = load_scenario(name)
    system = load_system(authored.system)
    diff = first_state(authored, choose_hero(authored, Answers(), system))
    begun = Begun(
        scenario=authored,
        name=authored.name,
        seed=1,
        system=system,
        calibration=authored.calibration,
        opening=authored.opening,
        state_diff=diff,
    )
    return apply(GameState(campaign_id="c", turn_no=1), diff), Rules.of(begun)


def said(
    moment: tuple[GameState, Rules],
    words: str,
    action: str = "gm_question",
    background: Background = NO_BACKGROUND,
    target: str = "",
) -> TurnResolution:
    """What comes of asking."""
    state, rules = moment
    wished = ProposedAction(action=action, details=words, target_id=target)
    judged = validate(InterpreterOutput(proposed_actions=[wished]), state, rules, words)
    assert judged.allowed_actions, judged
    return resolve(state, judged, PlannerOutput(), rules, Chance(1, words), background)


def event(
    moment: tuple[GameState, Rules],
    words: str,
    action: str = "gm_question",
    background: Background = NO_BACKGROUND,
    target: str = "",
) -> EngineEvent:
    """The one thing that happens when something is asked."""
    (happened,) = said(moment, words, action, background, target).engine_events
    return happened


def answer(
    moment: tuple[GameState, Rules],
    words: str,
    action: str = "gm_question",
    background: Background = NO_BACKGROUND,
) -> str:
    """What the game master says to it."""
    return str(event(moment, words, action, background).details["text"])

"""What a narrator is asked when a turn is told, and what the answer is held against."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from freeform.core.llm.gateway import Call
from freeform.engine.campaign.sessions import active
from freeform.engine.canon.happened import Happened
from freeform.engine.cast import cast_of_scene
from freeform.engine.context import Moment
from freeform.engine.log import Resolved
from freeform.engine.passes import NarratorInput
from freeform.engine.ports import TurnText
from freeform.engine.prose import ProseGuard, plan_for_narrator
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.offers import openings
from freeform.engine.shelf.scene_lore import SceneLookup
from freeform.engine.story.question import as_teller
from freeform.engine.story.together import told_together
from freeform.engine.table import Rules, Table
from freeform.engine.typed import Say
from freeform.engine.world.by_hand import direction_of, with_style
from freeform.engine.world.state import GameState


@dataclass(frozen=True)
class TellingAsked:
    """One telling, ready to be asked for."""

    wanted: NarratorInput
    guard: ProseGuard
    call: Call
    lore: dict[str, Any]
    """What the books say of the scene, as a player may hear it."""


async def telling_asked(
    campaign: str, resolved: Resolved, before: Sequence[TurnText], table: Table
) -> TellingAsked:
    """What a narrator is told of a turn whose facts stand; `before` are the turns before it."""
    recent = [*before]
    store = table.store
    state = await store.get_state(campaign)
    rules = table.rules(await store.begun(campaign), state)
    limits = rules.limits(state)
    looked = await look_up(campaign, state, rules, table)
    moment = Moment(state, resolved.player_input, rules, recent, table.packet_tokens)
    lore = looked.notes.for_player()
    wanted = NarratorInput(
        context_packet=moment.packet("player", lore),
        player_input=resolved.player_input,
        engine_events=[event for event in resolved.engine_events if event.is_seen],
        rolls=resolved.rolls,
        planner_output=plan_for_narrator(resolved.planner, state, limits),
        blocked_actions=resolved.validator.blocked_actions,
        clarification_question=resolved.validator.clarification_question,
        told_before=[turn.final_text for turn in recent],
        prose=rules.scenario.prose,
        openings=openings(state, rules, recent),
        exclude=limits.exclusions(),
        cast=cast_of_scene(state, rules, looked.notes.npc_briefings, recent, limits),
        direction=with_style(direction_of(state), told_together(resolved)),
    )
    if table.passes == "two":
        wanted = await as_teller(wanted, resolved, campaign, state, table)
    say = Say(
        campaign=campaign, text=resolved.player_input, turn_id=resolved.turn_id, take=resolved.take
    )
    guard = ProseGuard(state, rules, limits, Happened.of(resolved))
    return TellingAsked(wanted, guard, call_of(say, state, rules), lore)


async def look_up(campaign: str, state: GameState, rules: Rules, table: Table) -> SceneLookup:
    """What the books say of the scene."""
    if table.lore is None:
        return SceneLookup()
    night = active(state)
    return await table.lore.of_scene(campaign, state, rules.begun.packs, night.id if night else "")


def call_of(say: Say, state: GameState, rules: Rules) -> Call:
    """Under which name and chance the models of a turn are asked."""
    pins = state.value(CAMPAIGN, "pins") or {}
    seed = f"{rules.begun.seed}/{state.turn_no}/{say.take}"
    return Call(
        campaign=say.campaign, turn_id=say.turn_id, turn_no=state.turn_no, seed=seed, pins=pins
    )

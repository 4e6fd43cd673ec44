"""A turn's questions in the two-call form: the story and what is so now, laid beside what the three
passes are told."""

from collections.abc import Mapping
from typing import Any

from freeform.engine.passes import InterpreterInput, NarratorInput
from freeform.engine.rules.known import is_known
from freeform.engine.story.now import now_secret, now_seen
from freeform.engine.story.told import StoryReader, scale_of, story_so_far
from freeform.engine.table import Rules, Table
from freeform.engine.two_calls import RefereeInput, TellerInput
from freeform.engine.world.by_hand import direction_of
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import PLAYER, GameState

_NAMED = ("npc", "location", "item", "object", "faction")
_MOST_NAMED = 4


async def as_referee(
    asked: InterpreterInput, campaign: str, state: GameState, lore: Mapping[str, Any], table: Table
) -> RefereeInput:
    """What a referee is asked who hears, rules and plans at once."""
    rules = table.rules(await table.store.begun(campaign))
    return RefereeInput.model_construct(
        **asked.__dict__,
        story=await _story(campaign, state, rules, table),
        now=_now(asked.player_input, state, rules),
        secret=now_secret(state, rules, lore),
        lore=dict(lore),
        direction=direction_of(state),
    )


async def as_teller(
    wanted: NarratorInput, campaign: str, state: GameState, table: Table
) -> TellerInput:
    """What a teller is asked who has read the story."""
    rules = table.rules(await table.store.begun(campaign))
    return TellerInput.model_construct(
        **wanted.__dict__,
        story=await _story(campaign, state, rules, table),
        now=_now(wanted.player_input, state, rules),
    )


def _now(text: str, state: GameState, rules: Rules) -> str:
    here = {PLAYER, state.scene.location_id, *state.scene.present_entity_ids}
    named = [id for id in mentioned(text, state, _NAMED) if is_known(id, state, rules)]
    return now_seen(state, rules, [id for id in named if id not in here][:_MOST_NAMED])


async def _story(campaign: str, state: GameState, rules: Rules, table: Table) -> str:
    people = [
        id
        for id, entity in state.entities.items()
        if entity.type == "npc" and (state.value(id, "met") or id in state.scene.present_entity_ids)
    ]
    briefings = {}
    if table.lore is not None:
        briefings = await table.lore.briefings(people, rules.begun.packs)
    # What must not be told is what was secret when the campaign began: a card never changes.
    limits = rules.limits(await table.store.get_state(campaign, 0))
    reader = StoryReader(rules, briefings, limits, scale_of(table.packet_tokens))
    return await story_so_far(campaign, state.turn_no, reader, table)

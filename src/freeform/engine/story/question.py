"""A turn's questions in the two-call form: the story and what is so now, laid beside what the three
passes are told."""

from collections.abc import Mapping, Sequence
from typing import Any

from freeform.engine.log import Resolved
from freeform.engine.passes import InterpreterInput, NarratorInput
from freeform.engine.rules.known import is_known
from freeform.engine.shelf.recall import RecalledPiece
from freeform.engine.story.cards import in_view
from freeform.engine.story.now import now_secret, now_seen, open_deeds
from freeform.engine.story.transcript import (
    StoryReader,
    first_told,
    scale_of,
    story_so_far,
    superseded,
)
from freeform.engine.table import Rules, Table
from freeform.engine.two_calls import RefereeInput, TellerInput
from freeform.engine.world.by_hand import direction_of
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.sentences import sentences

_NAMED = ("npc", "location", "item", "object", "faction")
_MOST_NAMED = 4


async def as_referee(
    asked: InterpreterInput, campaign: str, state: GameState, lore: Mapping[str, Any], table: Table
) -> RefereeInput:
    """What a referee is asked who hears, rules and plans at once."""
    rules = table.rules(await table.store.begun(campaign), state)
    reader = await _reader(campaign, state, rules, table)
    pieces: list[RecalledPiece] = []
    if table.recall is not None:
        first = first_told(state.turn_no, scale_of(table.packet_tokens))
        pieces = await table.recall.recall(campaign, asked.player_input, state, first)
    return RefereeInput.model_construct(
        **asked.__dict__,
        story=await story_so_far(campaign, state.turn_no, reader, table),
        now=_now(asked.player_input, state, rules)
        + await _no_longer(campaign, state, reader, table)
        + looked_up(_open(pieces, state, rules)),
        secret=now_secret(state, rules, lore)
        + looked_up([piece for piece in pieces if piece not in _open(pieces, state, rules)]),
        recalled=pieces,
        deeds=open_deeds(asked.offers, state, rules),
        lore=dict(lore),
        direction=direction_of(state),
    )


def _open(pieces: Sequence[RecalledPiece], state: GameState, rules: Rules) -> list[RecalledPiece]:
    """What a player may hear of what was looked up."""
    limits = rules.limits(state)
    told = (piece for piece in pieces if not piece.gm_only)
    return [piece for piece in told if all(map(limits.names_none, sentences(piece.text)))]


def looked_up(pieces: Sequence[RecalledPiece]) -> str:
    """Passages as they are told, a line each with its source."""
    return "".join(f"\nFrom {piece.source}: {piece.text}" for piece in pieces)


async def as_teller(
    wanted: NarratorInput, resolved: Resolved, campaign: str, state: GameState, table: Table
) -> TellerInput:
    """What a teller is asked who has read the story."""
    pieces = [RecalledPiece.model_validate(row) for row in resolved.lore.get("recalled", [])]
    rules = table.rules(await table.store.begun(campaign), state)
    reader = await _reader(campaign, state, rules, table)
    story = await story_so_far(campaign, state.turn_no, reader, table)
    new = [id for id in in_view(state) if f"- {id} |" not in story]
    cards = "".join(f"\n{reader.card(id, state)}" for id in new)
    now = _now(wanted.player_input, state, rules)
    now += await _no_longer(campaign, state, reader, table)
    return TellerInput.model_construct(
        **wanted.__dict__,
        story=story,
        now=now + cards + looked_up(_open(pieces, state, rules)),
    )


def _now(text: str, state: GameState, rules: Rules) -> str:
    here = {PLAYER, state.scene.location_id, *state.scene.present_entity_ids}
    named = [id for id in mentioned(text, state, _NAMED) if is_known(id, state, rules)]
    return now_seen(state, rules, [id for id in named if id not in here][:_MOST_NAMED])


async def _no_longer(campaign: str, state: GameState, reader: StoryReader, table: Table) -> str:
    """What the story still calls known, and is not so any more."""
    before = await table.store.get_state(campaign, first_told(state.turn_no, reader.scale) - 1)
    old = superseded(before, state, reader)
    return f"\nNo longer so: {' '.join(old)}" if old else ""


async def _reader(campaign: str, state: GameState, rules: Rules, table: Table) -> StoryReader:
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
    return StoryReader(rules, briefings, limits, scale_of(table.packet_tokens))

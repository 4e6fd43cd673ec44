"""Evenings at a table, authored and forged: every entry of the log with its fields, and the world after it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from freeform.core.ids import CountedIds
from freeform.engine.log import Narrated, Resolved
from freeform.engine.world.state import GameState
from freeform.services import campaigns, play
from freeform.services.house import House, opened_house
from freeform.services.scenario.forging import ForgeOrder, begin_forged
from freeform.settings import Settings
from tests.snapshots.keeping import cut, plain, sealed, without

TITHE = (
    "look around",
    "who are you?",
    "ask Snikk why goblins keep a ford, then pay him five gold",
    "give Snikk a hundred gold",
    "I turn into a dragon and eat them all",
    "go to the mill yard",
    "ask Bren about the door",
    "lie to Bren about who sent me",
    "I climb onto the roof of the mill and look for smoke",
    "drink the potion",
    "go to the chapel",
    "ask Marl about the tithe words",
    "take the altar",
    "go to the mill yard",
    "go to the mill house",
    "search the room",
    "go down the stair to the cellar",
    "pick the lock of the tithe door",
    "I break the door down with my shoulder",
    "go through the tithe door",
    "I attack the Tithe-man with my longsword",
    "I shoot the Tithe-man with my crossbow",
    "I surrender",
    "say the tithe-words to the Tithe-man",
)
"""Fifth edition, its fights and its prices."""
TWIN = (
    "look around",
    "Ask Aldous about Osric",
    "I bow to Tamsin and ask her to dance",
    "threaten Aldous",
    "Go to the edge of the sea",
    "Ask Garrick about Osric",
    "I pick up a stone and throw it into the sea",
    "steal Garrick's purse",
    "Go to the lighthouse",
    "ask Una what she is hiding",
    "Look at the mourning clothes",
    "Go to the lamp store",
    "look under the strongbox",
    "Ask Osric about the years away",
    "promise Osric that I will keep his secret",
    "I go to the orchard behind the village",
    "ask about the news",
    "go back",
    "Tell Osric the whole truth",
)
"""A premise forged, with what nobody wrote."""
TICKING = (
    "timings_ms",
    "prompt_versions",
    "usage",
    "context_packet",
    "model",
    "turn_id",
    "scope",
    "confidence",
    "packet_tokens",
    "kind",
    "actor",
)
PACKETS = (2,)
"""Turns whose packet is kept whole: what a model would be told."""


async def authored_evening(folder: Path) -> dict[str, Any]:
    """The Tithe Door."""
    async with opened_house(Settings(home=folder, model="offline")) as house:
        _count_ids(house)
        begun = await campaigns.begin_campaign(house, "tithe_door", campaign="c", seed=4)
        turns = await _played(house, TITHE)
        shown = cut(plain(await campaigns.table_view(house, "c")))
        story = await campaigns.read_story(house, "c")
        told = " ".join(sealed(turn.final_text)[:4] for turn in story.turns)
        return {"begun": begun.suggested_actions, **turns, "table": shown, "told": told}


async def forged_evening(folder: Path) -> dict[str, Any]:
    """The keeper's twin, and the words of it."""
    order = ForgeOrder(premise="a lighthouse keeper's twin has come back from the sea", seed=3)
    async with opened_house(Settings(home=folder, model="offline")) as house:
        _count_ids(house)
        begun = await begin_forged(house, order, campaign="c")
        turns = await _played(house, TWIN)
        story = await campaigns.read_story(house, "c")
        told = [turn.final_text for turn in story.turns]
        return {"begun": begun.suggested_actions, **turns, "told": told}


async def played_evening(
    folder: Path, scenario: str, seed: int, inputs: Sequence[str]
) -> dict[str, Any]:
    """A shipped scenario: each turn in a line or two and all of it under a seal, and the world that is left."""
    async with opened_house(Settings(home=folder, model="offline")) as house:
        _count_ids(house)
        begun = await campaigns.begin_campaign(house, scenario, campaign="c", seed=seed)
        world = await _played(house, inputs)
        story = await campaigns.read_story(house, "c")
        shown = [await campaigns.table_view(house, "c"), await campaigns.map_view(house, "c")]
        turns = zip(inputs, world["turns"], (turn.final_text for turn in story.turns), strict=True)
        return {
            "begun": begun.suggested_actions,
            "turns": [
                [text, cut(told), sealed(told)[:4], _happened(turn), sealed(turn)[:4]]
                for text, turn, told in turns
            ],
            "state": world["state"],
            "table": sealed(shown),
        }


def _happened(turn: dict[str, Any]) -> str:
    return " ".join(event["type"] for event in turn.get("engine_events", []))


def _count_ids(house: House) -> None:
    house.table = replace(house.table, ids=CountedIds())


async def _played(house: House, inputs: Sequence[str]) -> dict[str, Any]:
    for text in inputs:
        await play.take_turn(house, await play.say_of(house, "c", text))
    rows = await house.table.store.read("c", 1)
    turns: list[Any] = []
    for row in rows:
        entry = row.entry
        if isinstance(entry, Resolved):
            kept = without(plain(entry), *TICKING)
            kept["packet"] = sealed(entry.context_packet)
            if entry.turn_no in PACKETS:
                kept["packet"] = plain(entry.context_packet)
            turns.append(cut(kept))
        elif not isinstance(entry, Narrated):
            turns.append(cut(without(plain(entry), *TICKING)))
    return {"turns": turns, "state": cut(_world(await campaigns.game_state(house, "c")))}


def _world(state: GameState) -> dict[str, Any]:
    """What is true at the end; who and what there is stands in the story."""
    facts = [
        f"{fact.id} = {fact.object.get('value')!r} ({fact.visibility}, {fact.origin})"
        for fact in state.facts.values()
        if fact.origin != "scenario"
    ]
    return {
        "scene": plain(state.scene),
        "threads": {id: thread.status for id, thread in state.threads.items()},
        "clocks": {id: clock.value for id, clock in state.clocks.items()},
        "holds": [f"{row.owner_id} {row.qty} {row.item_id}" for row in state.inventory.values()],
        "relations": plain(list(state.relationships.values())),
        "facts": facts,
    }

"""A story of thousands of turns without playing them all: a few are played, then their entries go into the log again.

Every entry goes through the store as any other, with its own number and id.
"""

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from freeform import wiring
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.log import Entry, Narrated, Resolved
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import StateDiff
from freeform.settings import Settings

PLAYED = (
    "I look around",
    "Free Obed's foot from the stones",
    "I wait",
    "I look at the people in the water",
)


def write_long_story(home: Path, campaign: str, turns: int) -> None:
    """Writes it into a home that a server may be serving; from a thread of its own, since a browser may own this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _write(home, campaign, turns)).result()


async def _write(home: Path, campaign: str, turns: int) -> None:
    async with wiring.opened(Settings(home=home, model="offline")) as table:
        await begin(load_scenario("drowned_bell", home), campaign, 7, Answers(), table)
        for number, text in enumerate(PLAYED, 1):
            await take_turn(
                Say(campaign=campaign, text=text, turn_id=f"played-{number}"),
                table,
                lambda signal: None,
            )
        await _repeat(campaign, turns, table)


async def _repeat(campaign: str, turns: int, table: Table) -> None:
    entries = [row.entry for row in await table.store.read(campaign)]
    pairs = [
        (a, b)
        for a, b in itertools.pairwise(entries)
        if isinstance(a, Resolved) and isinstance(b, Narrated)
    ]
    assert len(pairs) == len(PLAYED)
    head = await table.store.head(campaign)
    for number in range(head.turn_no + 1, turns + 1):
        facts, told = pairs[number % len(pairs)]
        named = {"turn_no": number, "turn_id": f"again-{number}"}
        again: list[Entry] = [
            facts.model_copy(update={**named, "state_diff": StateDiff()}),
            told.model_copy(update={**named, "state_diff": StateDiff()}),
        ]
        head = await table.store.append(campaign, again, after=head)

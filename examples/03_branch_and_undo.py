"""What if? A turn taken back, another road tried on a branch, and the first one found again unharmed."""

import asyncio

from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign import timeline
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.settings.sources import load
from freeform.wiring import opened

GAME = "example-03"


async def main() -> None:
    """Entries of the log are never touched: undo, redo and branches only move names."""
    async with opened(load({"model": "offline"}).settings) as table:
        await begin(load_scenario("dead_drop"), GAME, 7, Answers(), table)

        async def play(text: str) -> None:
            result = await take_turn(Say(campaign=GAME, text=text), table)
            first = result.final_text.split("\n")[0]
            print(f"  [{result.branch} {result.turn_no}] > {text}\n      {first}")

        print("Main road:")
        await play("I look around")
        await play("I ask Viktor about Jin")
        kept = (await table.store.get_state(GAME)).document()

        await timeline.undo(GAME, 1, table.store)
        print(
            f"\nUndone: {len(kept['facts'])} facts before, now {len((await table.store.get_state(GAME)).facts)}."
        )
        await timeline.redo(GAME, table.store)
        same = (await table.store.get_state(GAME)).document() == kept
        print(f"Redone: the world is {'the same again, byte for byte' if same else 'another'}.\n")

        print("What if, from turn 1:")
        await timeline.branch(GAME, table.store, turn_no=1, name="what-if")
        await play("I search behind the bar")
        await timeline.switch(GAME, "main", table.store)
        same = (await table.store.get_state(GAME)).document() == kept
        print(f"\nBack on main: {'nothing has changed here' if same else 'something leaked'}.")
        for branch in await timeline.branches(GAME, table.store):
            print(f"  {'*' if branch.active else ' '} {branch.name}, turn {branch.turn_no}")


asyncio.run(main())

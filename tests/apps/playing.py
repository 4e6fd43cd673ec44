"""A player who never stops: plays turn after turn in a process of its own, and says what was acknowledged.

Its arguments are HOME CAMPAIGN FIRST LAST. A turn's id is its number here, so the same call again
takes up the turn where the last process left it.
"""

import asyncio
import sys
from pathlib import Path

from freeform import wiring
from freeform.engine.signals import Facts, Signal, TurnDone
from freeform.engine.turn import Say, take_turn
from freeform.settings import Settings

LINES = (
    "look around", "ask Viktor about Jin", "search behind the bar", "talk to Dutch", "go to Kettle Row", "wait",
    "hide in the crowd", "go to the Neon Dragon", "threaten Viktor", "think about Jin",
)  # fmt: skip


async def play(home: Path, campaign: str, first: int, last: int) -> None:
    """Turns `first` to `last`, each acknowledged on standard output as it is written down."""
    async with wiring.opened(Settings(home=home, model="offline")) as table:
        for number in range(first, last + 1):

            def show(signal: Signal, number: int = number) -> None:
                if isinstance(signal, Facts):
                    print(f"facts {number}", flush=True)
                elif isinstance(signal, TurnDone):
                    print(f"done {number}", flush=True)

            say = Say(campaign=campaign, text=LINES[number % len(LINES)], turn_id=f"n{number}")
            await take_turn(say, table, show)


def main() -> None:
    asyncio.run(play(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))

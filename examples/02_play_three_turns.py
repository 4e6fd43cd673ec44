"""Three turns of The Drowned Bell, played by a script: the opening, the dice, the prose, what was written down."""

import asyncio

from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.settings.sources import load
from freeform.wiring import opened

WORDS = ("Free Obed's foot from the stones", "I draw my gun", "Shout at the gate to be let in")


async def main() -> None:
    """`opened` gives a table with everything wired; `take_turn` is the whole game."""
    settings = load({"model": "offline"}).settings
    async with opened(settings) as table:
        scenario = load_scenario("drowned_bell")
        begun = await begin(scenario, "example-02", 7, Answers(hero="maren"), table)
        print(begun.opening)
        for text in WORDS:
            result = await take_turn(Say(campaign="example-02", text=text), table)
            print(f"\n> {text}\n")
            for roll in result.rolls:
                print(f"  [{roll.stat}] {roll.text}")
            for refused in result.validator.blocked_actions:
                print(
                    f"  not possible ({refused.rule}, because of {refused.because}): {refused.reason}"
                )
            print(result.final_text)
            happened = [event.type for event in result.engine_events]
            print(f"  written down before the prose: {', '.join(happened) or 'nothing'}")
        state = await table.store.get_state("example-02")
        for clock in state.clocks.values():
            print(f"  {clock.name}: {'#' * clock.value}{'.' * (clock.max - clock.value)}")


asyncio.run(main())

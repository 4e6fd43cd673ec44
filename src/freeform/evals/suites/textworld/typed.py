"""The same walkthroughs as a player types them: text in, whole turns, interpreter and narrator included."""

from collections.abc import Callable

from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.evals.suites.textworld.game import TextWorldGame, step
from freeform.evals.suites.textworld.staging import facts_of, set_up

SEED = 4


async def type_walkthrough(game: TextWorldGame, new_table: Callable[[], Table]) -> list[bool]:
    """For each command, whether the facts after its turn are what the game's rules imply."""
    stage, table = set_up(game), new_table()
    await begin(stage.scenario, "game", SEED, Answers(), table, system=stage.system)
    gold, right = game.facts, []
    for command in game.walkthrough:
        deed = next((d for d in game.bound if d.command == command and d.needs <= gold), None)
        if deed is None:
            right.append(False)
            continue
        await take_turn(Say(campaign="game", text=command), table)
        gold = step(gold, deed)
        right.append(facts_of(await table.store.get_state("game"), stage) == gold)
    return right

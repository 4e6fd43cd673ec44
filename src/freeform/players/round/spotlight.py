"""Several characters in a game that knows one: the spotlight. Whoever acts is the player's character for that turn.

The engine plays `player`. Before a character's turn one `Changed` entry gives `player` that character's name, concept,
pronouns and stats; place, time and belongings are the party's. It is an ordinary entry of the log, so undo, replay and
branches know it. The turn itself goes through `take_turn`, the same door as a person's.
"""

from freeform.engine.log import Changed
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import EntityUpdate, StateDiff, TurnResult
from freeform.engine.world.state import PLAYER
from freeform.players.model import Character

SPOTLIGHT = "spotlight"


async def act(
    campaign: str, character: Character, text: str, turn_id: str, table: Table
) -> TurnResult:
    """One turn of the campaign, played by that character. The same turn id again is the same turn."""
    if not await table.store.find_turn(campaign, turn_id):
        await step_into(campaign, character, table)
    return await take_turn(Say(campaign=campaign, text=text, turn_id=turn_id), table)


async def step_into(campaign: str, character: Character, table: Table) -> None:
    """Puts the character in the spotlight, unless it stands there."""
    head, state = await table.store.head(campaign), await table.store.get_state(campaign)
    now = state.entities[PLAYER]
    if now.name == character.name and now.attrs.get("stats") == character.stats:
        return
    first = character.name.split()[0]
    attrs = {
        "concept": character.concept,
        "pronouns": character.pronouns,
        "stats": character.stats,
        "aliases": list(dict.fromkeys(["me", "myself", first, first.lower()])),
    }
    diff = StateDiff(entities_update=[EntityUpdate(id=PLAYER, name=character.name, attrs=attrs)])
    entry = Changed(why=SPOTLIGHT, details={"character": character.id}, state_diff=diff)
    await table.store.append(campaign, [entry], after=head)

"""What pushing leaves behind: dice paid for, and the roll that may be pushed next."""

from freeform.engine.rules.ledger import Ledger
from freeform.engine.table import Rules
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.rolled import Roll
from freeform.engine.world.state import PLAYER

PUSHED, LAST_ROLL = "pushed", "last_roll"


def remember_roll(thrown: Roll, action: AllowedAction, page: Ledger, rules: Rules) -> None:
    """Keeps a roll that may be pushed in the next breath."""
    how = rules.system.push
    if how and how.when == "after":
        turn = page.state.turn_no
        kept = {"action": action.model_dump(mode="json"), "dice": thrown.dice, "turn": turn}
        page.note(PLAYER, LAST_ROLL, kept)


def pushed_dice(page: Ledger) -> int:
    """Dice that were paid for; they are used up by this."""
    dice = int(page.state.value(PLAYER, PUSHED) or 0)
    if dice:
        page.note(PLAYER, PUSHED, 0)
    return dice

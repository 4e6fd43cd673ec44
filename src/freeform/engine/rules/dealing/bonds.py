"""What someone does not forget: an insult, a threat, a lie, a kindness. It is logged, it colours
how they stand to the player's character, and it shows in what they say next; an apology takes the
sting away and wins nothing."""

from freeform.engine.minds.mind import BOND, HELD_AGAINST
from freeform.engine.rules.ledger import Ledger

_FORGIVEN = "forgiven"
_SHOWN = "bond_shown"
_EVERY = 3
"""Turns after which it shows once more."""


def keep(who: str, what: str, page: Ledger) -> int:
    """They do not forget it; gives how often it has happened."""
    before = page.state.value(who, f"{BOND}{what}")
    times = (before if isinstance(before, int) else 0) + 1
    page.note(who, f"{BOND}{what}", times)
    page.happen("bond", npc=who, name=page.state.name(who), bond=what, times=times)
    page.note(who, _SHOWN, page.state.turn_no)
    return times


def forgive(who: str, page: Ledger) -> bool:
    """What they were sore about is over; False where they held nothing against anyone."""
    sore = [
        what for what in HELD_AGAINST if isinstance(page.state.value(who, f"{BOND}{what}"), int)
    ]
    for what in sore:
        page.note(who, f"{BOND}{what}", _FORGIVEN)
        page.happen("bond", npc=who, name=page.state.name(who), bond=what, times=0)
    return bool(sore)


def held_against(who: str, page: Ledger) -> str:
    """What they hold against the player's character, or for them; '' where nothing is."""
    for what in (*HELD_AGAINST, "helped"):
        if isinstance(page.state.value(who, f"{BOND}{what}"), int):
            return what
    return ""


def show(who: str, page: Ledger) -> None:
    """It shows before they answer: in the next turn, and now and then."""
    what, now = held_against(who, page), page.state.turn_no
    since = now - int(page.state.value(who, _SHOWN) or 0)
    is_news = not page.state.value(who, f"{_SHOWN}:{what}")
    if not what or not since or (since < _EVERY and not is_news):
        return
    page.note(who, _SHOWN, now)
    page.note(who, f"{_SHOWN}:{what}", True)
    page.happen("bond_shown", ("speech",), npc=who, name=page.state.name(who), bond=what)

"""Things that change hands by a deed of another name: `grab the mug`, a gift of what lies here."""

import re
from dataclasses import replace

from freeform.engine.rules.checks import NOUN_ENDS, is_at_hand, lies_here
from freeform.engine.rules.wishes.wish import Wish
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import PLAYER, GameState

_OWN_SUBJECT = re.compile(r"^(?:i|we|let's|let me)\s+", re.I)


def handling(wish: Wish) -> Wish:
    """A free deed that takes or leaves a thing is taking or leaving it: nothing changes hands by
    being said to."""
    if wish.name != "improvise" or wish.target:
        return wish
    verb, _, rest = _OWN_SUBJECT.sub("", wish.details).partition(" ")
    things = mentioned(rest, wish.state, ("item",))
    name = wish.rules.action_type(verb)[0]
    if not things or name not in ("take", "drop") or NOUN_ENDS.match(rest):
        return wish  # `drop to my knees` drops nothing
    near = [thing for thing in things if is_at_hand(thing, wish.state)]
    return replace(wish.of_kind(name, next(iter(near), "")), details=rest, family="")


def given_thing(details: str, state: GameState) -> str:
    """The thing that is handed over by these words: one's own, else one that lies here; or ''."""
    named = mentioned(details, state, ("item",))
    own = [thing for thing in named if (PLAYER, thing) in state.inventory]
    return next(iter([*own, *(thing for thing in named if lies_here(thing, state))]), "")


def picked_up_first(wish: Wish) -> Wish | None:
    """The taking that a gift needs, where what is given only lies here."""
    thing = given_thing(wish.details, wish.state) if wish.name == "give" else ""
    if not thing or (PLAYER, thing) in wish.state.inventory:
        return None
    return replace(wish.of_kind("take", thing), details="")

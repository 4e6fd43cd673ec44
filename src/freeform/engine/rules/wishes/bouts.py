"""Where whatever is done counts, as in a bout: a feint is no gesture there, kindness no blow."""

from freeform.core.text import plain_form
from freeform.engine.authored.conditions import check
from freeform.engine.authored.ruling import DeedRuling
from freeform.engine.authored.scenario import Affordance
from freeform.engine.rules.wishes.wish import Wish
from freeform.engine.table import Rules
from freeform.engine.world.model import ProposedAction
from freeform.engine.world.names import words
from freeform.engine.world.state import GameState
from freeform.language.words import word_class

_SMALL = "express"
_FREE_DEED = {"action": "improvise", "family": "use"}
_STRIKE = "attack"
_GOES_ABOUT = frozenset({"move", "look"})
"""Families of what one does with one's feet and eyes alone: it counts for nothing."""


def as_a_blow(action: ProposedAction, state: GameState, rules: Rules) -> ProposedAction:
    """A small deed as the free deed it is, where one was authored for whatever is done here."""
    if _SMALL not in (action.family, action.action) or action.deed:
        return action
    if action.family in _GOES_ABOUT:
        return action
    open_now = (
        deed.action == _FREE_DEED["action"] and check(deed.when, state).holds
        for deed in rules.scenario.affordances
        if deed.whatever
    )
    return action.model_copy(update=_FREE_DEED) if any(open_now) else action


def may_count(deed: Affordance, wish: Wish) -> bool:
    """Whether an act may be a part of what was authored for whatever is done: to strike somebody
    is, where striking is what it is before all else, and they are whom it is done with; any
    other deed is, where it has to do with them."""
    if not deed.whatever:
        return True
    if wish.name != _STRIKE:
        return _concerns_them(deed, wish)
    if wish.target not in wish.state.entities:
        return True
    if wish.state.entities[wish.target].type != "npc":
        return True
    first = next(one for one in wish.rules.scenario.affordances if one.whatever)
    against = {one.present for one in deed.when if one.present}
    return first.action == _STRIKE and wish.target in against


def _concerns_them(deed: Affordance, wish: Wish) -> bool:
    """Whether a free deed names whom it is done with, or speaks of them as him, her or them: who
    writes on their own arm strikes nobody."""
    against = {one.present for one in deed.when if one.present}
    if not against or wish.target in against:
        return True
    said = words(wish.details)
    names = {name for who in against for name in words(wish.state.name(who))}
    return bool(said & names) or bool(
        word_class("of_one_named") & set(plain_form(wish.details).split())
    )


def is_kindly(ruling: DeedRuling) -> bool:
    """Whether somebody thinks better of the player for it."""
    good = ruling.on.get("success")
    return good is not None and any(e.trust and e.trust.delta > 0 for e in good.effects)

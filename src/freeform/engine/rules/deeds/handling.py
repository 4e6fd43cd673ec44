"""Moving about and handling things."""

import re
from typing import Any

from freeform.core.text import slug
from freeform.engine.authored.script import Appear, Hand
from freeform.engine.rules.checks import (
    holder_of,
    is_free_to_handle,
    is_ones_own,
    is_put_away,
    state_type,
)
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.deeds.looking import look
from freeform.engine.rules.effects import (
    end_situation,
    go,
    hand,
    shift_trust,
)
from freeform.engine.rules.known import inside
from freeform.engine.rules.rolls import at_least
from freeform.engine.rules.wishes.handled import given_thing
from freeform.engine.rules.wishes.ways import stopped_by, way_towards
from freeform.engine.rulings.lasting import appear, remember_deed
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.state import PLAYER
from freeform.language.inflection import singular
from freeform.language.words import word_class

_ANYTHING = frozenset({"something", "anything", "money", "cash", "coin"})
"""What everyone has about them."""
_NAMED_THING = re.compile(
    r"\b(?:the|an?|some|his|her|their)\s+([\w' -]+?)(?=\s+(?:to|as|for|and)\b|[;.,]|$)"
)


def move(attempt: Attempt) -> str:
    """Goes somewhere, through every place on the way."""
    target = attempt.action.target_id
    if state_type(target, attempt.page.state) != "location":
        attempt.page.happen("approached", target=target, name=attempt.name)
        return ""
    path, refusal = way_towards(target, attempt.page.state, attempt.rules)
    if refusal:
        attempt.page.happen("interrupted", action="move", name=attempt.name, reason=refusal.reason)
        return ""
    end_situation("hidden", attempt.page)
    there = path[-1]
    way = attempt.rules.exit(attempt.here, there, attempt.page.state)
    if way and way.text:
        attempt.page.happen("passed", name=way.name, text=way.text.strip())
    via = [attempt.page.state.name(place) for place in path[:-1]]
    if via:
        attempt.page.happen("passed", name=", ".join(via), via=via)
    go(there, attempt.page, attempt.rules)
    if there != target:
        shut = stopped_by(target, attempt.page.state, attempt.rules)
        if shut:
            attempt.page.happen("way_shut", name=attempt.name, text=shut)
        else:
            attempt.page.happen("further_on", name=attempt.name, target=target)
    return ""


def follow(attempt: Attempt) -> str:
    """Goes where someone goes: here they are, so one stays near them."""
    attempt.page.happen("approached", target=attempt.action.target_id, name=attempt.name)
    return ""


def take(attempt: Attempt) -> str:
    """Takes what lies here."""
    item = attempt.action.target_id
    owner = holder_of(item, attempt.page.state)
    if owner == PLAYER:
        _put_away(attempt)
    elif owner:
        hand(Hand(item=item, source=owner, to=PLAYER), attempt.page)
    else:
        _nothing_comes_of(attempt)
    return ""


def steal(attempt: Attempt) -> str:
    """Takes what someone else has, unseen if the dice allow."""
    state = attempt.page.state
    owner, item = attempt.action.target_id, ""
    if state_type(owner, state) == "npc":
        wanted = mentioned(attempt.action.details, state, ("item",))
        things = [h.item_id for h in state.held(owner)]
        item = next((i for i in wanted if i in things), things[0] if things else "")
        if not item and _of_what_all_carry(attempt.action.details, attempt.name):
            return _purse(attempt)
    else:
        item, owner = owner, holder_of(owner, state)
    if not item:
        attempt.page.happen("no_effect", action="steal", name=attempt.name)
        return ""
    outcome = attempt.throw(attempt.kind.stat, attempt.kind.tier)
    attempt.page.happen(
        "outcome", action="steal", target=owner, name=state.name(item), outcome=outcome
    )
    if at_least(outcome, "mixed"):
        hand(Hand(item=item, source=owner, to=PLAYER), attempt.page)
    elif state_type(owner, state) == "npc":
        shift_trust(owner, -2, attempt.page)
    return outcome


def _of_what_all_carry(said: str, owner: str) -> bool:
    """`something from her bag`, `Ann's pocket`: nothing in particular, and nothing an author
    wrote."""
    plain = word_class("ones_own") | word_class("pointing_back") | _ANYTHING
    return all(singular(word) in plain for word in words(said) - words(owner))


def _purse(attempt: Attempt) -> str:
    """Small money, which everyone has about them, once."""
    page, owner = attempt.page, attempt.action.target_id
    id, name = f"{owner}/purse", f"{attempt.name}'s money"
    if id in page.state.entities:
        page.happen("no_effect", action="steal", name=attempt.name)
        return ""
    outcome = attempt.throw(attempt.kind.stat, attempt.kind.tier)
    page.happen("outcome", action="steal", target=owner, name=name, outcome=outcome)
    if at_least(outcome, "mixed"):
        appear(Appear(id=id, name=name, text="Not much, and not yours.", held_by=PLAYER), page)
        page.happen("item_gained", item=id, name=name)
    else:
        shift_trust(owner, -2, page)
    return outcome


def give(attempt: Attempt) -> str:
    """Hands something over; a gift is remembered kindly."""
    state, who = attempt.page.state, attempt.action.target_id
    item = given_thing(attempt.action.details, state)
    if not item:
        return _hand_over_what_is_told_of(attempt)
    if (PLAYER, item) not in state.inventory:
        hand(Hand(item=item, source=attempt.here, to=PLAYER), attempt.page)
    hand(Hand(item=item, source=PLAYER, to=who), attempt.page)
    shift_trust(who, 1, attempt.page)
    return ""


def _hand_over_what_is_told_of(attempt: Attempt) -> str:
    """`give Luis the blanket`: what the text of this place speaks of, and nobody made a thing."""
    page, who = attempt.page, attempt.action.target_id
    named = _NAMED_THING.search(attempt.action.details)
    noun = named[1].strip() if named else ""
    if not noun or not is_free_to_handle(noun, page.state, attempt.rules):
        page.happen("no_effect", action="give", name=attempt.name)
        return ""
    id = f"{attempt.here}/{slug(noun)}"
    appear(Appear(id=id, name=noun, held_by=PLAYER), page)
    hand(Hand(item=id, source=PLAYER, to=who), page)
    shift_trust(who, 1, page)
    return ""


def drop(attempt: Attempt) -> str:
    """Leaves something here; hidden things are found again only by searching."""
    item = attempt.action.target_id
    own = (PLAYER, item) in attempt.page.state.inventory
    if own and is_put_away(attempt.action.details):
        _put_away(attempt)
    elif own:
        hand(Hand(item=item, source=PLAYER, to=attempt.here), attempt.page)
    else:
        _nothing_comes_of(attempt)
    return ""


def _put_away(attempt: Attempt) -> None:
    """What goes into one's own pocket stays one's own."""
    attempt.page.happen("gestured", details=f"put away {inside(attempt.name)}", name=attempt.name)


def _nothing_comes_of(attempt: Attempt) -> None:
    """What is done to nothing that has an entry; to one's own coat, it is simply done."""
    action = attempt.action
    if not action.target_id and is_ones_own(action.details):
        attempt.page.happen("gestured", details=f"{action.action} {action.details}", name="")
        return
    if state_type(action.target_id, attempt.page.state) == "npc":
        told = f"{action.action} {action.details}".strip()
        whom = action.target_id
        attempt.page.happen("gestured", details=told, target=whom, name=attempt.name)
        remember_deed(told, attempt.page)
        return
    name = attempt.name or action.details
    attempt.page.happen(
        "no_effect",
        action=action.action,
        target=action.target_id,
        name=name,
        details=action.details,
    )


def handle(attempt: Attempt) -> str:
    """Uses, opens or closes something for which nothing was authored."""
    state, target = attempt.page.state, attempt.action.target_id
    name = attempt.name or attempt.action.details
    if attempt.action.action == "open" and target in state.entities:
        if state.entities[target].type == "location":
            return look(attempt)  # who opens a door looks through it
        if state.entities[target].attrs.get("writing"):
            return look(attempt)  # and who opens a book reads
    if target and (PLAYER, target) in state.inventory and attempt.action.action == "use":
        text = str(state.entities[target].attrs.get("use", "")).strip()
        told = attempt.action.details
        in_full: dict[str, Any] = {"details": told} if told.startswith("I ") else {}
        attempt.page.happen("item_used", item=target, name=name, text=text, **in_full)
    else:
        _nothing_comes_of(attempt)
    return ""

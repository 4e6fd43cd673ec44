"""Whom or what a wished action is done to: found where it was left out, or why there is none."""

import re
from dataclasses import replace

from freeform.core.text import plain_form
from freeform.engine.authored.conditions import check
from freeform.engine.rules.checks import (
    HERE,
    NOUN_ENDS,
    Refusal,
    blocked_way,
    gear_claimed,
    holder_of,
    instrument_of,
    is_at_hand,
    is_free_to_handle,
    is_ones_own,
    is_put_away,
    may_be_meant,
    no_one_called,
    no_way,
    not_seen,
    owned,
    person_here,
    second_thing_elsewhere,
    state_type,
    thing_here,
    way_open,
    ways_on,
)
from freeform.engine.rules.known import (
    as_subject,
    bare,
    called,
    inside,
    is_or_are,
    listed,
    who_is_here,
    with_article,
)
from freeform.engine.rules.wishes.far import SPOKEN_TO, things_that_reach
from freeform.engine.rules.wishes.following import knows_where
from freeform.engine.rules.wishes.ways import way_towards
from freeform.engine.rules.wishes.wish import Unclear, Wish, as_typed, reading
from freeform.engine.table import Rules
from freeform.engine.world.model import ProposedAction, Reading
from freeform.engine.world.names import mentioned, overlap, words
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.sentences import sentences
from freeform.language.words import word_class

_SPEAKING = (
    "to|at|ask|greet|attack|fight|hit|shoot|stab|follow|threaten|persuade|convince|tell|bribe"
)
_WHOSE = re.compile(
    r"^(?:(?:my|your|his|her|their|our|its|some|any|another|this|that)\s+)+(?=\w)", re.I
)
_OUT_OF = re.compile(
    r"^(?:(?:out|of|to|into|through|towards?|onto|off|over|up|down|across|along)\s+)+(?=\w)", re.I
)
_OWNED = re.compile(r"['’]s?\b")
_AT = re.compile(r"^(?:at|against|on|into)\s+", re.I)
_TAKEN_UP = frozenset({"improvise", "use", "repair", "help"})
"""For these one takes up what lies here without saying so."""
_PLACE_WORDS = 3
"""More words than these name no place: `see whose fire that is`."""


def target_of(wish: Wish) -> str | Refusal:
    """The target to act on, found where it was left out, or why there is none.

    Nobody is refused a look: what is not in sight is told from afar, or that it is not there.
    """
    if wish.name == "look" and wish.family:
        return _looked_at(wish)
    return _target_of(wish)


def _looked_at(wish: Wish) -> str:
    try:
        seen = _target_of(wish)
    except Unclear:
        return ""
    return "" if isinstance(seen, Refusal) else seen


def _target_of(wish: Wish) -> str | Refusal:
    target, kind = wish.target, wish.kind
    type = state_type(target, wish.state)
    if kind.target == "place":
        return _place(wish) if target else _place_named(wish)
    if type == "npc":
        return _person(wish)
    if kind.target == "person":
        return _not_a_person(wish) if target else _someone(wish)
    if target and type in ("item", "object"):
        return _thing(wish, target, wish.spoken)
    if kind.needs_target and not target:
        return _thing_named(wish)
    if target and type == "location" and kind.needs_presence:
        return _sight(wish)
    return target


def _place(wish: Wish) -> str | Refusal:
    """The place to go to: where someone is, if a person was named and one knows where."""
    target, state = wish.target, wish.state
    if state_type(target, state) == "npc":
        where = state.where(target)
        if not knows_where(target, where, wish):
            return person_here(target, state, wish.rules, wish.spoken) or target
        target = where
    if state_type(target, state) != "location":
        return thing_here(target, state, wish.rules, wish.spoken) or target
    return way_towards(target, state, wish.rules, wish.spoken)[1] or target


def place_in(details: str, state: GameState, rules: Rules) -> str:
    """A place of the map that the words name, by its name or by the way there; '' for none."""
    exits = rules.exits(state.scene.location_id, state)
    leading = (way.to for way in exits if overlap(details, [way.name, *way.aliases]))
    return next(iter((*mentioned(details, state, ("location",)), *leading)), "")


def _place_named(wish: Wish) -> str | Refusal:
    """A place the player named that the listener did not know: there by an open way, or why not."""
    details, state, rules = wish.details, wish.state, wish.rules
    exits = rules.exits(state.scene.location_id, state)
    if not words(details):
        raise _where_to(wish)
    meant = place_in(details, state, rules)
    if meant:
        return way_towards(meant, state, rules, wish.spoken)[1] or meant
    someone = next(iter(mentioned(details, state, ("npc",))), "")
    if someone and not _OWNED.search(details):
        return _place(replace(wish, target=someone))
    where = _OUT_OF.sub("", details.split(";")[0].strip())
    if is_free_to_handle(where, state, rules) or words(where) & word_class("every_place"):
        return Refusal(HERE, no_way(where, state, rules), state.scene.location_id)
    if exits and len(where.split()) > _PLACE_WORDS:
        raise _where_to(wish)
    return Refusal("location", no_way(where, state, rules), state.scene.location_id)


def _where_to(wish: Wish) -> Unclear:
    """Which of the ways one means, those that are open first."""
    state = wish.state
    exits = wish.rules.exits(state.scene.location_id, state)
    open_first = sorted(exits, key=lambda way: not check(way.when, state).holds)
    places = {way.to: inside(state.name(way.to)) for way in open_first}
    question = f"Where to: {listed([*places.values()], 'or')}?" if places else "Where to?"
    ways = (reading(wish, f"Go to {name}", to) for to, name in places.items())
    return Unclear(question, ways)


def _sight(wish: Wish) -> str | Refusal:
    """A place that is looked at from here."""
    target, state = wish.target, wish.state
    here = state.scene.location_id
    ways = [way for way in wish.rules.exits(here, state) if way.to == target]
    shut = [way for way in ways if not check(way.when, state).holds]
    if wish.name == "open" and shut:
        return Refusal("location", blocked_way(shut[0], state), target)
    if target == here or ways:
        return target
    name = called(target, wish.spoken, state, wish.rules)
    seen = as_subject(name) if name else "That"
    unseen = f"{seen} is not in sight{ways_on(state, wish.rules)}."
    return Refusal("location", unseen, state.scene.id)


def _person(wish: Wish) -> str | Refusal:
    target, state = wish.target, wish.state
    gone = wish.name == "follow" and target not in state.scene.present_entity_ids
    if wish.name == "improvise" and target not in state.scene.present_entity_ids:
        return ""  # it speaks of someone who is not there to have it done to them
    if gone or wish.kind.needs_presence:
        return _met_or_refused(wish, target)
    return target


def _met_or_refused(wish: Wish, who: str) -> str | Refusal:
    """Someone who is here; of one who is elsewhere, and one knows where, whether to go there."""
    state, rules = wish.state, wish.rules
    refusal = person_here(who, state, rules, wish.spoken)
    where = state.where(who)
    if refusal is None or who in state.scene.present_entity_ids or not where:
        return refusal or who
    meant = may_be_meant(who, wish.spoken, state, rules)
    calls = _calls(wish, who) if meant else []
    if not meant or not knows_where(who, where, wish):
        return _with_the_means(refusal, calls)
    if way_open(where, state, rules)[1]:
        return _with_the_means(refusal, calls)
    there = inside(state.name(where))
    going = ProposedAction(action="move", target_id=where)
    question = f"{refusal.reason} Go to {there} and try it there?"
    raise Unclear(question, [Reading(text=f"Go to {there}", action=going), *calls])


def _calls(wish: Wish, who: str) -> list[Reading]:
    """The same words by a thing at hand that reaches so far."""
    things = things_that_reach(wish.state, wish.rules) if wish.name in SPOKEN_TO else []
    name = inside(wish.state.name(who))
    return [
        Reading(
            text=f"Call {name} on {with_article(wish.state.name(thing))}",
            action=ProposedAction(action=wish.name, target_id=who, details=wish.details, by=thing),
        )
        for thing in things[:1]
    ]


def _with_the_means(refusal: Refusal, calls: list[Reading]) -> Refusal:
    """That someone is not here, and what would reach them."""
    if not calls:
        return refusal
    return replace(refusal, reason=f"{refusal.reason} You could: {calls[0].text}.")


def missing(wish: Wish) -> Refusal | None:
    """That somebody is not here whom a deed was to be done to, and the listener found nobody by the
    player's words for them; None where these tell of what is here, as its author did."""
    state, rules, whom = wish.state, wish.rules, wish.called_to
    if not whom or wish.name in SPOKEN_TO or is_free_to_handle(whom, state, rules):
        return None
    who = next(iter(mentioned(whom, state, ("npc",))), "")
    if who and may_be_meant(who, wish.spoken, state, rules):
        met = _met_or_refused(wish, who)
        return met if isinstance(met, Refusal) else None
    return Refusal("presence", no_one_called(_WHOSE.sub("", whom), state), state.scene.id)


def _not_a_person(wish: Wish) -> str | Refusal:
    """Words to a thing are said to nobody; whatever needs an answer needs someone who gives it."""
    if wish.name == "talk":
        return ""
    name = called(wish.target, wish.spoken, wish.state, wish.rules)
    missing = f"{as_subject(name) if name else 'That'} is no one you can {wish.name}"
    present = who_is_here(wish.state)
    others = f"; {present} {is_or_are(present)} here" if present else ""
    return Refusal("presence", f"{missing}{others}.", wish.target)


def _someone(wish: Wish) -> str | Refusal:
    """The person an action is aimed at when the player named none, or named no one who exists."""
    name, details, state = wish.name, wish.details, wish.state
    present = [who for who in state.scene.present_entity_ids if state_type(who, state) == "npc"]
    called = next((who for who in mentioned(details, state, ("npc",)) if who in present), "")
    if wish.called_to and (name == "talk" or name not in SPOKEN_TO):
        return ""
    stranger = wish.called_to if wish.called_to and not called else _addressed(wish)
    aloud = wish.family and not (wish.called_to or called or stranger[:1].isupper())
    if stranger and aloud:
        return ""  # said to a bucket, to the sea: aloud, to whoever may hear it
    if stranger and not called:
        absent = next(iter(mentioned(stranger, state, ("npc",))), "")
        if absent:
            return _met_or_refused(wish, absent)
        return Refusal("presence", no_one_called(stranger, state), state.scene.id)
    if called and (name == "talk" or len(present) == 1):
        return called
    if (
        name == "attack"
        and not called
        and is_free_to_handle(_AT.sub("", details), state, wish.rules)
    ):
        return ""  # who kicks at the stones kicks nobody
    if len(present) == 1:
        return present[0]
    if not wish.kind.needs_target:
        return ""
    if not present:
        alone = f"There is no one here to {name}{ways_on(state, wish.rules)}."
        return Refusal("presence", alone, state.scene.id)
    either = listed([inside(state.name(who)) for who in present], "or")
    raise Unclear(
        f"Whom do you mean: {either}?", (reading(wish, as_typed(wish, who), who) for who in present)
    )


def _things_to(wish: Wish) -> list[Reading]:
    """Things at hand that the act could be done to: what one carries first where that is meant."""
    state = wish.state
    owners = [state.scene.location_id, PLAYER]
    if wish.name in ("use", "drop"):
        owners.reverse()
    things = [held.item_id for owner in owners for held in state.held(owner)]
    verb = wish.name.capitalize()
    readings = []
    for thing in things:
        if _may_be_done_to(wish, thing):
            name = with_article(state.name(thing))
            readings.append(reading(wish, f"{verb} {name}", thing))
    return readings


def _may_be_done_to(wish: Wish, thing: str) -> bool:
    try:
        return not isinstance(_thing(wish, thing, ""), Refusal)
    except Unclear:
        return False  # somebody has it: it is not offered


def _addressed(wish: Wish) -> str:
    """The name right after the verb of speech, when details hold nothing else: someone who does not
    exist."""
    first = wish.details.split(";")[0]
    noun = plain_form(first).strip()
    if not noun or len(noun.split()) > 3 or noun.split()[0] in ("be", "have", "get", "let"):
        return ""  # `shout to be let in` calls nobody
    with_them = "with|" if wish.name in ("talk", "ask") else ""
    spoken = rf"\b(?:{with_them}{_SPEAKING})\s+(?:the\s+)?{re.escape(noun)}\b"
    return first.strip() if re.search(spoken, plain_form(wish.said)) else ""


def _thing(wish: Wish, target: str, said: str) -> str | Refusal:
    """A thing the action is done to."""
    name, state = wish.name, wish.state
    refusal = thing_here(target, state, wish.rules, said)
    if refusal:
        return refusal
    owner = holder_of(target, state)
    if name in ("give", "show", "drop") and owner != PLAYER:
        return owned(target, state, wish.rules, wish.spoken) or target
    if name == "take":
        if owner in state.scene.present_entity_ids:
            raise _held_by(owner, target, wish)
        return _not_for_taking(target, owner, said, state) or target
    return target


def _held_by(owner: str, thing: str, wish: Wish) -> Unclear:
    """Someone here has it: whether one asks for it, or takes it without asking."""
    who, it = inside(wish.state.name(owner)), with_article(wish.state.name(thing))
    asking = ProposedAction(action="ask", target_id=owner, details=it)
    stealing = ProposedAction(action="steal", target_id=owner, details=f"with {thing}")
    return Unclear(
        f"{as_subject(wish.state.name(owner))} has {it}. Ask for it, or take it unasked?",
        [
            Reading(text=f"Ask {who} for {it}", action=asking),
            Reading(text=f"Steal {it} from {who}", action=stealing),
        ],
    )


def _not_for_taking(target: str, owner: str, said: str, state: GameState) -> Refusal | None:
    if owner == PLAYER and is_put_away(said):
        return None
    if owner == PLAYER:
        reason = f"You already have {with_article(state.name(target))}, ready to use."
        return Refusal("contradiction", reason, target)
    if state.entities[target].attrs.get("portable") is False:
        stays = f"{as_subject(state.name(target))} cannot be carried off"
        return Refusal("inventory", f"{stays}; you can use it where it is.", target)
    return None


def _thing_named(wish: Wish) -> str | Refusal:
    """A thing the player named in words only: part of the place, or nothing that is here."""
    details, state = wish.details, wish.state
    place = wish.rules.place(state.scene.location_id)
    if any(overlap(details, [d.name, *d.aliases]) for d in place.details):
        return ""
    things = mentioned(details, state, ("item", "object"))
    here = [thing for thing in things if is_at_hand(thing, state)]
    if here:
        return _thing(wish, here[0], details)
    if not words(details):
        raise Unclear(f"What do you want to {wish.name}?", _things_to(wish))
    if is_ones_own(details) or (not things and is_free_to_handle(details, state, wish.rules)):
        return ""
    if not things and _is_told_of_here(details, wish):
        return ""
    noun = _WHOSE.sub("", bare(NOUN_ENDS.split(details.strip())[0].strip() or details))
    return Refusal("presence", not_seen(noun, state, wish.rules), state.scene.id)


def _is_told_of_here(details: str, wish: Wish) -> bool:
    """Whether the opening speaks of it, and one is still where that was told."""
    here, begun = wish.state.scene.location_id, wish.rules.scenario.start.location
    noun = words(NOUN_ENDS.split(bare(details.strip()))[0])
    told = sentences(wish.rules.begun.opening) if here == begun else []
    return bool(noun) and any(noun <= words(text) for text in told)


def without_means(wish: Wish) -> Refusal | None:
    """What a deed is done with must be at hand."""
    state, rules = wish.state, wish.rules
    tool = instrument_of(wish.details, state)
    taken_up = wish.name in _TAKEN_UP and holder_of(tool, state) == state.scene.location_id
    if tool and tool != wish.target and not taken_up:
        refusal = owned(tool, state, rules, wish.spoken)
        if refusal:
            return refusal
    return gear_claimed(wish.details, state, rules) or second_thing_elsewhere(
        wish.name, wish.target, wish.details, state, rules
    )

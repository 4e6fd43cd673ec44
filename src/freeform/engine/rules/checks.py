"""The validator's single rules: each says yes, or why not and which fact stands behind it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from freeform.engine.authored.conditions import check
from freeform.engine.authored.fitting import Asked, fit
from freeform.engine.authored.scenario import Exit
from freeform.engine.rules.known import (
    as_said,
    as_subject,
    bare,
    called,
    has_heard_of,
    inside,
    is_known,
    is_named_so,
    is_or_are,
    knows_name,
    listed,
    what_is_carried,
    what_is_here,
    who_is_here,
    with_article,
)
from freeform.engine.table import Rules
from freeform.engine.world.names import (
    mentioned,
    words,
)
from freeform.engine.world.state import PLAYER, Entity, GameState
from freeform.language.forms import SECOND_PERSON
from freeform.language.inflection import singular
from freeform.language.words import word_class

_INSTRUMENT = re.compile(r"(?:^|;\s*|\b)with\s+(?:my\s+|the\s+|an?\s+)?([\w:' -]+)$")
_CLAIMING = (
    r"\b(?:with|draw|use|pull out|take out|my|fire|swing|throw|wearing|light)\s+"
    r"(?:an?\s+|my\s+|the\s+)?(?:trusty\s+|old\s+|own\s+|good\s+)?"
)
_HAVING = re.compile(r"I have (?:an? |some )?([\w' -]{2,40})$")
_GONE = frozenset({"dead", "killed", "deceased", "destroyed", "unconscious", "out"})
NEEDS_NOTHING = frozenset(
    (
        "talk ask persuade deceive threaten express plan ooc gm_question look recall move follow "
        "wait"
    ).split()
)
"""What is done with words, eyes, thoughts and feet: a lie, a promise, a threat or a wish about a
thing does not need the thing."""
_OWN = re.compile(
    r"\b(?:my|both|bare|own)\s+"
    r"(?:(?:own|left|right|two|bare|both|good|best|\w+y|\w+ed)\s+)?([a-z]+)\b"
)
_AWAY = re.compile(r"\b(?:away|(?:in|into|inside|under|up|on|onto)\s+my\s+(?:\w+\s+)?([a-z]+))\b")
NOUN_ENDS = re.compile(
    r"\b(?:to|with|at|from|in|into|on|onto|off|for|and|around|over|under|against|until)\b|;"
)
HERE = "here"
"""The rule of a wish to go where one is: it keeps nothing else from happening."""


@dataclass(frozen=True)
class Refusal:
    """Why not: the rule, the reason as the table says it, and the id of what stands behind it."""

    rule: str
    reason: str
    because: str = ""


def person_here(who: str, state: GameState, rules: Rules, said: str = "") -> Refusal | None:
    """Presence: the person is in the scene, and able to answer."""
    if who not in state.scene.present_entity_ids:
        at = state.fact(who, "at")
        return Refusal(
            "presence", _absent(who, state, rules, said), at.id if at else state.scene.id
        )
    for predicate in ("status", "condition", "state"):
        fact = state.fact(who, predicate)
        if fact and str(fact.object.get("value")) in _GONE:
            name = as_subject(state.name(who))
            return Refusal("contradiction", f"{name} is {fact.object['value']}.", fact.id)
    return None


def _absent(who: str, state: GameState, rules: Rules, said: str) -> str:
    """That someone is not here, and who is; whom the player has never heard of is no one."""
    name = called(who, said, state, rules)
    if may_be_meant(who, said, state, rules):
        missing = as_subject(name) if name else "Whoever that is"
        return f"{missing} {is_or_are(missing)} not here{_others_here(state)}."
    return no_one_called(name, state)


def may_be_meant(who: str, said: str, state: GameState, rules: Rules) -> bool:
    """Whether the player can mean someone by what they said: by a name that was told, or by how
    one looks who was seen."""
    name = called(who, said, state, rules)
    by_sight = has_heard_of(who, state) and not is_named_so(who, name, state)
    return by_sight or knows_name(who, state, rules)


def no_one_called(name: str, state: GameState) -> str:
    """That nobody here goes by a name or a description of the player's own, and who is here."""
    others = _others_here(state)
    if not name:
        return f"There is no such person here{others}."
    if bare(name)[:1].isupper():
        return f"There is no one called {bare(name)} here{others}."
    return f"You see no {bare(name)} here{others}."


def _others_here(state: GameState) -> str:
    """The end of a sentence on who is missing: who is not."""
    present = who_is_here(state)
    return f"; {present} {is_or_are(present)} here" if present else "; you are alone"


def thing_here(item: str, state: GameState, rules: Rules, said: str = "") -> Refusal | None:
    """Presence: the thing is in the player's hands, in plain sight here, or with someone who is
    here."""
    if is_at_hand(item, state):
        return None
    entity = state.entities.get(item)
    if entity and _is_told_of_here(entity, state, rules):
        return None
    name = as_said(entity, said) if entity else ""
    if not name and entity and knows_name(item, state, rules):
        name = entity.name
    return Refusal("presence", not_seen(name, state, rules), state.scene.id)


def _is_told_of_here(entity: Entity, state: GameState, rules: Rules) -> bool:
    """Whether a thing without a place of its own is part of this one as it was told: the soup on
    the table of the opening."""
    placed = state.value(entity.id, "at") or entity.attrs.get("location")
    return entity.type == "object" and not placed and is_free_to_handle(entity.name, state, rules)


def is_at_hand(item: str, state: GameState) -> bool:
    """Whether a thing is in the player's hands, in plain sight here, or with someone present."""
    here = state.scene.location_id
    for owner in (PLAYER, here, *state.scene.present_entity_ids):
        holding = state.inventory.get((owner, item))
        if holding and not holding.flags.get("hidden"):
            return True
    entity = state.entities.get(item)
    return (
        entity is not None
        and entity.type != "item"
        and (state.value(item, "at") or entity.attrs.get("location")) == here
    )


def not_seen(name: str, state: GameState, rules: Rules) -> str:
    """That a thing is not to be seen, in the player's words for it, and what is; what the player
    says of themselves in it (`a thing I could use`) is not said back."""
    is_a_name = name and SECOND_PERSON.keys().isdisjoint(name.lower().split())
    missing = f"You see no {bare(name)} here" if is_a_name else "You see no such thing here"
    seen = what_is_here(state, rules)
    return f"{missing}; you do see {seen}." if seen else f"{missing}."


def holder_of(item: str, state: GameState) -> str:
    """Who or what here has the thing: the player first, then the place, then whoever is present."""
    for owner in (PLAYER, state.scene.location_id, *state.scene.present_entity_ids):
        holding = state.inventory.get((owner, item))
        if holding and not holding.flags.get("hidden"):
            return owner
    return ""


def way_open(
    to: str, state: GameState, rules: Rules, said: str = ""
) -> tuple[list[str], Refusal | None]:
    """Location: the places one passes on the way there, or why no way leads there.

    Through places the character has been to, several ways in a row are one walk; further on, one
    comes as far as the first place one does not know. Of a place they never heard of nothing is
    told, not even where the way there begins.
    """
    here = state.scene.location_id
    if to == here:
        already = f"You are already at {inside(state.name(here))}{ways_on(state, rules)}."
        return [], Refusal(HERE, already, state.scene.id)
    reached: dict[str, list[str]] = {here: []}
    queue, refusal = [here], None
    while queue:
        place = queue.pop(0)
        for way in rules.exits(place, state):
            if way.to in reached:
                continue
            open_way = check(way.when, state)
            if way.to == to:
                if open_way.holds:
                    return [*reached[place], to], None
                refusal = refusal or Refusal("location", blocked_way(way, state), open_way.because)
            elif open_way.holds and state.value(way.to, "visited"):
                reached[way.to] = [*reached[place], way.to]
                queue.append(way.to)
    if refusal:
        return [], refusal
    name = called(to, said, state, rules)
    start = first_step(to, state, rules) if is_known(to, state, rules) else ""
    if name and start:
        return [start], None
    return [], Refusal("location", no_way(name, state, rules), here)


def no_way(name: str, state: GameState, rules: Rules) -> str:
    """That no way leads to what the player called so, and which ways there are."""
    there = f"to {with_article(name)}" if name else "there"
    return f"No way leads from here {there}{ways_on(state, rules)}."


def ways_on(state: GameState, rules: Rules) -> str:
    """The end of a sentence on where one cannot go: where one can."""
    ways = [inside(state.name(way.to)) for way in rules.exits(state.scene.location_id, state)]
    reached = listed(list(dict.fromkeys(ways)))
    return f"; from here you can reach {reached}" if reached else ""


def first_step(to: str, state: GameState, rules: Rules) -> str:
    """The first place on the shortest way through open doors, known to the player or not; '' when
    none leads."""
    here = state.scene.location_id
    started: dict[str, str] = {here: ""}
    queue = [here]
    while queue:
        place = queue.pop(0)
        for way in rules.exits(place, state):
            if way.to not in started and check(way.when, state).holds:
                started[way.to] = started[place] or way.to
                queue.append(way.to)
    return started.get(to, "")


def blocked_way(way: Exit, state: GameState) -> str:
    """What an author says of a closed way."""
    return way.blocked.strip() or f"The way to {inside(state.name(way.to))} is closed."


def is_ones_own(text: str) -> bool:
    """Whether words speak of what everyone has: fists, a coat, breath."""
    own = word_class("ones_own")
    return any(singular(noun) in own for noun in _OWN.findall(text.lower()))


def is_put_away(details: str) -> bool:
    """Whether a thing is only put where one keeps one's own: in my pocket, away."""
    kept = _AWAY.search(details.lower())
    return kept is not None and (not kept[1] or singular(kept[1]) in word_class("ones_own"))


def is_free_to_handle(details: str, state: GameState, rules: Rules) -> bool:
    """Whether words speak of something harmless that needs no entry: part of oneself, or of the
    place as its text tells of it."""
    if is_ones_own(details):
        return True
    noun = words(NOUN_ENDS.split(bare(details.strip()))[0])
    return bool(noun) and any(noun <= words(text) for text in _told_of_here(state, rules))


def _told_of_here(state: GameState, rules: Rules) -> Iterator[str]:
    """What a player has before them in words: the place, those present and what they do, and where
    the story began, its opening."""
    here = state.scene.location_id
    place = rules.place(here)
    yield place.description
    yield from place.atmosphere
    yield from (d.text for d in place.details if check(d.when, state).holds)
    for id in state.scene.present_entity_ids:
        if id in state.entities:
            yield str(state.entities[id].attrs.get("description", ""))
            yield from rules.person(id).idle
    if here == rules.scenario.start.location:
        yield rules.begun.opening


def instrument_of(details: str, state: GameState) -> str:
    """The item an action is done with, where its details end in `with …`; '' if that is no known
    item."""
    named = _INSTRUMENT.search(details)
    if not named:
        return ""
    if named[1].strip() in state.entities:
        return named[1].strip()
    found = mentioned(named[1], state, ("item",))
    # What cannot be carried, such as a door with tape across it, is nothing one does a thing with.
    items = [id for id in found if state.entities[id].attrs.get("portable") is not False]
    at_hand = (item for item in items if (PLAYER, item) in state.inventory)
    others = () if is_ones_own(f"my {named[1]}") else items
    return next(iter((*at_hand, *others)), "")


def lies_here(item: str, state: GameState) -> bool:
    """Whether a thing lies in this place, and can be picked up as one goes."""
    here = holder_of(item, state) == state.scene.location_id
    return here and state.entities[item].attrs.get("portable") is not False


def owned(item: str, state: GameState, rules: Rules, said: str = "") -> Refusal | None:
    """Inventory: the player's character has it."""
    if (PLAYER, item) in state.inventory:
        return None
    name = called(item, said, state, rules)
    if name and knows_name(item, state, rules):
        lacking = f"You do not have {with_article(name)}"
    else:
        lacking = f"You have no {bare(name)}" if name else "You do not have that"
    return Refusal("inventory", f"{lacking}{_carrying(state)}.", item)


def _carrying(state: GameState) -> str:
    """The end of a sentence on what is lacking: what is not."""
    carried = what_is_carried(state)
    return f"; you carry {carried}" if carried else "; you carry nothing"


def lacking(what: str, state: GameState) -> Refusal:
    """Inventory: the player's words take a thing for granted that they do not have."""
    return Refusal("inventory", f"You have no {what}{_carrying(state)}.", PLAYER)


def gear_claimed(text: str, state: GameState, rules: Rules) -> Refusal | None:
    """Inventory: common gear that the words take for granted, such as a gun, must be carried."""
    spoken = re.sub(r"[^\w' ]+", " ", text.lower())
    if not _any_gear(tuple(rules.system.gear_words)).search(spoken):
        return None
    for gear in rules.system.gear_words:
        if re.search(rf"{_CLAIMING}{gear}s?\b", spoken):
            carried = [state.entities.get(h.item_id) for h in state.held(PLAYER)]
            around = [state.entities.get(h.item_id) for h in state.held(state.scene.location_id)]
            for item in (*carried, *around):
                if item and words(gear) <= words(
                    " ".join([item.name, *item.tags, *item.attrs.get("aliases", [])])
                ):
                    return None
            return lacking(gear, state)
    return None


@lru_cache(maxsize=64)
def _any_gear(gear: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"{_CLAIMING}(?:{'|'.join(gear) or '(?!)'})s?\b")


def not_at_hand(claim: str, state: GameState, rules: Rules) -> Refusal | None:
    """Inventory: a thing the player says they have must be carried, or lie here."""
    claimed = _HAVING.match(claim)
    wanted = words(claimed[1]) if claimed else frozenset()
    if claimed is None or not wanted or is_free_to_handle(f"my {claimed[1]}", state, rules):
        return None
    for holder in (PLAYER, state.scene.location_id):
        for holding in state.held(holder):
            item = state.entities.get(holding.item_id)
            if item and wanted <= words(
                " ".join([item.name, *item.tags, *item.attrs.get("aliases", [])])
            ):
                return None
    return lacking(claimed[1], state)


def second_thing_elsewhere(
    name: str, target: str, details: str, state: GameState, rules: Rules
) -> Refusal | None:
    """Presence: the second thing of an action was authored for other places only, and was named
    here."""
    authored = [
        a
        for a in rules.scenario.affordances
        if a.indirect and a.action == name and a.target == target
    ]
    asked = Asked(name, target, details, state)
    named = [a for a in authored if fit(a, asked)]
    if not named or any(a.at in ("", state.scene.location_id) for a in named):
        return None
    unseen = as_said(state.entities[named[0].indirect], details)
    return Refusal("presence", not_seen(unseen, state, rules), state.scene.id)


def state_type(id: str, state: GameState) -> str:
    """The type of an entity, '' when there is none."""
    entity = state.entities.get(id)
    return entity.type if entity else ""

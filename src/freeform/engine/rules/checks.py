"""The validator's single rules: each says yes, or why not and which fact stands behind it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Affordance, Exit
from freeform.engine.table import Rules
from freeform.engine.world.names import (
    is_named,
    meant,
    mentioned,
    names_of,
    overlap,
    words,
)
from freeform.engine.world.state import PLAYER, GameState

_INSTRUMENT = re.compile(r"(?:^|;\s*|\b)with\s+(?:my\s+|the\s+|an?\s+)?([\w:' -]+)$")
_CLAIMING = (
    r"\b(?:with|draw|use|pull out|take out|my|fire|swing|throw|wearing|light)\s+"
    r"(?:an?\s+|my\s+|the\s+)?"
)
_HAVING = re.compile(r"I have (?:an? |some )?([\w' -]{2,40})$")
_GONE = frozenset({"dead", "killed", "deceased", "destroyed", "unconscious", "out"})
LIKE = {
    "use": ("open", "unlock", "hack", "repair", "close", "break", "search"),
    "open": ("unlock", "use"),
    "unlock": ("open", "use", "hack"),
    "take": ("use", "open"),
    "hack": ("use", "unlock"),
    "give": ("persuade", "use"),
    "persuade": ("give",),
    "attack": ("break",),
    "break": ("open",),
}
"""Actions that may stand for another where only the other was authored."""


THINGS = ("item", "object", "npc", "location")
HERE = "here"
"""The rule of a wish to go where one is: it keeps nothing else from happening."""


@dataclass(frozen=True)
class Refusal:
    """Why not: the rule, the reason as the table says it, and the id of what stands behind it."""

    rule: str
    reason: str
    because: str = ""


def person_here(who: str, state: GameState) -> Refusal | None:
    """Presence: the person is in the scene, and able to answer."""
    name = state.name(who)
    if who not in state.scene.present_entity_ids:
        at = state.fact(who, "at")
        return Refusal("presence", f"{name} is not here.", at.id if at else state.scene.id)
    for predicate in ("status", "condition", "state"):
        fact = state.fact(who, predicate)
        if fact and str(fact.object.get("value")) in _GONE:
            return Refusal("contradiction", f"{name} is {fact.object['value']}.", fact.id)
    return None


def thing_here(item: str, state: GameState, said: str = "") -> Refusal | None:
    """Presence: the thing is in the player's hands, in plain sight here, or with someone who is
    here."""
    here = state.scene.location_id
    owners = (PLAYER, here, *state.scene.present_entity_ids)
    for owner in owners:
        holding = state.inventory.get((owner, item))
        if holding and not holding.flags.get("hidden"):
            return None
    entity = state.entities.get(item)
    if (
        entity
        and entity.type != "item"
        and (state.value(item, "at") or entity.attrs.get("location")) == here
    ):
        return None
    return Refusal("presence", f"You see no {as_said(item, said, state)} here.", state.scene.id)


def as_said(item: str, said: str, state: GameState) -> str:
    """What the player called a thing: its whole name might tell what they have not seen yet."""
    entity = state.entities.get(item)
    heard = words(said)
    names = [bare(name) for name in names_of(entity)] if entity else []
    return max(
        (name for name in names if words(name) and words(name) <= heard),
        key=len,
        default="such thing",
    )


def holder_of(item: str, state: GameState) -> str:
    """Who or what here has the thing: the player first, then the place, then whoever is present."""
    for owner in (PLAYER, state.scene.location_id, *state.scene.present_entity_ids):
        holding = state.inventory.get((owner, item))
        if holding and not holding.flags.get("hidden"):
            return owner
    return ""


def way_open(to: str, state: GameState, rules: Rules) -> tuple[list[str], Refusal | None]:
    """Location: the places one passes on the way there, or why no way leads there.

    Through places the character has been to, several ways in a row are one walk.
    """
    here = state.scene.location_id
    if to == here:
        return [], Refusal(HERE, f"You are already at {inside(state.name(here))}.", state.scene.id)
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
    name = state.name(to)
    start = first_step(to, state, rules)
    if start:
        begins = inside(state.name(start))
        reason = f"{name[:1].upper()}{name[1:]} is further off: the way there begins at {begins}."
        return [], Refusal("location", reason, here)
    return [], Refusal(
        "location", f"No way leads from here to {inside(name)}.{reachable(state, rules)}", here
    )


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


def reachable(state: GameState, rules: Rules) -> str:
    """A sentence on where one can go from here."""
    ways = [inside(state.name(way.to)) for way in rules.exits(state.scene.location_id, state)]
    return f" From here you can reach {listed(ways)}." if ways else ""


def blocked_way(way: Exit, state: GameState) -> str:
    """What an author says of a closed way."""
    return way.blocked.strip() or f"The way to {state.name(way.to)} is closed."


def instrument_of(details: str, state: GameState) -> str:
    """The item an action is done with, where its details end in `with …`; '' if that is no known
    item."""
    named = _INSTRUMENT.search(details)
    if not named:
        return ""
    if named[1].strip() in state.entities:
        return named[1].strip()
    return next(iter(mentioned(named[1], state, ("item",))), "")


def owned(item: str, state: GameState) -> Refusal | None:
    """Inventory: the player's character has it."""
    if (PLAYER, item) in state.inventory:
        return None
    have = [state.name(h.item_id) for h in state.held(PLAYER)]
    carried = f" You carry {listed(have)}." if have else " You carry nothing."
    return Refusal("inventory", f"You do not have {state.name(item)}.{carried}", item)


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
            return Refusal("inventory", f"You have no {gear}.", PLAYER)
    return None


@lru_cache(maxsize=64)
def _any_gear(gear: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"{_CLAIMING}(?:{'|'.join(gear) or '(?!)'})s?\b")


def not_at_hand(claim: str, state: GameState) -> Refusal | None:
    """Inventory: a thing the player says they have must be carried, or lie here."""
    claimed = _HAVING.match(claim)
    wanted = words(claimed[1]) if claimed else frozenset()
    if claimed is None or not wanted:
        return None
    for holder in (PLAYER, state.scene.location_id):
        for holding in state.held(holder):
            item = state.entities.get(holding.item_id)
            if item and wanted <= words(
                " ".join([item.name, *item.tags, *item.attrs.get("aliases", [])])
            ):
                return None
    return Refusal("inventory", f"You have no {claimed[1]}.", PLAYER)


def affordances_for(
    name: str, target: str, details: str, state: GameState, rules: Rules
) -> list[Affordance]:
    """What was authored for this action here, the best fitting first; kindred actions stand in when
    none fits."""
    for actions in ((name,), LIKE.get(name, ())):
        fitting = []
        for affordance in rules.scenario.affordances:
            if affordance.action not in actions or affordance.at not in (
                "",
                state.scene.location_id,
            ):
                continue
            score = _fit(affordance, target, details, state)
            if (
                actions != (name,)
                and name == "give"
                and details
                and not overlap(details, affordance.words)
            ):
                score = 0  # a gift does not stand for every deed that was authored for someone
            if (
                actions != (name,)
                and affordance.using
                and affordance.using not in details
                and affordance.using != target
            ):
                unnamed = name in (
                    "give",
                    "persuade",
                    "show",
                )  # nothing is handed over that was not named
                named = affordance.using in mentioned(details, state, ("item",)) or not unnamed
                score = score if named and (PLAYER, affordance.using) in state.inventory else 0
            if score:
                fitting.append((score, affordance))
        if fitting:
            # Who says "from the shelf" means the shelf, not whatever else the thing could be taken
            # from.
            exact = [(score, a) for score, a in fitting if a.indirect]
            return [a for _, a in sorted(exact or fitting, key=lambda pair: -pair[0])]
    return []


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
    named = [a for a in authored if _fit(a, target, details, state)]
    if not named or any(a.at in ("", state.scene.location_id) for a in named):
        return None
    return Refusal(
        "presence", f"You see no {bare(state.name(named[0].indirect))} here.", state.scene.id
    )


def _fit(affordance: Affordance, target: str, details: str, state: GameState) -> int:
    if affordance.indirect and not (
        is_named(affordance.indirect, details, state)
        and affordance.indirect in meant(details, state, THINGS)
    ):
        return 0
    spoken = overlap(f"{details} {state.name(target) if target else ''}", affordance.words)
    if (
        affordance.using
        and affordance.using != target
        and _names_another(affordance, details, spoken, state)
    ):
        return 0
    if affordance.target:
        if affordance.target == target:
            return 10 + spoken
        named = is_named(affordance.target, details, state) and affordance.target in meant(
            details, state, (*THINGS, state_type(affordance.target, state))
        )
        return 5 + spoken if named and (affordance.using in ("", target) or not target) else 0
    return spoken if affordance.words else 1


def _names_another(affordance: Affordance, details: str, spoken: int, state: GameState) -> bool:
    """The words speak of another thing than the deed is done with: giving a photo is not giving the
    gold."""
    named = mentioned(details, state, ("item",))
    if affordance.using in named:
        return False
    carried = any((PLAYER, item) in state.inventory for item in named)
    return carried or (
        affordance.action in ("give", "show") and bool(words(details)) and not spoken
    )


def state_type(id: str, state: GameState) -> str:
    """The type of an entity, '' when there is none."""
    entity = state.entities.get(id)
    return entity.type if entity else ""


def inside(name: str) -> str:
    """A name inside a sentence: its article small."""
    return re.sub(r"^(The|A|An) ", lambda article: article[0].lower(), name)


def bare(name: str) -> str:
    """A name without its article, for `no …` and `the …`."""
    return re.sub(r"^(?:the|a|an)\s+", "", name, flags=re.I)


def listed(names: list[str]) -> str:
    """Names as people list them."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"

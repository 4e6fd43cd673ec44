"""What is so now, in short lines: the small part of a question that changes every turn."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from freeform.core.text import shorten
from freeform.engine.authored.conditions import check, trust
from freeform.engine.authored.scenario import Knowledge, Offer
from freeform.engine.rules.aftermath import open_moves
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rulings.lasting import conditions_of, scenery_at
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, Fact, GameState

_WORDS, _SECRETS, _MOVES, _TOPICS = 2, 8, 4, 3
"""How many words of an offer, secrets, moves, and words of a topic are told."""


def now_seen(state: GameState, rules: Rules, named: Sequence[str] = ()) -> str:
    """What the player's character has before them; and what they know of whom they named."""
    return "\n".join([*_scene(state, rules), *_running(state), *_of_the_named(named, state)])


def _scene(state: GameState, rules: Rules) -> Iterator[str]:
    scene, here = state.scene, state.scene.location_id
    time = scene.time
    hour, minute = divmod(int(time.get("minute", 0)), 60)
    yield f"Place: {here} | {state.name(here)}, day {time.get('day', 1)}, {hour:02d}:{minute:02d}"
    ways = [f"{way.to} | {way.name or state.name(way.to)}" for way in rules.exits(here, state)]
    yield f"Ways: {'; '.join(ways) or 'none'}"
    people = [who for who in scene.present_entity_ids if who != PLAYER]
    yield f"Here: {'; '.join(_one(who, state) for who in people) or 'nobody'}"
    yield f"Carried: {_things(PLAYER, state)}. Lying here: {_things(here, state)}"
    so = [*conditions_of(PLAYER, state), *conditions_of(here, state)]
    for thing in scenery_at(here, state):
        so += conditions_of(thing, state)
    if so:
        yield f"So: {' '.join(_said(fact) for fact in so)}"


def _one(who: str, state: GameState) -> str:
    how = [str(state.value(who, name) or "") for name in ("status", "condition", "escalation")]
    how += [_said(fact) for fact in conditions_of(who, state)]
    told = ", ".join(part for part in how if part and part != "calm")
    return f"{who} | {state.name(who)}, trust {trust(who, state)}{f' ({told})' if told else ''}"


def _things(owner: str, state: GameState) -> str:
    rows = []
    for held in state.held(owner):
        count = f" x{held.qty}" if held.qty > 1 else ""
        rows.append(
            f"{held.item_id} | {state.name(held.item_id)}{count}{_state(held.item_id, state)}"
        )
    return "; ".join(rows) or "nothing"


def _state(id: str, state: GameState) -> str:
    """Locked, broken, lit: how a thing is, as far as one knows."""
    facts = (state.fact(id, name) for name in ("state", "status", "condition"))
    known = [fact for fact in facts if fact and fact.visibility == "known"]
    return f" ({known[0].object.get('value')})" if known else ""


def _running(state: GameState) -> Iterator[str]:
    clocks = [f"{c.id} {c.value}/{c.max}" for _, c in sorted(state.clocks.items())]
    asked = (thread for _, thread in sorted(state.threads.items()) if thread.status == "active")
    threads = [f"{thread.id} | {thread.title}" for thread in asked]
    yield f"Clocks: {'; '.join(clocks) or 'none'}. Open questions: {'; '.join(threads) or 'none'}"
    pressing = [
        str(fact.object.get("text", ""))
        for fact in state.facts_of(CAMPAIGN)
        if ("situation" in fact.tags and fact.object.get("value") == "active")
        or ("threat" in fact.tags and isinstance(fact.object.get("value"), dict))
    ]
    if pressing:
        yield f"Pressing: {' '.join(pressing)}"


def _of_the_named(named: Sequence[str], state: GameState) -> Iterator[str]:
    for id in named:
        facts = [fact for fact in state.facts_of(id, newest=6) if fact.visibility == "known"]
        told = [_said(fact) for fact in facts if fact.object.get("text")]
        if told:
            yield f"Known of {state.name(id)}: {' '.join(told)}"


def _said(fact: Fact) -> str:
    return shorten(str(fact.object.get("text") or fact.predicate), 160)


def now_secret(state: GameState, rules: Rules, lore: Mapping[str, Any]) -> str:
    """What only a game master knows of this moment: secrets by their ids, what people know and keep
    back, moves that fit, what clocks bring."""
    lines = [*_minds(state, rules), *_secrets(state), *_ahead(state, rules)]
    found = [
        f"{note.get('trigger', '')}: {note.get('content', '')}"
        for note in lore.get("discoverable", [])
    ]
    if found:
        lines.append(f"To be found here: {shorten('; '.join(found), 360)}")
    return "\n".join(lines)


def _minds(state: GameState, rules: Rules) -> Iterator[str]:
    for who in state.scene.present_entity_ids:
        person = rules.person(who)
        knows = [_topic(k, who, state) for k in person.knows if check(k.when, state).holds]
        keeps = [_topic(k, who, state) for k in person.withholds if check(k.when, state).holds]
        if knows or keeps:
            told, kept = "; ".join(knows) or "-", "; ".join(keeps) or "-"
            yield f"{who} can tell: {told}. Keeps back: {kept}"


def _topic(known: Knowledge, who: str, state: GameState) -> str:
    told = " (told)" if state.value(who, f"told:{known.id}") else ""
    return f"{known.id} [{', '.join(known.topics[:_TOPICS])}]{told}"


def _secrets(state: GameState) -> Iterator[str]:
    here = {state.scene.location_id, *state.scene.present_entity_ids}
    hidden = [state.facts[id] for id in state.hidden if state.facts[id].subject_id in here]
    for fact in hidden[:_SECRETS]:
        yield f"Secret {fact.id}: {_said(fact)}"


def _ahead(state: GameState, rules: Rules) -> Iterator[str]:
    moves = [move for _, move in zip(range(_MOVES), open_moves(state, rules), strict=False)]
    if moves:
        told = "; ".join(f"{m.id} ({m.type}): {shorten(m.text[0].strip(), 120)}" for m in moves)
        yield f"Moves: {told}"
    for clock in state.clocks.values():
        coming = (at for at in clock.triggers if at.isdecimal() and int(at) > clock.value)
        ahead = [(int(at), clock.triggers[at]) for at in sorted(coming, key=int)]
        if ahead and ahead[0][0] - clock.value == 1:
            at, trigger = ahead[0]
            yield f"When {clock.id} is {at}: {shorten(str(trigger.get('text', '')), 160)}"
    yield f"Quiet turns: {int(state.value(CAMPAIGN, 'quiet') or 0)}"


def open_deeds(offers: Sequence[Offer], state: GameState, rules: Rules) -> list[Offer]:
    """Of what was authored for here, what can be done now; and what searching would find."""
    deeds = rules.scenario.deeds
    now = [o for o in offers if o.id not in deeds or check(deeds[o.id].when, state).holds]
    here = state.scene.location_id
    spots = [spot for spot in rules.scenario.discoverables if spot.at == here]
    found = [
        Offer(action="search", target_id=spot.trigger, words=spot.words[:_WORDS])
        for spot in spots
        if check(spot.when, state).holds
    ]
    return [*now, *found]


def offers_told(offers: Sequence[Offer]) -> str:
    """Authored deeds, a line each."""
    rows = [
        f"- {offer.id or 'no id'}: {offer.action} {offer.target_id} "
        f"({', '.join(offer.words[:_WORDS])})"
        for offer in offers
    ]
    return "\n".join(rows) or "none"

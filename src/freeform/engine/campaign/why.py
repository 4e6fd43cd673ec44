"""Where a fact comes from: the turn that made or revealed it, the pack behind it, or session
zero."""

from collections.abc import Iterable
from typing import Any

from rapidfuzz import process

from freeform.core.errors import NotFound
from freeform.core.text import shorten
from freeform.engine.log import Begun, Changed, Logged, Narrated, Resolved
from freeform.engine.rules.known import called, is_known
from freeform.engine.shelf.quotes import page_behind
from freeform.engine.table import Rules, Table
from freeform.engine.world.by_hand import BY_ITSELF
from freeform.engine.world.state import PLAYER, GameState


async def why(
    campaign: str, fact_id: str, table: Table, *, known_only: bool = False
) -> dict[str, Any]:
    """The fact (or the person, place or thing), and every step of its life on this branch, oldest
    first.

    `known_only`: a fact that the player has not learnt is as if it were not there.
    """
    state = await table.store.get_state(campaign)
    begun = await table.store.begun(campaign)
    books = table.lore.books if table.lore else None
    entity = state.entities.get(fact_id)
    rules = table.rules(begun, state)
    if entity is not None and (not known_only or _has_met(entity.id, state, rules)):
        chain = [{"what": "scenario", "scenario": begun.scenario.id, "turn_no": 0}]
        made = _first(await table.store.read(campaign), fact_id)
        if made:
            chain = [made]
        if entity.pack_id:
            about = f"{entity.name} {entity.attrs.get('description', '')}"
            chain.insert(
                0, page_behind(entity, entity.pack_id, about, begun.packs, books, open_only=True)
            )
        being = {
            "id": entity.id,
            "subject_id": entity.id,
            "predicate": "is",
            "object": {"text": entity.name},
        }
        shown = {"id", "type", "name"} if known_only else None
        dumped = entity.model_dump(mode="json", include=shown)
        return {"fact": being, "entity": dumped, "chain": chain}
    fact = state.facts.get(fact_id)
    if fact is None or (known_only and fact.visibility != "known"):
        listed = [f.id for f in state.facts.values() if f.visibility == "known"]
        near = process.extractOne(fact_id, listed, score_cutoff=50)
        hint = f"; did you mean '{near[0]}'?" if near else "; `freeform-rpg state` lists facts"
        raise NotFound(f"no fact '{fact_id}' in '{campaign}'{hint}")
    steps = (_step(logged, fact_id) for logged in await table.store.read(campaign))
    taken = [step for step in steps if step]
    chain = [step for number, step in enumerate(taken) if step["what"] != "changed" or number]
    subject = state.entities.get(fact.subject_id)
    pack = fact.pack_id or (subject.pack_id if subject else None)
    if pack:
        text = str(fact.object.get("text") or f"{fact.predicate} {fact.object.get('value', '')}")
        known = fact.visibility == "known"
        chain.insert(0, page_behind(subject, pack, text, begun.packs, books, open_only=known))
    return {"fact": fact.model_dump(mode="json"), "chain": chain}


def _has_met(entity_id: str, state: GameState, rules: Rules) -> bool:
    """Whether the player has heard of someone or something, by any word for it."""
    return is_known(entity_id, state, rules) and bool(called(entity_id, "", state, rules))


def _first(entries: Iterable[Logged], entity_id: str) -> dict[str, Any] | None:
    """The turn that brought an entity into the world; None for those it began with."""
    for logged in entries:
        added = any(entity.id == entity_id for entity in logged.entry.state_diff.entities_add)
        if added and not isinstance(logged.entry, Begun):
            return {"what": "made", "turn_no": logged.turn_no, "at": logged.at}
    return None


def _rolls_on(entry: Resolved, fact_id: str) -> list[dict[str, Any]]:
    """The rolls of that turn by or against the one whom a fact is about, with their parts."""
    subject = fact_id.partition("#")[0]
    bearing = (r for r in entry.rolls if subject in (r.target_id, r.by or PLAYER))
    return [roll.model_dump(mode="json") for roll in bearing if roll.parts or roll.kind]


def _step(logged: Logged, fact_id: str) -> dict[str, Any] | None:
    entry = logged.entry
    added = any(fact.id == fact_id for fact in entry.state_diff.facts_add)
    updated = next((u for u in entry.state_diff.facts_update if u.id == fact_id), None)
    if not added and updated is None:
        return None
    match entry:
        case Begun(scenario=scenario):
            made = next(f for f in entry.state_diff.facts_add if f.id == fact_id)
            source = "session zero" if made.discovery_method == "session zero" else "scenario"
            return {"what": source, "scenario": scenario.id, "turn_no": 0, "at": logged.at}
        case Resolved() | Narrated():
            what = (
                "made"
                if added
                else ("revealed" if updated and updated.visibility == "known" else "changed")
            )
            words = entry.player_input if isinstance(entry, Resolved) else entry.final_text
            method = updated.discovery_method if updated else None
            rolls = _rolls_on(entry, fact_id) if isinstance(entry, Resolved) else []
            step: dict[str, Any] = {"rolls": rolls} if rolls else {}
            return {
                **step,
                "what": what,
                "turn_no": entry.turn_no,
                "by": "the rules" if isinstance(entry, Resolved) else "the narrator",
                "method": method,
                "text": shorten(words, 200),
                "at": logged.at,
            }
        case Changed(why=reason, details=details):
            what = "made" if added and reason in BY_ITSELF else "changed"
            step = {"what": what, "turn_no": logged.turn_no, "by": reason, "at": logged.at}
            said = details.get("why") or details.get("said") or details.get("text")
            return {**step, "text": said} if said else step

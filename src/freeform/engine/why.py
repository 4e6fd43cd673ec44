"""Where a fact comes from: the turn that made or revealed it, the pack behind it, or session zero."""

from typing import Any

from rapidfuzz import process

from freeform.core.errors import NotFound
from freeform.core.text import shorten
from freeform.engine.log import Begun, Changed, Logged, Narrated, Resolved
from freeform.engine.table import Table


async def why(campaign: str, fact_id: str, table: Table) -> dict[str, Any]:
    """The fact, and every step of its life on this branch, oldest first."""
    state = await table.store.get_state(campaign)
    fact = state.facts.get(fact_id)
    if fact is None or fact.visibility == "engine":
        told = [f.id for f in state.facts.values() if f.visibility == "known"]
        near = process.extractOne(fact_id, told, score_cutoff=50)
        hint = f"; did you mean '{near[0]}'?" if near else "; `freeform-rpg state` lists facts"
        raise NotFound(f"no fact '{fact_id}' in '{campaign}'{hint}")
    steps = [step for logged in await table.store.read(campaign) if (step := _step(logged, fact_id))]
    chain = [step for number, step in enumerate(steps) if step["what"] != "changed" or number]
    if fact.pack_id:
        chain.insert(0, {"what": "pack", "pack": fact.pack_id})
    return {"fact": fact.model_dump(mode="json"), "chain": chain}


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
            what = "made" if added else ("revealed" if updated and updated.visibility == "known" else "changed")
            words = entry.player_input if isinstance(entry, Resolved) else entry.final_text
            method = updated.discovery_method if updated else None
            return {
                "what": what,
                "turn_no": entry.turn_no,
                "by": "the rules" if isinstance(entry, Resolved) else "the narrator",
                "method": method,
                "text": shorten(words, 200),
                "at": logged.at,
            }
        case Changed(why=reason):
            return {"what": "changed", "turn_no": logged.turn_no, "by": reason, "at": logged.at}

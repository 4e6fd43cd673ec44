"""Prompts pinned for one campaign: it goes on with a version while others move to the next."""

from freeform.engine.log import Changed
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.table import Table
from freeform.engine.world.model import FactUpdate, StateDiff
from freeform.engine.world.state import Fact, fact_id

PINS = "pins"


async def pin(campaign: str, prompt: str, version: int, table: Table) -> dict[str, int]:
    """Uses that version from the next turn on. Gives every pin of the campaign."""
    head = await table.store.head(campaign)
    state = await table.store.get_state(campaign)
    there = state.fact(CAMPAIGN, PINS)
    pins = {**(there.object.get("value", {}) if there else {}), prompt: version}
    if there:
        diff = StateDiff(facts_update=[FactUpdate(id=there.id, object={"value": pins})])
    else:
        fact = Fact(
            id=fact_id(CAMPAIGN, PINS),
            subject_id=CAMPAIGN,
            predicate=PINS,
            object={"value": pins},
            visibility="engine",
        )
        diff = StateDiff(facts_add=[fact])
    changed = Changed(why="pin", details={"prompt": prompt, "version": version}, state_diff=diff)
    await table.store.append(campaign, [changed], after=head)
    return pins

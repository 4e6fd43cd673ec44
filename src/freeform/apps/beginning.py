"""Beginning a campaign, from whichever app: under a free name where none is wanted, with a seed drawn where none is given."""

from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.log import Begun
from freeform.engine.table import Table


async def begin_campaign(
    scenario: Scenario,
    table: Table,
    answers: Answers,
    name: str | None = None,
    seed: int | None = None,
) -> tuple[str, Begun]:
    """The new campaign's name, and how it began."""
    chosen = name or await free_name(scenario.id, table)
    drawn = int(table.ids.new("seed").rpartition("_")[2], 16) % 2**31 if seed is None else seed
    return chosen, await begin(scenario, chosen, drawn, answers, table)


async def free_name(wanted: str, table: Table) -> str:
    """The name, or the name with the first free number."""
    taken = {row.id for row in await table.store.campaigns()}
    numbered = (f"{wanted}-{number}" for number in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(name for name in numbered if name not in taken)

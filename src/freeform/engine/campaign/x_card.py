"""The X-card: takes the last turn back and keeps what it held out of play from now on.

No reason is asked.
"""

from freeform.core.text import visible
from freeform.engine.campaign.timeline import SAFETY, undo
from freeform.engine.log import Changed, LogPosition
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.safety import LIMIT, changed_limits, limit_key
from freeform.engine.table import Table


async def x_card(campaign: str, what: str, table: Table) -> LogPosition:
    """Rewinds the last turn, if there is one, and excludes `what` (may be empty: then it only
    rewinds)."""
    head = await table.store.head(campaign)
    if head.turn_no:
        head = await undo(campaign, 1, table.store)
    excluded = visible(what)
    if not excluded:
        return head
    page = Ledger(await table.store.get_state(campaign))
    listed = [*(page.state.value(CAMPAIGN, "excluded") or [])]
    page.note(CAMPAIGN, "excluded", list(dict.fromkeys([*listed, excluded])))
    key = limit_key(excluded)
    if key in changed_limits(page.state):  # what the table had changed before is a line again
        page.note(CAMPAIGN, f"{LIMIT}{key}", {"topic": excluded, "kind": "line"})
    entry = Changed(why=SAFETY, details={"excluded": excluded}, state_diff=page.diff)
    return await table.store.append(campaign, [entry], after=head)

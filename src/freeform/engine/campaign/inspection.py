"""Looking at turns from outside: what one would be told, and what one was."""

from typing import Any

from freeform.core.errors import NotFound
from freeform.engine.context import Moment, token_split
from freeform.engine.log import Narrated, Resolved
from freeform.engine.rules.change import join
from freeform.engine.table import Rules, Table

RECENT = 6


async def context_for(campaign: str, text: str, table: Table) -> dict[str, Any]:
    """The packet a turn with that text would send, in the player's view, and its weight in
    tokens."""
    state = await table.store.get_state(campaign)
    rules = Rules.of(await table.store.begun(campaign)).knowing(state)
    packet = Moment(state, text, rules, await table.store.recent(campaign, RECENT)).packet()
    return {**packet.model_dump(mode="json"), "tokens": token_split(packet)}


async def recorded(campaign: str, turn_no: int, table: Table) -> dict[str, Any]:
    """The row of `events` for a turn of the active branch, its JSON fields parsed."""
    head = await table.store.head(campaign)
    logged = (
        await table.store.read(campaign, turn_no, turn_no) if 0 < turn_no <= head.turn_no else []
    )
    facts = next((row.entry for row in logged if isinstance(row.entry, Resolved)), None)
    if facts is None:
        raise NotFound(f"no turn {turn_no} in '{campaign}'; it has turns 1 to {head.turn_no}")
    narrated = next((row.entry for row in logged if isinstance(row.entry, Narrated)), None)
    outputs: dict[str, Any] = {
        "interpreter": facts.interpreter,
        "validator": facts.validator,
        "planner": facts.planner,
        "rolls": facts.rolls,
    }
    if narrated:
        outputs |= {"narrator": narrated.narrator, "rejected": narrated.rejected}
    return {
        "id": facts.turn_id,
        "campaign_id": campaign,
        "branch": head.branch,
        "turn_no": turn_no,
        "take": facts.take,
        "player_input": facts.player_input,
        "context_packet": facts.context_packet.model_dump(mode="json"),
        "pass_outputs": {name: _data(output) for name, output in outputs.items()},
        "engine_events": _data(facts.engine_events),
        "state_diff": _data(
            join(facts.state_diff, narrated.state_diff) if narrated else facts.state_diff
        ),
        "final_text": narrated.final_text if narrated else "",
        "prompt_versions": {
            **facts.prompt_versions,
            **(narrated.prompt_versions if narrated else {}),
        },
        "at": [row.at for row in logged],
    }


def _data(value: Any) -> Any:
    return (
        [_data(one) for one in value] if isinstance(value, list) else value.model_dump(mode="json")
    )

"""Who acts: several characters share one story, and one of them at a time stands in the light."""

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.campaign.apart import into_scene
from freeform.engine.log import Changed
from freeform.engine.table import Table
from freeform.engine.world.model import EntityUpdate, StateDiff
from freeform.engine.world.state import PLAYER, GameState

SPOTLIGHT = "spotlight"


class Actor(Record):
    """A character that a turn is played as."""

    id: str
    name: str
    concept: str = ""
    pronouns: str = "they/them"
    stats: dict[str, int] = Field(default_factory=dict)


async def step_into(campaign: str, actor: Actor, table: Table) -> None:
    """Puts the character in the light, unless it stands there."""
    head, state = await table.store.head(campaign), await table.store.get_state(campaign)
    diff = into_light(actor, state)
    if diff is not None:
        entry = Changed(why=SPOTLIGHT, details={"character": actor.id}, state_diff=diff)
        await table.store.append(campaign, [entry], after=head)


def into_light(actor: Actor, state: GameState) -> StateDiff | None:
    """What changes when a character steps into the light; None for who stands there. Where heroes
    are in different places, the light falls on the character's own."""
    now, scene = state.entities[PLAYER], into_scene(actor.id, state)
    if now.name == actor.name and now.attrs.get("stats") == actor.stats:
        return scene
    first = actor.name.split()[0]
    attrs = {
        "concept": actor.concept,
        "pronouns": actor.pronouns,
        "stats": actor.stats,
        "aliases": list(dict.fromkeys(["me", "myself", first, first.lower()])),
    }
    update = EntityUpdate(id=PLAYER, name=actor.name, attrs=attrs)
    return (scene or StateDiff()).model_copy(update={"entities_update": [update]})

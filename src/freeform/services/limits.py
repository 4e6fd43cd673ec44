"""A table's lines and veils: what holds, how it is held, and changing it in play."""

from freeform import wiring
from freeform.core.record import Record
from freeform.engine.campaign import limits as engine
from freeform.engine.campaign.limits import LimitChange
from freeform.engine.log import LogPosition
from freeform.services.house import House

BY_MEANING = "held by word and by meaning"


class LimitsShown(Record):
    """The lines and veils that hold now, and how they are held."""

    lines: list[str]
    veils: list[str]
    by_meaning: bool
    note: str


async def show_limits(house: House, campaign: str) -> LimitsShown:
    """What this table keeps out, or leaves to pass off-screen."""
    held = await engine.read_limits(campaign, house.table)
    note = how_held()
    return LimitsShown(lines=held.lines, veils=held.veils, by_meaning=note == BY_MEANING, note=note)


async def change_limits(house: House, campaign: str, change: LimitChange) -> LogPosition:
    """Draws lines and veils, or takes them away; holds from the next sentence on."""
    return await engine.change_limits(campaign, change, house.table)


def how_held() -> str:
    """How lines and veils are held on this machine; where only by word, why."""
    problem = wiring.topics_problem()
    return f"held by their words alone: {problem}" if problem else BY_MEANING

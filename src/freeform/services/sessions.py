"""Game nights: opening and closing one, listing them, and what happened before."""

from freeform.core.record import Record
from freeform.engine.campaign import sessions as nights
from freeform.engine.campaign.sessions import Session
from freeform.services.house import House


class LookedBack(Record):
    """What happened before, and the last night that ended, where there is one."""

    recap: str
    last: Session | None = None


async def start_session(house: House, campaign: str) -> Session:
    """Opens a game night."""
    return await nights.start_session(campaign, house.table)


async def end_session(house: House, campaign: str) -> Session:
    """Closes the game night with a summary of its turns."""
    return await nights.end_session(campaign, house.table)


async def list_sessions(house: House, campaign: str) -> list[Session]:
    """The game nights, oldest first."""
    return nights.history(await house.table.store.get_state(campaign))


async def recap(house: House, campaign: str) -> LookedBack:
    """What happened before: of the last night that ended, else of the turns so far."""
    told = await nights.recap(campaign, house.table)
    ended = [night for night in await list_sessions(house, campaign) if night.ended_at]
    return LookedBack(recap=told, last=ended[-1] if ended else None)


async def open_night(house: House, campaign: str) -> Session | None:
    """Opens a game night where none is open; None where one is, or where play could go forward."""
    state = await house.table.store.get_state(campaign)
    # After an undo the way forward would be lost by writing anything.
    if nights.active(state) or await house.table.store.redo_entry(campaign) is not None:
        return None
    return await start_session(house, campaign)

"""A game master's hand: corrections, words that are so, whispers, a note, style, pins."""

from collections.abc import Mapping
from typing import Literal

from pydantic import ValidationError

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.engine.hand import correct, direct, pen
from freeform.engine.hand import say as saying
from freeform.engine.hand.correct import Corrected
from freeform.engine.hand.direct import Style
from freeform.engine.world.by_hand import direction_of, pinned_by_hand
from freeform.services.gm.telling import pen_wish
from freeform.services.house import House


def style_of(parts: Mapping[str, str | None]) -> Style:
    """A style as a person wrote it; UserError says what each part may be."""
    try:
        return Style.model_validate(dict(parts))
    except ValidationError as bad:
        part = str(bad.errors()[0]["loc"][0])
        may_be = {"length": "short, medium, long", "person": "first, second, third"}
        said = may_be.get(part, "present, past")
        raise UserError(f"{part} is one of {said}, or '' for the narrator's choice") from None


Verb = Literal["do", "say", "whisper", "note", "pin", "unpin"]
"""What a game master can do with words."""
PenVerb = Literal["tell", "reword", "retell"]
"""What one does who takes the narrator's pen."""


class HandShown(Record):
    """What holds by a game master's hand now."""

    whispers: list[str]
    note: str
    style: dict[str, str]
    pinned: list[str]


async def lay_down(
    house: House, campaign: str, verb: Verb, text: str, *, why: str = "", turns: int = 1
) -> Corrected:
    """One of a game master's verbs, by its name."""
    match verb:
        case "do":
            return await do(house, campaign, text, why)
        case "say":
            return await say(house, campaign, text, why)
        case "whisper":
            return await whisper(house, campaign, text, turns)
        case "note":
            return await note(house, campaign, text)
        case _:
            return await pin(house, campaign, text, pinned=verb == "pin")


async def hold_pen(
    house: House, campaign: str, verb: PenVerb, text: str = "", turn_no: int = 0
) -> Corrected:
    """`tell` writes the next turn as it stands, `reword` says what a turn reads from now on,
    `retell` has the last one told in other words."""
    if verb == "tell":
        wish = await pen_wish(house, campaign)
        return await pen.write_turn(campaign, text, house.table, wish)
    if verb == "reword":
        return await pen.reword(campaign, text, turn_no, house.table)
    return await pen.retell(campaign, house.table)


async def do(house: House, campaign: str, effects: str, why: str = "") -> Corrected:
    """Edits the state by effects, as YAML."""
    return await correct.correct(campaign, effects, why, house.table)


async def say(house: House, campaign: str, text: str, why: str = "") -> Corrected:
    """Says something that is so from now on."""
    return await saying.say(campaign, text, why, house.table)


async def whisper(house: House, campaign: str, text: str, turns: int = 1) -> Corrected:
    """Directs the model for the next turn, or the next few."""
    return await direct.whisper(campaign, text, turns, house.table)


async def note(house: House, campaign: str, text: str) -> Corrected:
    """Leaves an author's note that is told every turn; '' takes it away."""
    return await direct.note(campaign, text, house.table)


async def style(house: House, campaign: str, wanted: Style) -> Corrected:
    """Says how prose is told."""
    return await direct.set_style(campaign, wanted, house.table)


async def pin(house: House, campaign: str, fact_id: str, *, pinned: bool = True) -> Corrected:
    """Pins a fact, or takes the pin away."""
    return await direct.pin_fact(campaign, fact_id, house.table, pinned=pinned)


async def show(house: House, campaign: str) -> HandShown:
    """What holds now."""
    state = await house.table.store.get_state(campaign)
    held = direction_of(state.at_turn(state.turn_no + 1))
    return HandShown(
        whispers=held.get("whispers", []),
        note=held.get("note", ""),
        style=held.get("style", {}),
        pinned=pinned_by_hand(state),
    )

"""A premise typed where a first turn was awaited: it is offered as a story, with a way to say it
here after all."""

from typing import TYPE_CHECKING

from freeform.core.errors import UserError
from freeform.services.scenario.forging import ForgeOrder, begin_forged, sounds_like_a_premise

if TYPE_CHECKING:
    from freeform.apps.cli.play.seat import TerminalSeat

YES = frozenset({"yes", "y", "yes please", "ok", "begin"})


def begin_story(seat: "TerminalSeat", premise: str, campaign: str | None = None) -> None:
    """Begins a story of that premise, and shows where it stands."""
    begun = seat.wait(begin_forged(seat.house, ForgeOrder(premise=premise), campaign=campaign))
    before, seat.campaign, seat.offered = seat.campaign, begun.campaign, ""
    seat.voice.line()
    seat.voice.line(f"{begun.name} ({begun.campaign}), seed {begun.seed}", "bold")
    if before:
        seat.voice.line(f"Back to where you were: freeform-rpg play --campaign {before}", "dim")


def new_story(seat: "TerminalSeat", rest: str) -> None:
    """`/new PREMISE`, or `/new` for the one that was typed just now."""
    premise = rest.strip() or seat.offered
    if not premise:
        raise UserError("/new PREMISE begins a story of yours: a sentence of what it is about")
    begin_story(seat, premise)
    seat.open_night()
    seat.show_last()


def is_offered(seat: "TerminalSeat", text: str) -> bool:
    """Whether what was typed before the first turn is offered as a story of its own; the second
    time it is said it is meant for this table. A script is never asked: its lines are played."""
    if not seat.desk.is_terminal:
        return False
    if seat.offered and text.casefold().strip(" .!") in YES:
        new_story(seat, "")
        return True
    was_offered, seat.offered = seat.offered == text, ""
    state = seat.state()
    if was_offered or state.turn_no or not sounds_like_a_premise(text, state):
        return False
    seat.offered = text
    seat.voice.line(f"That could be a story of its own: {text}")
    seat.voice.line("/new (or yes) begins it. Say it once more, and it is said here.", "dim")
    return True

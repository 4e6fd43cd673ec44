"""Verbs of game nights, `session …`; and `diverged`, what play has made of the packs."""

from typing import TYPE_CHECKING, Any

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.engine.campaign.diverged import Divergence
    from freeform.engine.campaign.sessions import Session

session = typer.Typer(
    help="Game nights: when one began and ended, and what it came to.", no_args_is_help=True
)


def add_to(app: typer.Typer) -> None:
    """Adds the group and the verb."""
    app.add_typer(session, name="session")
    app.command(epilog="Example: freeform-rpg diverged a")(diverged)


@session.command(epilog="Example: freeform-rpg session start a")
def start(ctx: typer.Context, campaign: Campaign) -> None:
    """Opens a game night."""
    from freeform.services.sessions import start_session

    desk = at(ctx)
    opened = desk.run(lambda house: start_session(house, campaign))
    desk.answer(opened, [session_line(opened)])


@session.command(epilog="Example: freeform-rpg session end a --json")
def end(ctx: typer.Context, campaign: Campaign) -> None:
    """Closes the game night with a summary of its turns."""
    from freeform.services.sessions import end_session

    desk = at(ctx)
    ended = desk.run(lambda house: end_session(house, campaign))
    desk.answer(ended, [session_line(ended), ended.summary or "Nothing was played."])


@session.command("list", epilog="Example: freeform-rpg session list a")
def list_(ctx: typer.Context, campaign: Campaign) -> None:
    """Lists the game nights, oldest first."""
    from freeform.services.sessions import list_sessions

    desk = at(ctx)
    nights = desk.run(lambda house: list_sessions(house, campaign))
    lines: list[str] = []
    for night in nights:
        lines.append(session_line(night))
        if night.summary is not None:
            lines.append(f"  {night.summary}")
    none = [f"No session yet: `freeform-rpg session start {campaign}` opens one."]
    desk.answer({"campaign": campaign, "sessions": nights}, lines or none)


@session.command(epilog="Example: freeform-rpg session recap a")
def recap(ctx: typer.Context, campaign: Campaign) -> None:
    """Tells what happened before: of the last night that ended, else of the turns so far."""
    from freeform.services.sessions import recap as look_back

    desk = at(ctx)
    told = desk.run(lambda house: look_back(house, campaign))
    last: dict[str, Any] = told.last.model_dump(mode="json") if told.last else {}
    desk.answer({"campaign": campaign, **last, "recap": told.recap}, [told.recap])


def session_line(night: "Session") -> str:
    """A night as a person reads it."""
    number = night.id.rpartition("_")[2]
    day = _day(night.started_at)
    first, last = night.turn_range_start, night.turn_range_end or 0
    if night.ended_at is None:
        return f"Session {number}: open since {day}, from turn {first}"
    if last < first:
        return f"Session {number}: {day}, no turns"
    return f"Session {number}: {day}, turns {first} to {last}"


def _day(moment: str) -> str:
    return moment[:16].replace("T", " ")


def diverged(ctx: typer.Context, campaign: Campaign) -> None:
    """Shows what play has changed of what came out of a pack. Tells secrets."""
    from freeform.services import campaigns

    desk = at(ctx)
    found = desk.run(lambda house: campaigns.diverged(house, campaign), model=False)
    none = ["Everything out of a pack is as it was at the beginning."]
    if desk.json or not found.entities:
        desk.answer(found, none)
        return
    if desk.is_plain:
        desk.answer(found, _rows(found))
        return
    from rich.table import Table as Drawn

    drawn = Drawn("who or what", "changed", "at the beginning", "now")
    for strayed in found.entities:
        for change in strayed.changes:
            drawn.add_row(strayed.name, change.what, change.before or "-", change.now or "-")
    desk.console.print(drawn, markup=False)


def _rows(found: "Divergence") -> list[str]:
    rows: list[str] = []
    for strayed in found.entities:
        for change in strayed.changes:
            was, now = change.before or "-", change.now or "-"
            rows.append(f"{strayed.name} ({strayed.id})  {change.what}: {was} -> {now}")
    return rows

"""Verbs of game nights: `session start|end|list|recap`, and `diverged`, what play has made of the packs."""

from typing import TYPE_CHECKING, Any

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.engine.campaign.diverged import Divergence
    from freeform.engine.campaign.sessions import Session
    from freeform.engine.table import Table

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
    from freeform.engine.campaign.sessions import start_session

    desk = at(ctx)
    opened = desk.run(lambda table: start_session(campaign, table))
    desk.answer(opened, [session_line(opened)])


@session.command(epilog="Example: freeform-rpg session end a --json")
def end(ctx: typer.Context, campaign: Campaign) -> None:
    """Closes the game night with a summary of its turns."""
    from freeform.engine.campaign.sessions import end_session

    desk = at(ctx)
    ended = desk.run(lambda table: end_session(campaign, table))
    desk.answer(ended, [session_line(ended), ended.summary or "Nothing was played."])


@session.command("list", epilog="Example: freeform-rpg session list a")
def list_(ctx: typer.Context, campaign: Campaign) -> None:
    """Lists the game nights, oldest first."""
    from freeform.engine.campaign.sessions import history

    async def work(table: "Table") -> "list[Session]":
        return history(await table.store.get_state(campaign))

    desk = at(ctx)
    nights = desk.run(work)
    lines = [
        line
        for night in nights
        for line in (session_line(night), f"  {night.summary}")
        if line != "  None"
    ]
    none = [f"No session yet: `freeform-rpg session start {campaign}` opens one."]
    document = {
        "campaign": campaign,
        "sessions": [night.model_dump(mode="json") for night in nights],
    }
    desk.answer(document, lines or none)


@session.command(epilog="Example: freeform-rpg session recap a")
def recap(ctx: typer.Context, campaign: Campaign) -> None:
    """Tells what happened before: of the last night that ended, else of the turns so far."""
    from freeform.engine.campaign.sessions import history
    from freeform.engine.campaign.sessions import recap as look_back

    async def work(table: "Table") -> tuple[str, "list[Session]"]:
        return await look_back(campaign, table), history(await table.store.get_state(campaign))

    desk = at(ctx)
    told, nights = desk.run(work)
    ended = [night for night in nights if night.ended_at]
    last: dict[str, Any] = ended[-1].model_dump(mode="json") if ended else {}
    desk.answer({"campaign": campaign, **last, "recap": told}, [told])


def session_line(night: "Session") -> str:
    """A night as a person reads it."""
    number = night.id.rpartition("_")[2]
    if night.ended_at is None:
        return f"Session {number}: open since {_day(night.started_at)}, from turn {night.turn_range_start}"
    turns = (
        f"turns {night.turn_range_start} to {night.turn_range_end}"
        if (night.turn_range_end or 0) >= night.turn_range_start
        else "no turns"
    )
    return f"Session {number}: {_day(night.started_at)}, {turns}"


def _day(moment: str) -> str:
    return moment[:16].replace("T", " ")


def diverged(ctx: typer.Context, campaign: Campaign) -> None:
    """Shows what play has changed of what came out of a pack. Tells secrets."""
    from freeform.engine.campaign.diverged import diverged as compare

    async def work(table: "Table") -> "Divergence":
        return await compare(campaign, table.store)

    desk = at(ctx)
    found = desk.run(work)
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
    return [
        f"{strayed.name} ({strayed.id})  {change.what}: {change.before or '-'} -> {change.now or '-'}"
        for strayed in found.entities
        for change in strayed.changes
    ]

"""The verb of safety: a table's lines and veils, shown and changed."""

from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.services.house import House
    from freeform.services.limits import LimitsShown


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog='Example: freeform-rpg limits a --line spiders --veil "harm to children"')(
        limits
    )


def limits(
    ctx: typer.Context,
    campaign: Campaign,
    line: Annotated[
        list[str] | None, typer.Option(help="Never to be shown from now on.", metavar="TOPIC")
    ] = None,
    veil: Annotated[
        list[str] | None, typer.Option(help="Only off-screen from now on.", metavar="TOPIC")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option(help="No line and no veil any more.", metavar="TOPIC")
    ] = None,
) -> None:
    """Shows the lines and veils of a campaign, and changes them."""
    from freeform.engine.campaign.limits import LimitChange
    from freeform.services.limits import change_limits, show_limits

    change = LimitChange(lines=line or [], veils=veil or [], remove=remove or [])

    async def work(house: "House") -> "LimitsShown":
        if line or veil or remove:
            await change_limits(house, campaign, change)
        return await show_limits(house, campaign)

    desk = at(ctx)
    shown = desk.run(work, model=False)
    desk.answer(shown, limit_lines(shown))


def limit_lines(shown: "LimitsShown") -> list[str]:
    """Lines and veils as a person reads them."""
    return [
        f"Lines, never shown: {', '.join(shown.lines) or 'none'}",
        f"Veils, only off-screen: {', '.join(shown.veils) or 'none'}",
        f"They are {shown.note}.",
    ]

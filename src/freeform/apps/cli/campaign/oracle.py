"""The oracle: a yes or no by odds, or a row of a random table."""

from typing import Annotated

import typer

from freeform.apps.cli.desk import at


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: freeform-rpg oracle a 'is the bridge guarded?' --odds likely")(
        oracle
    )


def oracle(
    ctx: typer.Context,
    campaign: Annotated[str, typer.Argument(help="The campaign's id.")],
    text: Annotated[
        list[str] | None,
        typer.Argument(help="A question, or the name of a table; none lists them.", metavar="TEXT"),
    ] = None,
    odds: Annotated[
        str, typer.Option(help="How likely a yes is: unlikely, even, likely …", metavar="ODDS")
    ] = "",
) -> None:
    """Asks the oracle: rolled in the open, kept in the log, taken back by `undo`."""
    from freeform.services.gm import oracle as asking

    desk = at(ctx)
    if not text:
        shelf = desk.run(lambda house: asking.list_tables(house, campaign), model=False)
        desk.answer(shelf, [f"{row.id}: {row.about}" for row in shelf.tables])
        return
    said = " ".join(text)
    answer = desk.run(lambda house: asking.ask_oracle(house, campaign, said, odds), model=False)
    desk.answer(answer, [answer.text])

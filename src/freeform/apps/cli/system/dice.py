"""The verb `roll`."""

from typing import Annotated

import typer

from freeform.apps.cli.desk import at


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(
        epilog="Example: freeform-rpg roll 4d6kh3 --seed 7",
        context_settings={"ignore_unknown_options": True},
    )(roll)


def roll(
    ctx: typer.Context,
    expr: Annotated[
        list[str], typer.Argument(help="Dice, e.g. 2d6+1, 4d6kh3, 1d20+5.", metavar="EXPR")
    ],
) -> None:
    """Rolls dice."""
    from freeform.core.ids import RandomIds
    from freeform.services.play import roll_dice

    desk = at(ctx)
    seed = desk.settings.seed
    rolled = roll_dice(" ".join(expr), RandomIds().new("roll") if seed is None else seed)
    desk.answer(rolled, [rolled.text])

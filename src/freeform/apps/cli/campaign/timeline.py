"""Verbs of time: undo, redo, retry, branches."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.campaign.turns import Campaign, told
from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.engine.log import Branch, LogPosition
    from freeform.engine.table import Table
    from freeform.engine.world.model import TurnResult


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: freeform-rpg undo a 2")(undo)
    app.command(epilog="Example: freeform-rpg redo a")(redo)
    app.command(epilog="Example: freeform-rpg retry a")(retry)
    app.command(epilog="Example: freeform-rpg branch a --turn 3 --name what-if")(branch)
    app.command(epilog="Example: freeform-rpg branches a")(branches)
    app.command(epilog="Example: freeform-rpg switch a main")(switch)


def undo(
    ctx: typer.Context,
    campaign: Campaign,
    n: Annotated[int, typer.Argument(help="How many turns.", min=1)] = 1,
) -> None:
    """Goes back, with all state."""
    from freeform.engine.campaign import timeline

    async def work(table: "Table") -> "LogPosition":
        return await timeline.undo(campaign, n, table.store)

    _stands(at(ctx), at(ctx).run(work), campaign)


def redo(ctx: typer.Context, campaign: Campaign) -> None:
    """Goes forward again after an undo."""
    from freeform.engine.campaign import timeline

    async def work(table: "Table") -> "LogPosition":
        return await timeline.redo(campaign, table.store)

    _stands(at(ctx), at(ctx).run(work), campaign)


def retry(ctx: typer.Context, campaign: Campaign) -> None:
    """Takes the last turn once more, keeping the old take."""
    from freeform.engine.turn import retry as take_again

    async def work(table: "Table") -> "TurnResult":
        return await take_again(campaign, table)

    desk = at(ctx)
    result = desk.run(work)
    desk.answer(result, lambda: told(result))


def branch(
    ctx: typer.Context,
    campaign: Campaign,
    turn: Annotated[
        int | None, typer.Option(help="From after that turn; else from now.", min=0)
    ] = None,
    name: Annotated[str, typer.Option(help="Its name; else one is made.")] = "",
) -> None:
    """Starts a branch and plays on there; the old one stays."""
    from freeform.engine.campaign import timeline

    async def work(table: "Table") -> tuple["LogPosition", list["Branch"]]:
        stands = await timeline.branch(campaign, table.store, turn, name or None)
        return stands, await timeline.branches(campaign, table.store)

    desk = at(ctx)
    stands, rows = desk.run(work)
    desk.answer(
        {**_place(stands), **_listed(rows)}, [f"On branch {stands.branch}, turn {stands.turn_no}."]
    )


def branches(ctx: typer.Context, campaign: Campaign) -> None:
    """Lists the branches."""
    from freeform.engine.campaign import timeline

    async def work(table: "Table") -> list["Branch"]:
        return await timeline.branches(campaign, table.store)

    desk = at(ctx)
    rows = desk.run(work)
    desk.answer(_listed(rows), [branch_line(row) for row in rows])


def switch(
    ctx: typer.Context,
    campaign: Campaign,
    branch: Annotated[str, typer.Argument(help="The branch's name.")],
) -> None:
    """Goes to another branch."""
    from freeform.engine.campaign import timeline

    async def work(table: "Table") -> tuple["LogPosition", list["Branch"]]:
        stands = await timeline.switch(campaign, branch, table.store)
        return stands, await timeline.branches(campaign, table.store)

    desk = at(ctx)
    stands, rows = desk.run(work)
    desk.answer(
        {**_place(stands), **_listed(rows)}, [f"On branch {stands.branch}, turn {stands.turn_no}."]
    )


def branch_line(row: "Branch") -> str:
    """A branch as a person reads it."""
    return f"{'*' if row.active else ' '} {row.name}: turn {row.turn_no}, from turn {row.from_turn}"


def _place(stands: "LogPosition") -> dict[str, Any]:
    return {"turn_no": stands.turn_no, "branch": stands.branch}


def _listed(rows: list["Branch"]) -> dict[str, Any]:
    return {"branches": [row.model_dump(mode="json") for row in rows]}


def _stands(desk: Desk, stands: "LogPosition", campaign: str) -> None:
    text = f"{campaign} stands at turn {stands.turn_no} of branch {stands.branch}."
    desk.answer({"campaign": campaign, **_place(stands)}, [text])

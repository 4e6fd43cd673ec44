"""Verbs of time: undo, redo, retry, other words, takes, branches, the X-card."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.campaign.turns import TEXT_AS_IT_IS, Campaign, Text, told
from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.engine.log import Branch, LogPosition
    from freeform.engine.world.model import TurnResult
    from freeform.services.house import House
    from freeform.services.play import Take

TurnNo = Annotated[int, typer.Argument(help="Which turn.", metavar="TURN", min=1)]


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: freeform-rpg undo a 2")(undo)
    app.command(epilog="Example: freeform-rpg redo a")(redo)
    app.command(epilog="Example: freeform-rpg retry a")(retry)
    app.command(
        epilog='Example: freeform-rpg edit a 3 "I wait instead"', context_settings=TEXT_AS_IT_IS
    )(edit)
    app.command(epilog="Example: freeform-rpg takes a 3")(takes)
    app.command(epilog="Example: freeform-rpg choose a 3 1")(choose)
    app.command(epilog="Example: freeform-rpg branch a --turn 3 --name what-if")(branch)
    app.command(epilog="Example: freeform-rpg branches a")(branches)
    app.command(epilog="Example: freeform-rpg switch a main")(switch)
    app.command(epilog="Example: freeform-rpg x a spiders")(x)


def undo(
    ctx: typer.Context,
    campaign: Campaign,
    n: Annotated[int, typer.Argument(help="How many turns.", min=1)] = 1,
) -> None:
    """Goes back, with all state."""
    from freeform.services import play

    desk = at(ctx)
    place = desk.run(lambda house: play.undo(house, campaign, n), model=False)
    _answer_place(desk, place, campaign)


def redo(ctx: typer.Context, campaign: Campaign) -> None:
    """Goes forward again after an undo."""
    from freeform.services import play

    desk = at(ctx)
    place = desk.run(lambda house: play.redo(house, campaign), model=False)
    _answer_place(desk, place, campaign)


def retry(ctx: typer.Context, campaign: Campaign) -> None:
    """Takes the last turn once more, keeping the old take."""
    from freeform.services import play

    desk = at(ctx)
    result = desk.run(lambda house: play.retry_turn(house, campaign))
    desk.answer(result, lambda: told(result))


def edit(ctx: typer.Context, campaign: Campaign, turn: TurnNo, text: Text) -> None:
    """Goes back before a turn and plays other words there; the old ones stay as a branch."""
    from freeform.services import play

    async def work(house: "House") -> "TurnResult":
        rewritten = await play.other_words(house, campaign, turn, " ".join(text))
        return await play.take_turn(house, rewritten.say)

    desk = at(ctx)
    result = desk.run(work)
    desk.answer(result, lambda: told(result))


def takes(ctx: typer.Context, campaign: Campaign, turn: TurnNo) -> None:
    """Lists every take on a turn; a star marks the one that holds."""
    from freeform.services import play

    desk = at(ctx)
    rows = desk.run(lambda house: play.list_takes(house, campaign, turn), model=False)
    desk.answer({"takes": rows}, [_take_line(row) for row in rows])


def choose(
    ctx: typer.Context,
    campaign: Campaign,
    turn: TurnNo,
    take: Annotated[int, typer.Argument(help="Which take on it.", min=1)],
) -> None:
    """Makes another take on a turn hold."""
    from freeform.services import play

    desk = at(ctx)
    place = desk.run(lambda house: play.choose_take(house, campaign, turn, take), model=False)
    _answer_place(desk, place, campaign)


def branch(
    ctx: typer.Context,
    campaign: Campaign,
    turn: Annotated[
        int | None, typer.Option(help="From after that turn; else from now.", min=0)
    ] = None,
    name: Annotated[str, typer.Option(help="Its name; else one is made.")] = "",
) -> None:
    """Starts a branch and plays on there; the old one stays."""
    from freeform.services import play

    async def work(house: "House") -> tuple["LogPosition", list["Branch"]]:
        place = await play.start_branch(house, campaign, turn, name)
        return place, await play.list_branches(house, campaign)

    desk = at(ctx)
    place, rows = desk.run(work, model=False)
    _answer_branch(desk, place, rows)


def branches(ctx: typer.Context, campaign: Campaign) -> None:
    """Lists the branches."""
    from freeform.services import play

    desk = at(ctx)
    rows = desk.run(lambda house: play.list_branches(house, campaign), model=False)
    desk.answer({"branches": rows}, [branch_line(row) for row in rows])


def switch(
    ctx: typer.Context,
    campaign: Campaign,
    branch: Annotated[str, typer.Argument(help="The branch's name.")],
) -> None:
    """Goes to another branch."""
    from freeform.services import play

    async def work(house: "House") -> tuple["LogPosition", list["Branch"]]:
        place = await play.switch_branch(house, campaign, branch)
        return place, await play.list_branches(house, campaign)

    desk = at(ctx)
    place, rows = desk.run(work, model=False)
    _answer_branch(desk, place, rows)


def x(
    ctx: typer.Context,
    campaign: Campaign,
    what: Annotated[
        list[str] | None, typer.Argument(help="What shall not come up again.", metavar="WHAT")
    ] = None,
) -> None:
    """The X-card: takes the last turn back, and keeps what you name out of play."""
    from freeform.services import play

    desk = at(ctx)
    named = " ".join(what or [])
    place = desk.run(lambda house: play.use_x_card(house, campaign, named), model=False)
    _answer_place(desk, place, campaign)


def branch_line(row: "Branch") -> str:
    """A branch as a person reads it."""
    return f"{'*' if row.active else ' '} {row.name}: turn {row.turn_no}, from turn {row.from_turn}"


def _take_line(row: "Take") -> str:
    return f"{'*' if row.chosen else ' '} {row.take}. {row.player_input}: {row.final_text}"


def _place(place: "LogPosition") -> dict[str, Any]:
    return {"turn_no": place.turn_no, "branch": place.branch}


def _answer_branch(desk: Desk, place: "LogPosition", rows: list["Branch"]) -> None:
    text = f"On branch {place.branch}, turn {place.turn_no}."
    desk.answer({**_place(place), "branches": rows}, [text])


def _answer_place(desk: Desk, place: "LogPosition", campaign: str) -> None:
    text = f"{campaign} stands at turn {place.turn_no} of branch {place.branch}."
    desk.answer({"campaign": campaign, **_place(place)}, [text])

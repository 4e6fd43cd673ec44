"""The verbs of a game master who tells every turn: by hand, what waits, a proposal, the telling."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from freeform.services.house import House

Campaign = Annotated[str, typer.Argument(help="The campaign's id.")]
Turns = Annotated[
    list[str] | None, typer.Option("--turn", help="Of what was written, this alone.", metavar="ID")
]
Words = Annotated[list[str] | None, typer.Argument(help="The words.", metavar="WORDS…")]
SeatOf = Annotated[
    str, typer.Option("--seat", help="In whose scene, or who does it.", metavar="SEAT")
]


def add_to(table: typer.Typer) -> None:
    """Adds them to the group."""
    table.command("by-hand", epilog="Example: freeform-rpg table by-hand a")(by_hand)
    table.command(epilog="Example: freeform-rpg table written a")(written)
    table.command(epilog="Example: freeform-rpg table propose a")(propose)
    table.command(epilog="Example: freeform-rpg table tell a The door gives way.")(tell)


def by_hand(
    ctx: typer.Context,
    campaign: Campaign,
    off: Annotated[bool, typer.Option("--off", help="The engine tells again.")] = False,
) -> None:
    """Has the game master tell every turn: what players write waits for them."""
    from freeform.services.gm import telling

    async def work(house: "House", me: str) -> list[str]:
        shared = await telling.set_by_hand(house, campaign, me, not off)
        return [each.name for each in shared.tellers()]

    told_by: list[str] = _as_owner(ctx, campaign, work)
    who = f"{' and '.join(told_by)} tells every turn." if told_by else "The engine tells."
    at(ctx).answer({"campaign": campaign, "told_by": told_by}, [who])


def written(ctx: typer.Context, campaign: Campaign) -> None:
    """Shows what players have written and nobody has told yet."""
    from freeform.services.gm import telling

    rows = _as_owner(
        ctx, campaign, lambda house, me: telling.list_written(house, campaign, me), model=False
    )
    lines = [f"{row.turn_id}  {row.character} ({row.place}): {row.text}" for row in rows]
    at(ctx).answer({"written": rows}, lines or ["Nobody has written anything."])


def propose(
    ctx: typer.Context,
    campaign: Campaign,
    words: Words = None,
    turn: Turns = None,
    seat: SeatOf = "",
) -> None:
    """Has the engine propose a ruling, dice and a telling for what was written, or for words of
    your own; nothing is written down until you tell it."""
    from freeform.services.gm import telling

    wish = telling.ProposeWish(turns=turn or [], text=" ".join(words or []), seat=seat)
    made = _as_owner(ctx, campaign, lambda house, me: telling.propose(house, campaign, me, wish))
    lines = [*(roll.text for roll in made.rolls), *made.changed, *made.blocked, "", made.text, ""]
    lines.append(f"Tell it so with `table tell {campaign} --proposed`, or in your own words.")
    at(ctx).answer(made, lines)


def tell(
    ctx: typer.Context,
    campaign: Campaign,
    words: Words = None,
    turn: Turns = None,
    proposed: Annotated[
        bool, typer.Option("--proposed", help="Keep what was ruled in the last proposal.")
    ] = False,
    passage: Annotated[bool, typer.Option("--passage", help="Answer nothing that waits.")] = False,
    seat: SeatOf = "",
) -> None:
    """Tells a turn in your own words, or as it was proposed."""
    from freeform.services.gm import telling

    wish = telling.TellWish(
        text=" ".join(words or []), turns=turn or [], proposed=proposed, passage=passage, seat=seat
    )
    place = _as_owner(ctx, campaign, lambda house, me: telling.tell(house, campaign, me, wish))
    told = {"campaign": campaign, "branch": place.branch, "turn_no": place.turn_no}
    at(ctx).answer(told, [f"Told as turn {place.turn_no}."])


def _as_owner(
    ctx: typer.Context,
    campaign: str,
    work: "Callable[[House, str], Coroutine[Any, Any, Any]]",
    *,
    model: bool = True,
) -> Any:
    from freeform.services.table.people import get_table

    async def done(house: "House") -> Any:
        shared = await get_table(house, campaign)
        return await work(house, shared.owner().id)

    return at(ctx).run(done, model=model)

"""The verbs of a table that several people share: open, invite, seats, mode, call, kick, host."""

from typing import TYPE_CHECKING, Annotated, Any, get_args
from urllib.parse import urlsplit

import typer

from freeform.apps.cli.desk import at
from freeform.apps.cli.table import telling
from freeform.core.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from freeform.players.people.model import SharedTable
    from freeform.services.house import House
    from freeform.services.table.talk import TalkRow

Campaign = Annotated[str, typer.Argument(help="The campaign's id.")]
Someone = Annotated[str, typer.Argument(help="Who, by name.", metavar="NAME")]
Url = Annotated[
    str, typer.Option("--url", help="Where others reach the server; found by itself without it.")
]

table = typer.Typer(
    help="One table, several people: invite them, seat them, and say how turns go.",
    no_args_is_help=True,
)


companion = typer.Typer(
    help="AI players at a table of people: they act in their turn and talk with you.",
    no_args_is_help=True,
)
table.add_typer(companion, name="companion")


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    telling.add_to(table)
    app.add_typer(table, name="table")


@table.command("open", epilog="Example: freeform-rpg table open a --name Anna")
def open_(
    ctx: typer.Context,
    campaign: Campaign,
    name: Annotated[str, typer.Option(help="What the others call you.")] = "",
) -> None:
    """Opens a campaign to others; you stay its host and play on as before."""
    from freeform.services.table import people

    async def work(house: "House") -> "SharedTable":
        return await people.open_table(house, campaign, name)

    _answer(ctx, work)


@table.command(epilog="Example: freeform-rpg table invite a --role player")
def invite(
    ctx: typer.Context,
    campaign: Campaign,
    role: Annotated[str, typer.Option(help="player, gm or spectator.")] = "player",
    seat: Annotated[str, typer.Option(help="For this seat alone.", metavar="SEAT")] = "",
    passphrase: Annotated[str, typer.Option(help="Asked for, too.", metavar="WORDS")] = "",
    uses: Annotated[int, typer.Option(help="For how many people.", min=1, max=60)] = 1,
    hours: Annotated[int, typer.Option(help="How long it holds.", min=1, max=720)] = 48,
    url: Url = "",
) -> None:
    """Makes a link that lets someone in, with its QR code. It is told this once."""
    from freeform.players.people.model import Role
    from freeform.services.table import invites, people

    _one_of("role", role, get_args(Role))
    wish = invites.InviteWish.model_validate(
        {"role": role, "seat": seat, "passphrase": passphrase, "uses": uses, "hours": hours}
    )

    async def work(house: "House") -> dict[str, Any]:
        shared = await people.open_table(house, campaign)
        code = await invites.invite(house, campaign, shared.owner().id, wish)
        return await _invited(house, campaign, code.written(), url)

    _answer_link(ctx, work)


@table.command(epilog="Example: freeform-rpg table back a Ben")
def back(ctx: typer.Context, campaign: Campaign, who: Someone, url: Url = "") -> None:
    """Makes a link for someone who comes back on another device; it holds for an hour."""
    from freeform.services.table import invites, people

    async def work(house: "House") -> dict[str, Any]:
        shared = await people.get_table(house, campaign)
        code = await invites.way_back(house, campaign, shared.owner().id, who)
        return await _invited(house, campaign, code.written(), url)

    _answer_link(ctx, work)


@table.command(epilog="Example: freeform-rpg table seats a --json")
def seats(ctx: typer.Context, campaign: Campaign) -> None:
    """Shows who sits where, whose turn it is, and how turns go."""
    from freeform.services.table import people

    _answer(ctx, lambda house: people.get_table(house, campaign))


@table.command(epilog="Example: freeform-rpg table mode a rounds")
def mode(
    ctx: typer.Context,
    campaign: Campaign,
    how: Annotated[
        str, typer.Argument(help="free, rounds, together, called or initiative.", metavar="MODE")
    ],
) -> None:
    """Says how turns go: as they come, each once a round, all together, as you call, or as all
    throw for it."""
    from freeform.players.people.model import TurnMode
    from freeform.services.table import acting

    wanted = _one_of("mode", how, get_args(TurnMode))
    _as_owner(ctx, campaign, lambda house, me: acting.set_turn_mode(house, campaign, me, wanted))


@table.command(epilog="Example: freeform-rpg table call a mira")
def call(
    ctx: typer.Context,
    campaign: Campaign,
    seat: Annotated[str, typer.Argument(help="A seat, or its character.")],
) -> None:
    """Calls who acts next."""
    from freeform.services.table import acting

    _as_owner(ctx, campaign, lambda house, me: acting.call_on(house, campaign, me, seat))


@table.command("go-on", epilog="Example: freeform-rpg table go-on a")
def go_on(ctx: typer.Context, campaign: Campaign) -> None:
    """Waits no longer for those who have not acted."""
    from freeform.services.table import acting

    _as_owner(ctx, campaign, lambda house, me: acting.go_on(house, campaign, me))


@table.command(epilog="Example: freeform-rpg table kick a Ben")
def kick(ctx: typer.Context, campaign: Campaign, who: Someone) -> None:
    """Sends someone away; their link and their devices open nothing any more."""
    from freeform.services.table import people

    _as_owner(ctx, campaign, lambda house, me: people.send_away(house, campaign, me, who))


@table.command(epilog="Example: freeform-rpg table host a Ben")
def host(ctx: typer.Context, campaign: Campaign, who: Someone) -> None:
    """Hands the host's role on; you own the machine, and may take it back."""
    from freeform.services.table import people

    _as_owner(ctx, campaign, lambda house, me: people.hand_on(house, campaign, me, who))


@table.command(epilog="Example: freeform-rpg table role a Ben spectator")
def role(
    ctx: typer.Context,
    campaign: Campaign,
    who: Someone,
    part: Annotated[str, typer.Argument(help="player, gm or spectator.", metavar="ROLE")],
) -> None:
    """Makes someone a player, a spectator or the game master."""
    from freeform.players.people.model import Role
    from freeform.services.table import people

    wanted = _one_of("role", part, get_args(Role))
    _as_owner(ctx, campaign, lambda house, me: people.set_role(house, campaign, me, who, wanted))


@companion.command("add", epilog="Example: freeform-rpg table companion add a bea")
def companion_add(
    ctx: typer.Context,
    campaign: Campaign,
    who: Annotated[
        list[str],
        typer.Argument(
            help="AI players: bundled ones by name, files of personas or character cards.",
            metavar="PERSONA|CARD…",
        ),
    ],
    seat: Annotated[str, typer.Option(help="The seat they take.", metavar="SEAT")] = "",
) -> None:
    """Seats AI players at the table, also in the middle of play."""
    from freeform.services.table import companions, people

    if seat and len(who) > 1:
        raise UserError("one seat is for one player; name one, or leave --seat out")

    async def work(house: "House") -> "SharedTable":
        shared = await people.open_table(house, campaign)
        for each in who:
            by = shared.owner().id
            shared = await companions.add_companion(house, campaign, by, each, seat)
        return shared

    _answer(ctx, work)


@companion.command("remove", epilog="Example: freeform-rpg table companion remove a Bea")
def companion_remove(ctx: typer.Context, campaign: Campaign, who: Someone) -> None:
    """Lets an AI player get up; their seat is free."""
    from freeform.services.table import companions

    _as_owner(
        ctx, campaign, lambda house, me: companions.remove_companion(house, campaign, me, who)
    )


@companion.command("list", epilog="Example: freeform-rpg table companion list")
def companion_list(ctx: typer.Context) -> None:
    """Shows the AI players that come with the program."""
    from freeform.services.table.companions import list_companions

    rows = list_companions()
    lines = [f"{row.id}: {row.name}, who plays {row.plays}. {row.about}" for row in rows]
    at(ctx).answer({"companions": rows}, lines)


@table.command(epilog="Example: freeform-rpg table roll a 2d6+1 --why Perception --all")
def roll(
    ctx: typer.Context,
    campaign: Campaign,
    expr: Annotated[str, typer.Argument(help="Dice, as in 2d6+1.")],
    why: Annotated[str, typer.Option(help="What it is for.", metavar="WORDS")] = "",
    secret: Annotated[
        str, typer.Option(help="mine: you alone see it; gm: the game master, too.")
    ] = "",
    for_all: Annotated[bool, typer.Option("--all", help="Once for every character.")] = False,
) -> None:
    """Rolls dice at the table, into the log that all see."""
    from freeform.services.table import dice, people

    wish = dice.RollWish(expr=expr, why=why, secret=dice.read_secrecy(secret), for_all=for_all)

    async def work(house: "House") -> "list[TalkRow]":
        shared = await people.get_table(house, campaign)
        owner = shared.owner().id
        await dice.roll_at_table(house, campaign, owner, wish)
        return (await dice.read_rolls(house, campaign, owner))[-1:]

    _answer_rolls(ctx, work)


@table.command(epilog="Example: freeform-rpg table rolls a --json")
def rolls(ctx: typer.Context, campaign: Campaign) -> None:
    """Shows the dice log: who rolled what, and why."""
    from freeform.services.table import dice, people

    async def work(house: "House") -> "list[TalkRow]":
        shared = await people.get_table(house, campaign)
        return await dice.read_rolls(house, campaign, shared.owner().id)

    _answer_rolls(ctx, work)


def _answer_rolls(
    ctx: typer.Context, work: "Callable[[House], Coroutine[Any, Any, list[TalkRow]]]"
) -> None:
    desk = at(ctx)
    rows = desk.run(work, model=False)
    lines: list[str] = []
    for row in rows:
        what = f"{row.name} ({row.text})" if row.text else row.name
        lines += [f"{what}: {roll.name} {roll.text}" for roll in row.rolls]
    desk.answer({"rolls": rows}, lines or ["Nobody has rolled yet."])


def _one_of(what: str, given: str, there: tuple[Any, ...]) -> Any:
    """What was given, when it is one of those there are."""
    if given not in there:
        raise UserError(f"no {what} '{given}'; there are: {', '.join(there)}")
    return given


async def _invited(house: "House", campaign: str, code: str, url: str) -> dict[str, Any]:
    """What an invitation answers: its link, its token, and the seats."""
    from freeform.services.table.links import join_url, noted_address, reached_at
    from freeform.services.table.people import get_table
    from freeform.services.table.views import seat_rows

    shared = await get_table(house, campaign)
    link = join_url(url or noted_address(house.settings.home) or reached_at(""), code)
    return {"campaign": campaign, "url": link, "token": code, "seats": seat_rows(shared)}


def _answer_link(
    ctx: typer.Context, work: "Callable[[House], Coroutine[Any, Any, dict[str, Any]]]"
) -> None:
    from freeform.services.table.links import is_reached_by_others, noted_address, qr_lines

    desk = at(ctx)
    made = desk.run(work, model=False)
    drawn = [] if desk.is_plain else qr_lines(made["url"])
    served = urlsplit(noted_address(desk.settings.home)).hostname or ""
    is_out = bool(served) and is_reached_by_others(served)
    way = [] if is_out else ["Serve it where they can reach it: `serve --host 0.0.0.0 --key …`."]
    desk.answer(made, [*drawn, made["url"], *way])


def _as_owner(
    ctx: typer.Context,
    campaign: str,
    work: "Callable[[House, str], Coroutine[Any, Any, SharedTable]]",
) -> None:
    from freeform.services.table.people import get_table

    async def done(house: "House") -> "SharedTable":
        shared = await get_table(house, campaign)
        return await work(house, shared.owner().id)

    _answer(ctx, done)


def _answer(
    ctx: typer.Context, work: "Callable[[House], Coroutine[Any, Any, SharedTable]]"
) -> None:
    from freeform.services.table.views import company

    desk = at(ctx)
    shared = desk.run(work, model=False)
    seen = company(shared, shared.owner().id)
    ai = {row.name for row in seen.people if row.ai}
    lines = [
        f"{row.character}: {row.person or 'free'}{', an AI player' if row.person in ai else ''}"
        for row in seen.seats
    ]
    others = [row for row in seen.people if not row.seat]
    lines += [f"{row.name}: {row.role}" for row in others]
    waits = ", ".join(seen.turn_of) or "nobody"
    lines.append(f"Turns: {seen.mode}, round {seen.round}; waiting for {waits}.")
    if seen.told_by:
        lines.append(f"Told by {' and '.join(seen.told_by)}.")
    if seen.order:
        lines.append("Order: " + ", ".join(f"{row.name} {row.total}" for row in seen.order) + ".")
    desk.answer(seen, lines)

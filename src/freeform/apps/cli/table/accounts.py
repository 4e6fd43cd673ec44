"""The verbs of accounts: those of this machine, and signing in at somebody else's table."""

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at
from freeform.core.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from freeform.services.accounts.signing import AccountRow
    from freeform.services.house import House

Name = Annotated[str, typer.Argument(help="The account's name.", metavar="NAME")]
Server = Annotated[
    str, typer.Argument(help="Where the table is served: http://192.168.0.5:8420.", metavar="URL")
]

account = typer.Typer(
    help="Accounts of people who come for long; off until the setting `accounts` says otherwise.",
    no_args_is_help=True,
)


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(account, name="account")


@account.command("list", epilog="Example: freeform-rpg account list --json")
def list_(ctx: typer.Context) -> None:
    """Shows who has an account here, and at which tables they sit."""
    from freeform.services.accounts.signing import list_accounts

    desk = at(ctx)
    rows = desk.run(list_accounts, model=False)
    desk.answer({"accounts": rows}, [_told(row) for row in rows] or ["Nobody has an account."])


@account.command(epilog="Example: freeform-rpg account add anna --owner")
def add(
    ctx: typer.Context,
    name: Name,
    owner: Annotated[
        bool, typer.Option("--owner", help="Signing in opens everything, as the key does.")
    ] = False,
) -> None:
    """Makes an account. Its password is asked for, or read from standard input."""
    from freeform.services.accounts import signing

    password = _new_password(at(ctx))

    async def work(house: "House") -> "AccountRow":
        made = await signing.sign_up(house, name, password, owner=owner)
        return await signing.account_row(house, made)

    _answer(ctx, work)


@account.command(epilog="Example: freeform-rpg account password anna")
def password(ctx: typer.Context, name: Name) -> None:
    """Gives someone a new password; all their devices sign in anew."""
    from freeform.services.accounts import signing

    chosen = _new_password(at(ctx))

    async def work(house: "House") -> "AccountRow":
        changed = await signing.set_password(house, name, chosen)
        return await signing.account_row(house, changed)

    _answer(ctx, work)


@account.command("sign-out", epilog="Example: freeform-rpg account sign-out anna")
def sign_out(ctx: typer.Context, name: Name) -> None:
    """Signs every device of an account out."""
    from freeform.services.accounts import sessions, signing

    async def work(house: "House") -> "AccountRow":
        found = await signing.account_named(house, name)
        return await signing.account_row(house, await sessions.end_sessions(house, found.id))

    _answer(ctx, work)


@account.command(epilog="Example: freeform-rpg account forget anna")
def forget(ctx: typer.Context, name: Name) -> None:
    """Forgets an account. Its seats stay, as a guest's: devices that hold a seat keep it."""
    from freeform.services.accounts import signing

    async def work(house: "House") -> list[str]:
        found = await signing.account_named(house, name)
        return [table.campaign for table, _ in await signing.forget_account(house, found)]

    desk = at(ctx)
    left = desk.run(work, model=False)
    desk.answer({"forgotten": name, "seats": left}, [f"{name} is forgotten."])


@account.command(epilog="Example: freeform-rpg account keep anna a Ben")
def keep(
    ctx: typer.Context,
    name: Name,
    campaign: Annotated[str, typer.Argument(help="The campaign's id.")],
    person: Annotated[str, typer.Argument(help="Who at its table, by name.")],
) -> None:
    """Keeps someone's seat with an account, so that signing in opens it."""
    from freeform.services.accounts import seats, signing

    async def work(house: "House") -> "AccountRow":
        found = await signing.account_named(house, name)
        await seats.keep_seat(house, found, campaign, person)
        return await signing.account_row(house, await signing.account_named(house, name))

    _answer(ctx, work)


@account.command(epilog="Example: freeform-rpg account release a Ben")
def release(
    ctx: typer.Context,
    campaign: Annotated[str, typer.Argument(help="The campaign's id.")],
    person: Annotated[str, typer.Argument(help="Who at its table, by name.")],
) -> None:
    """Gives a seat back to its person: no account has it, no device of theirs is signed in."""
    from freeform.services.accounts import seats
    from freeform.services.table.people import get_table

    async def work(house: "House") -> None:
        shared = await get_table(house, campaign)
        await seats.release_seat(house, campaign, shared.owner().id, person)

    desk = at(ctx)
    desk.run(work, model=False)
    told = f"{person} is a guest now; `table back {campaign} {person}` makes a link for them."
    desk.answer({"campaign": campaign, "person": person}, [told])


@account.command("sign-in", epilog="Example: freeform-rpg account sign-in http://192.168.0.5:8420")
def sign_in(
    ctx: typer.Context,
    url: Server,
    name: Annotated[str, typer.Option(help="Your account's name.", metavar="NAME")] = "",
    provider: Annotated[
        bool, typer.Option("--provider", help="With the server's provider, in a browser.")
    ] = False,
) -> None:
    """Signs in at somebody else's server; after that `play --join URL/join#CAMPAIGN` needs no
    link. With a provider, a link of the host (URL/join#…) makes a new account, too."""
    desk = at(ctx)
    base, _, code = url.strip().partition("/join#")
    base = base.rstrip("/")
    told = asyncio.run(_signed_in(desk, base, code, name, provider))
    where = [
        f"{row['story']}: `play --join {base}/join#{row['campaign']}`" for row in told["tables"]
    ]
    lines = [f"Signed in as {told['name']}.", *(where or ["You sit at no table there yet."])]
    desk.answer(told, lines)


@account.command("leave", epilog="Example: freeform-rpg account leave http://192.168.0.5:8420")
def leave(ctx: typer.Context, url: Server) -> None:
    """Signs this terminal out at somebody else's server."""
    desk = at(ctx)
    asyncio.run(_signed_out(desk, url.rstrip("/")))
    desk.answer({"signed_out": url.rstrip("/")}, ["Signed out."])


async def _signed_in(desk: Desk, base: str, code: str, name: str, provider: bool) -> Any:
    import httpx2

    from freeform.apps.cli.table.provider import sign_in_with_provider
    from freeform.apps.cli.table.remote import PATIENCE, RemoteTable, keep_token

    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
        server = RemoteTable(base, "", client)
        ways = await server.ask("GET", "/account")
        if provider or (ways["on"] and not ways["passwords"]):
            signed = await sign_in_with_provider(server, ways["provider"], code)
        else:
            called = name or _asked(desk, "Your account's name: ")
            wish = {"name": called, "password": _one_line(desk, "Password: "), "device": False}
            signed = await server.ask("POST", "/account/sign-in", wish)
        server.hold(signed["token"])
        told = await server.ask("GET", "/account")
        keep_token(desk.settings.home, base, "", signed["token"])
    return {"url": base, "name": told["name"], "tables": told["tables"]}


async def _signed_out(desk: Desk, base: str) -> None:
    import httpx2

    from freeform.apps.cli.table.remote import PATIENCE, RemoteTable, keep_token, kept_token

    token = kept_token(desk.settings.home, base, "")
    if not token:
        raise UserError(f"nobody is signed in at {base} from here")
    async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
        server = RemoteTable(base, "", client)
        server.hold(token)
        await server.ask("POST", "/account/sign-out")
    keep_token(desk.settings.home, base, "", "")


def _new_password(desk: Desk) -> str:
    chosen = _one_line(desk, "A new password: ")
    if sys.stdin.isatty() and _one_line(desk, "Once more: ") != chosen:
        raise UserError("those two are not the same; nothing was changed")
    return chosen


def _one_line(desk: Desk, question: str) -> str:
    """Without showing it, where a person types; else the next line of what comes in."""
    import getpass

    if sys.stdin.isatty() and not desk.json:
        return getpass.getpass(question)
    typed = sys.stdin.readline().rstrip("\r\n")
    if not typed:
        raise UserError("a password comes in by standard input: one line")
    return typed


def _asked(desk: Desk, question: str) -> str:
    if not sys.stdin.isatty() or desk.json:
        raise UserError("say whose account it is, with --name NAME")
    return input(question).strip()


def _answer(ctx: typer.Context, work: "Callable[[House], Coroutine[Any, Any, AccountRow]]") -> None:
    desk = at(ctx)
    row = desk.run(work, model=False)
    desk.answer(row, [_told(row)])


def _told(row: "AccountRow") -> str:
    parts = [
        "the owner's" if row.owner else "",
        " and ".join(row.ways),
        f"at {', '.join(row.tables)}" if row.tables else "at no table",
        f"signed in on {row.devices} device{'' if row.devices == 1 else 's'}",
    ]
    return f"{row.name}: {'; '.join(part for part in parts if part)}"

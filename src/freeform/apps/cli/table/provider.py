"""Signing a terminal in with a provider: a browser goes there, and brings a ticket back.

The ticket comes to a small door on 127.0.0.1 where the browser is on this machine; else whoever
sits there types the address at which their browser ended.
"""

import asyncio
import sys
from contextlib import suppress
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from freeform.apps.cli.table.remote import RemoteTable
from freeform.core.errors import Unavailable
from freeform.core.ids import new_secret
from freeform.players.people.secrets_kept import hash_secret

WAIT_S = 600.0
"""As long as the server waits."""
READ_S = 10.0
"""As long as a browser may take to say what it wants."""
PAGE = b"<!doctype html><title>Freeform RPG</title><p>%s</p>"


async def sign_in_with_provider(server: RemoteTable, shown: str, code: str) -> Any:
    """Who is signed in, with a token; `code` is an invitation, where one has no account yet."""
    secret = new_secret()
    brought: asyncio.Queue[str] = asyncio.Queue()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            line = await asyncio.wait_for(reader.readline(), READ_S)
        except (TimeoutError, ValueError, OSError):  # a browser that only looks, or talks on
            writer.close()
            return
        ticket = ticket_in(line.decode("ascii", "replace"))
        told = b"Go back to the terminal: it says who is signed in."
        told = told if ticket else b"There is nothing here."
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n"
        writer.write(head + PAGE % told)
        writer.close()
        if ticket:
            brought.put_nowait(ticket)

    door = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        port = door.sockets[0].getsockname()[1]
        terminal = {"port": port, "proof": hash_secret(secret)}
        sent = await server.ask("POST", "/account/oidc", {"code": code, "terminal": terminal})
        _show(f"Open this in a browser, and sign in with {shown}:", sent["url"])
        _show("Is that browser on another machine? Then type the address it ends at, here.")
        _listen_here(brought)
        try:
            ticket = await asyncio.wait_for(brought.get(), WAIT_S)
        except TimeoutError:
            raise Unavailable("nobody came back from the provider; sign in once more") from None
    finally:
        door.close()  # who still stands there is not waited for
    return await server.ask("POST", "/account/oidc/token", {"ticket": ticket, "secret": secret})


def _show(*lines: str) -> None:
    """However quiet one asked for it to be: nothing goes on without it."""
    for line in lines:
        print(line, file=sys.stderr, flush=True)


def ticket_in(said: str) -> str:
    """The ticket of an address, or of the first line that a browser sends; '' without one."""
    words = [word for word in said.split() if "ticket=" in word]
    try:
        return parse_qs(urlsplit(words[0]).query).get("ticket", [""])[0] if words else ""
    except ValueError:  # no address at all
        return ""


def _listen_here(brought: "asyncio.Queue[str]") -> None:
    """What is typed, from a thread that ends with the program: nothing can call it back."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        for line in sys.stdin:
            if ticket := ticket_in(line):
                with suppress(RuntimeError):  # it came by itself meanwhile
                    loop.call_soon_threadsafe(brought.put_nowait, ticket)
                return

    Thread(target=read, daemon=True).start()

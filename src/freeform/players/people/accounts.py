"""Accounts of those who come for long, and what they need from outside: a place to be kept, a way
to keep passwords, a provider that vouches for people.

A seat belongs to whoever its table says (`TablePerson.account`); the account's own list of tables
only says where to look.
"""

import unicodedata
from collections.abc import Callable
from typing import Protocol

from pydantic import Field

from freeform.core.record import Record
from freeform.players.people.secrets_kept import TableCode, read_code

SIGNED_IN = "@account"
"""Stands in a session's token where a seat's has its campaign; no campaign is called so."""
MOST_SESSIONS, MOST_TABLES = 10, 200
WRONG_S = 60.0
"""For so long a wrong try counts."""


class AccountSession(Record):
    """A device that is signed in."""

    secret: str
    """The hash of what it holds."""
    made_at: str
    until: str


class Account(Record):
    """Someone who comes back on any device."""

    id: str
    name: str
    password: str = ""
    """Hashed with argon2; '' where only a provider vouches."""
    issuer: str = ""
    subject: str = ""
    """Who one is at the provider; '' without one."""
    owner: bool = False
    """Whether signing in opens everything, as the server's key does."""
    sessions: list[AccountSession] = Field(default_factory=list)
    tables: list[str] = Field(default_factory=list)
    """Campaigns at whose tables this account may sit; the tables themselves decide."""
    made_at: str = ""


class PendingLogin(Record):
    """Someone who was sent to the provider and is not back yet."""

    state: str
    """The hash of what the provider brings back."""
    browser: str
    """The hash of what the browser, or the terminal, keeps meanwhile: nobody else can finish it."""
    nonce: str
    verifier: str
    back: str
    """Where the provider sends them back to."""
    until: str
    may_sign_up: bool = False
    owner: bool = False
    """Whether whoever owns this server asked."""
    campaign: str = ""
    person: str = ""
    """The seat that is to be kept with the account, if any."""
    port: int = 0
    """Where a terminal on the machine of that browser listens, if it was one that asked."""
    account: str = ""
    """Who is signed in, where only that terminal has yet to fetch it."""


class Vouched(Record):
    """Whom a provider vouches for."""

    issuer: str
    subject: str
    name: str = ""


AccountChange = Callable[[Account], Account]
"""What becomes of an account. It is called within the store's lock, and raises to leave it."""


class AccountStore(Protocol):
    """Keeps accounts, and who is on their way to a provider."""

    async def get(self, id: str) -> Account | None:
        """An account by its id."""
        ...

    async def named(self, name: str) -> Account | None:
        """An account by its name, however it is capitalised."""
        ...

    async def vouched(self, issuer: str, subject: str) -> Account | None:
        """An account by who it is at a provider."""
        ...

    async def all(self) -> list[Account]:
        """Every account, by name."""
        ...

    async def add(self, account: Account) -> None:
        """Keeps a new one. Conflict where its name, or who it is at a provider, is taken."""
        ...

    async def change(self, id: str, change: AccountChange) -> Account:
        """Reads, changes and keeps, one at a time whoever asks. NotFound where it is gone."""
        ...

    async def forget(self, id: str) -> None:
        """Nothing of it is left."""
        ...

    async def await_login(self, login: PendingLogin, now: str) -> None:
        """Keeps who was sent to the provider; those who never came back are dropped."""
        ...

    async def take_login(self, state: str) -> PendingLogin | None:
        """Whoever comes back with that; once."""
        ...

    async def note_wrong(self, who: str, at: float) -> None:
        """A wrong try, from an address or at a name, whether there is one or not; tries that are
        older than a minute are dropped."""
        ...

    async def wrong_tries(self, who: str, now: float) -> int:
        """How often in the last minute, whichever process was asked."""
        ...


class Passwords(Protocol):
    """Keeps passwords so that nobody can read them."""

    async def keep(self, password: str) -> str:
        """How it is kept."""
        ...

    async def is_right(self, password: str, kept: str) -> bool:
        """Whether it is the one that was kept; as slow where nothing was."""
        ...

    def is_weak(self, kept: str) -> bool:
        """Whether it was kept in a way of before, and should be kept anew."""
        ...


class Provider(Protocol):
    """Vouches for people: OpenID Connect."""

    @property
    def shown(self) -> str:
        """What the button says."""
        ...

    async def way_there(self, login: PendingLogin, state: str) -> str:
        """The address that a browser is sent to. Unavailable where the provider is gone."""
        ...

    async def vouch(self, login: PendingLogin, code: str) -> Vouched:
        """Whom it vouches for. Forbidden for what does not hold, Unavailable where it is gone."""
        ...


def account_key(name: str) -> str:
    """By which an account is found: no two have the same."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def session_code(token: str) -> TableCode | None:
    """The account and the secret of a session's token; None for any other."""
    code = read_code(token)
    return code if code and code.campaign == SIGNED_IN else None

"""The adapters of a shared table: where it and its people's accounts are kept, who vouches for
them, and where others find this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from freeform.adapters.web.lan import lan_address as lan_address
from freeform.core.clock import Clock
from freeform.core.errors import UserError
from freeform.players.people.accounts import AccountStore, Passwords, Provider
from freeform.players.people.ports import TableStore
from freeform.settings import Settings
from freeform.wiring.store import kept_accounts, shared_tables

MISSING = "accounts need the extra `web`: install freeform-rpg[web]"


@contextmanager
def open_tables(settings: Settings) -> Iterator[TableStore]:
    """The tables of a home, and their files closed afterwards."""
    tables, close = shared_tables(settings)
    try:
        yield tables
    finally:
        close()


@dataclass(frozen=True)
class AccountDesk:
    """What accounts are kept with."""

    store: AccountStore
    passwords: Passwords
    provider: Provider | None


@contextmanager
def open_accounts(settings: Settings, clock: Clock) -> Iterator[AccountDesk]:
    """The accounts of a home, closed afterwards. No file is made before there is one."""
    try:
        from freeform.adapters.accounts.argon import ArgonPasswords
        from freeform.adapters.accounts.oidc import OidcClient, OidcProvider
    except ImportError as absent:
        raise UserError(MISSING) from absent
    provider = None
    if settings.oidc_issuer:
        about = OidcClient(
            issuer=settings.oidc_issuer,
            client=settings.oidc_client,
            secret=settings.oidc_key,
            shown=settings.oidc_name,
        )
        provider = OidcProvider(about, clock.now, clock.ticks)
    store, close = kept_accounts(settings)
    try:
        yield AccountDesk(store, ArgonPasswords(), provider)
    finally:
        close()

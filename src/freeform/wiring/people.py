"""The adapters of a shared table: where it is kept, and where others find this machine."""

from collections.abc import Iterator
from contextlib import contextmanager

from freeform.adapters.web.lan import lan_address as lan_address
from freeform.players.people.ports import TableStore
from freeform.settings import Settings
from freeform.wiring.store import shared_tables


@contextmanager
def open_tables(settings: Settings) -> Iterator[TableStore]:
    """The tables of a home, and their files closed afterwards."""
    tables, close = shared_tables(settings)
    try:
        yield tables
    finally:
        close()

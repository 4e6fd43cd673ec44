"""The wire between processes that serve the same tables."""

from freeform.players.people.ports import TableNews as TableNews
from freeform.players.people.ports import TableWire as TableWire
from freeform.wiring.store.wire import opened_wire as opened_wire

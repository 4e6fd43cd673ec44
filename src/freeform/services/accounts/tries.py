"""Wrong tries at the door, counted for all processes that serve the same tables.

Where that count cannot be kept or read, the log says so, and each process has its own count still:
whoever holds the key is let in, whatever befell the accounts.
"""

import logging
from dataclasses import dataclass

from freeform.core.errors import FreeformError
from freeform.core.log import tell
from freeform.services.house import House

_LOG = logging.getLogger("freeform.web")


@dataclass(frozen=True)
class TriesOfAll:
    """Keys, invitations and passwords that were wrong, by address and by the name they were for."""

    house: House

    async def note(self, client: str) -> None:
        """One more."""
        try:
            await self.house.accounts.store.note_wrong(client, self._now())
        except FreeformError as wrong:
            _warn(wrong)

    async def count(self, client: str) -> int:
        """How many there were in the last minute."""
        try:
            return await self.house.accounts.store.wrong_tries(client, self._now())
        except FreeformError as wrong:
            _warn(wrong)
            return 0

    def _now(self) -> float:
        return self.house.table.clock.now().timestamp()


def _warn(wrong: FreeformError) -> None:
    tell(_LOG, logging.WARNING, "tries_not_shared", why=str(wrong))

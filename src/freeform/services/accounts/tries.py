"""Wrong tries at the door, counted for all processes that serve the same tables."""

from dataclasses import dataclass

from freeform.services.house import House


@dataclass(frozen=True)
class TriesOfAll:
    """Keys, invitations and passwords that were wrong, by address and by the name they were for."""

    house: House

    async def note(self, client: str) -> None:
        """One more."""
        await self.house.accounts.store.note_wrong(client, self._now())

    async def count(self, client: str) -> int:
        """How many there were in the last minute."""
        return await self.house.accounts.store.wrong_tries(client, self._now())

    def _now(self) -> float:
        return self.house.table.clock.now().timestamp()

"""Shared tables in memory: for tests and experiments. The same rules as on disk."""

from freeform.core.errors import NotFound
from freeform.players.people.model import ChatLine, SharedTable
from freeform.players.people.ports import TableChange, not_open


class MemoryTables:
    """Tables and their talk, as long as the program lasts."""

    def __init__(self) -> None:
        self._tables: dict[str, SharedTable] = {}
        self._talk: dict[str, list[ChatLine]] = {}

    async def find(self, campaign: str) -> SharedTable | None:
        return self._tables.get(campaign)

    async def open(self, table: SharedTable) -> SharedTable:
        return self._tables.setdefault(table.campaign, table)

    async def change(self, campaign: str, change: TableChange) -> SharedTable:
        if campaign not in self._tables:
            raise NotFound(not_open(campaign))
        self._tables[campaign] = change(self._tables[campaign])
        return self._tables[campaign]

    async def say(self, campaign: str, line: ChatLine) -> ChatLine:
        if campaign not in self._tables:
            raise NotFound(not_open(campaign))
        said = self._talk.setdefault(campaign, [])
        said.append(line.model_copy(update={"no": len(said) + 1}))
        return said[-1]

    async def talk(self, campaign: str, after: int = 0, most: int = 200) -> list[ChatLine]:
        later = [line for line in self._talk.get(campaign, []) if line.no > after]
        return later[-most:] if most else []

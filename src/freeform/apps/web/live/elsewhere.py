"""What another process has written at tables that are files: a bot of its own, a verb of the
command line. Those who listen here hear of it within a moment.

Between servers of one Postgres a wire says so at once; of a file, SQLite says whether somebody else
has changed it (`pragma data_version`), and that is looked at for as long as somebody listens.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from freeform.core.errors import FreeformError
from freeform.engine.log import LogPosition
from freeform.players.people.model import ChatLine, SharedTable
from freeform.players.people.ports import WrittenElsewhere
from freeform.services.house import House

LOOK_S = 0.25
"""How often a table with listeners is looked at."""
LINES = 50


@dataclass
class _Seen:
    """A table as it was last looked at."""

    story: int
    people: int
    entry: int
    line: int


@dataclass
class TablesElsewhere:
    """Looks at the files of tables, and tells what others have written there."""

    house: House
    moved: Callable[[str, LogPosition], None]
    changed: Callable[[str], None]
    said: Callable[[SharedTable, ChatLine], None]
    _seen: dict[str, _Seen] = field(default_factory=dict)
    _own: dict[str, int] = field(default_factory=dict)

    def told(self, campaign: str, line: int) -> None:
        """A line of talk that was told here."""
        self._own[campaign] = max(line, self._own.get(campaign, 0))

    def forget(self, campaign: str) -> None:
        """Nobody listens there any more."""
        self._seen.pop(campaign, None)

    async def look(self, campaign: str) -> None:
        """Tells what has come since the last look; the first one only looks."""
        try:
            await self._look(campaign)
        except FreeformError:  # the story was deleted, or its file is in use: it is looked at again
            self.forget(campaign)

    async def _look(self, campaign: str) -> None:
        store, tables = self.house.table.store, self.house.tables
        if not isinstance(store, WrittenElsewhere) or not isinstance(tables, WrittenElsewhere):
            return
        before = self._seen.get(campaign)
        now = (store.written_elsewhere(campaign), tables.written_elsewhere(campaign))
        if before and (before.story, before.people) == now:
            return
        head = await store.head(campaign)
        lines = await tables.talk(campaign, most=LINES)
        last = lines[-1].no if lines else 0
        self._seen[campaign] = _Seen(*now, head.entry, last)
        if before is None:
            return
        if now[0] != before.story and head.entry != before.entry:
            self.moved(campaign, head)
        if now[1] != before.people:
            await self._tell_people(campaign, before, lines)

    async def _tell_people(self, campaign: str, before: _Seen, lines: list[ChatLine]) -> None:
        table = await self.house.tables.find(campaign)
        since = max(before.line, self._own.get(campaign, 0))
        for line in lines:
            if table and line.no > since:
                self.said(table, line)
        self.changed(campaign)

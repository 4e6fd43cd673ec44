"""What another process has written at tables that are files: a bot of its own, a verb of the
command line. Those who listen here hear of it within a moment.

Between servers of one Postgres a wire says so at once; of a file, SQLite says whether somebody else
has changed it (`pragma data_version`), and that is looked at for as long as somebody listens. Where
several processes with a wire serve these files, one of them looks for all: what the others write
comes over the wire as well, and is told once.
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
    head: LogPosition
    line: int


@dataclass
class TablesElsewhere:
    """Looks at the files of tables, and tells what others have written there."""

    house: House
    moved: Callable[[str, LogPosition], None]
    changed: Callable[[str], None]
    said: Callable[[SharedTable, ChatLine], None]
    has_wire: bool = False
    """Whether others tell what they write; a change is theirs until a second look says not."""
    _unsure: set[str] = field(default_factory=set)
    _seen: dict[str, _Seen] = field(default_factory=dict)
    _own: dict[str, int] = field(default_factory=dict)

    def are_files(self) -> bool:
        """Whether there is anything to look at."""
        stores = (self.house.table.store, self.house.tables)
        return all(isinstance(each, WrittenElsewhere) for each in stores)

    def told(self, campaign: str, line: int) -> None:
        """A line of talk that was told here."""
        self._own[campaign] = max(line, self._own.get(campaign, 0))

    def forget(self, campaign: str) -> None:
        """Nobody listens there any more."""
        self._seen.pop(campaign, None)
        self._unsure.discard(campaign)

    def is_watched(self, campaign: str) -> bool:
        """Whether this process looks at that table."""
        return campaign in self._seen

    def watch_only(self, campaigns: list[str]) -> None:
        """Nobody listens at any others."""
        for campaign in self._seen.keys() - set(campaigns):
            self.forget(campaign)

    async def catch_up(self, campaign: str) -> None:
        """What stands there now was told over the wire."""
        try:
            if self.is_watched(campaign):
                self._seen[campaign], _ = await self._standing(campaign, *self._versions(campaign))
                self._unsure.discard(campaign)
        except FreeformError:
            self.forget(campaign)

    async def look(self, campaign: str) -> None:
        """Tells what has come since the last look; the first one only looks."""
        try:
            await self._look(campaign)
        except FreeformError:  # the story was deleted, or its file is in use: it is looked at again
            self.forget(campaign)

    async def _look(self, campaign: str) -> None:
        before, now = self._seen.get(campaign), self._versions(campaign)
        if before and ((before.story, before.people) == now or self._waits(campaign)):
            return
        seen, lines = await self._standing(campaign, *now)
        self._seen[campaign] = seen
        self._unsure.discard(campaign)
        if before is None:
            return
        if now[0] != before.story and seen.head.entry != before.head.entry:
            self.moved(campaign, seen.head)
        if now[1] != before.people:
            await self._tell_people(campaign, before, lines)

    def _versions(self, campaign: str) -> tuple[int, int]:
        store, tables = self.house.table.store, self.house.tables
        assert isinstance(store, WrittenElsewhere) and isinstance(tables, WrittenElsewhere)
        return store.written_elsewhere(campaign), tables.written_elsewhere(campaign)

    async def _standing(
        self, campaign: str, story: int, people: int
    ) -> tuple[_Seen, list[ChatLine]]:
        head = await self.house.table.store.head(campaign)
        lines = await self.house.tables.talk(campaign, most=LINES)
        return _Seen(story, people, head, lines[-1].no if lines else 0), lines

    def _waits(self, campaign: str) -> bool:
        """Whether whoever wrote may still be about to say so."""
        waits = self.has_wire and campaign not in self._unsure
        self._unsure.add(campaign)
        return waits

    async def _tell_people(self, campaign: str, before: _Seen, lines: list[ChatLine]) -> None:
        table = await self.house.tables.find(campaign)
        since = max(before.line, self._own.get(campaign, 0))
        for line in lines:
            if table and line.no > since:
                self.said(table, line)
        self.changed(campaign)

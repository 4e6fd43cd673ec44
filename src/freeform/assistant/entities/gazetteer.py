"""All names that one viewer may know, by tool. Kept per version of the sources, since making it
costs time."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from freeform.assistant.entities.table import NameTable
from freeform.assistant.model import TOOLS, Name, Tool, Viewer
from freeform.assistant.ports import Source
from freeform.core.errors import FreeformError

_KEPT = 24


@dataclass
class Gazetteer:
    """Makes and keeps tables of names. What is for the GM alone is in no player's table."""

    _tables: OrderedDict[tuple[str, ...], NameTable] = field(default_factory=OrderedDict)

    async def tables(
        self, sources: Sequence[Source], viewer: Viewer
    ) -> tuple[dict[Tool, NameTable], dict[str, str]]:
        """The table of each tool that has sources, and what is wrong with those that could not say
        their names."""
        by_tool: dict[Tool, list[Source]] = {
            tool: mine
            for tool in TOOLS
            if (mine := [source for source in sources if source.tool == tool])
        }
        failed: dict[str, str] = {}
        made: dict[Tool, NameTable] = {}
        for tool, mine in by_tool.items():
            key = (viewer, *(f"{source.label}#{source.version}" for source in mine))
            if key not in self._tables:
                lists = await asyncio.gather(*(_names(source, failed) for source in mine))
                table = NameTable(
                    [n for names in lists for n in names if viewer == "gm" or not n.gm_only]
                )
                if any(source.label in failed for source in mine):
                    made[tool] = table
                    continue
                self._tables[key] = table
                if len(self._tables) > _KEPT:
                    self._tables.popitem(last=False)
            self._tables.move_to_end(key)
            made[tool] = self._tables[key]
        return made, failed


async def _names(source: Source, failed: dict[str, str]) -> Sequence[Name]:
    try:
        return await source.names()
    except (FreeformError, OSError, ValueError) as wrong:
        failed[source.label] = str(wrong)
        return []


Tables = Mapping[Tool, NameTable]

"""`web_search`: pages of the web, by title and snippet."""

from collections.abc import Mapping
from dataclasses import dataclass

from freeform.assistant.research.model import ToolFinding
from freeform.core.text import shorten
from freeform.lore.ports import WebSearch

_MOST, _QUOTE = 6, 360


@dataclass
class WebTool:
    """Asks a search engine. What it gives is quoted as it stands, with its address."""

    web: WebSearch
    name: str = "web_search"
    describes: str = "the web, for what the packs may not hold. Parameters: query"

    async def run(self, parameters: Mapping[str, str]) -> list[ToolFinding]:
        """`query`: what is asked."""
        hits = await self.web.search(parameters.get("query", ""), _MOST)
        return [
            ToolFinding(
                name=hit.title or hit.url,
                text=shorten(" ".join((hit.snippet or hit.title).split()), _QUOTE),
                tool=self.name,
                where=hit.domain,
                url=hit.url,
            )
            for hit in hits[:_MOST]
        ]

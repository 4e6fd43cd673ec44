"""Tools of other people's MCP servers, as tools of research."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from freeform.assistant.research.model import ToolFinding
from freeform.core.errors import Unavailable, UserError
from freeform.core.text import shorten, slug

_QUOTE, _MOST = 360, 12


@dataclass
class McpTool:
    """One tool of one server. Each call opens the server anew: research calls seldom, and a dead
    one must not hold it."""

    url: str
    tool: str
    description: str = ""

    @property
    def name(self) -> str:
        """As a plan writes it."""
        return f"mcp_{slug(self.tool)}"

    @property
    def describes(self) -> str:
        """For the planner."""
        return shorten(self.description or f"the tool {self.tool} of {self.url}", 300)

    async def run(self, parameters: Mapping[str, str]) -> list[ToolFinding]:
        """Calls it; a list in its answer gives one record each, anything else one."""
        answer = await _with_client(
            self.url, lambda client: client.call_tool(self.tool, dict(parameters))
        )
        text = "\n".join(str(part.text) for part in answer.content if getattr(part, "text", None))
        if answer.is_error:
            raise UserError(f"{self.tool} refused: {shorten(text, 200)}")
        rows = _rows(answer.structured_content)
        if not rows:
            return (
                [
                    ToolFinding(
                        name=self.tool, text=shorten(text, _QUOTE), tool=self.name, where=self.url
                    )
                ]
                if text
                else []
            )
        return [self._found(row) for row in rows[:_MOST]]

    def _found(self, row: Any) -> ToolFinding:
        fields = (
            {str(k): str(v) for k, v in row.items() if isinstance(v, str | int | float)}
            if isinstance(row, dict)
            else {}
        )
        name = (
            fields.get("name")
            or fields.get("title")
            or (row if isinstance(row, str) else self.tool)
        )
        text = json.dumps(row, ensure_ascii=False) if isinstance(row, dict) else str(row)
        return ToolFinding(
            name=name,
            text=shorten(text, _QUOTE),
            fields=fields,
            tool=self.name,
            where=self.url,
            url=fields.get("url", ""),
        )


async def tools_of(url: str) -> list[McpTool]:
    """The tools of a server. Unavailable when it does not answer."""
    listed = await _with_client(url, lambda client: client.list_tools())
    return [McpTool(url, tool.name, tool.description or "") for tool in listed.tools]


async def _with_client(url: str, work: Any) -> Any:
    try:
        from mcp.client.client import Client
    except ImportError as absent:
        raise UserError("MCP tools need the extra `web`: install freeform-rpg[web]") from absent
    try:
        async with Client(url) as client:
            return await work(client)
    except (OSError, ExceptionGroup, TimeoutError) as wrong:
        raise Unavailable(
            f"the MCP server at {url} does not answer ({type(wrong).__name__})"
        ) from wrong


def _rows(structured: Any) -> list[Any]:
    """The list inside a structured answer; the answer itself when it is one record."""
    if isinstance(structured, list):
        return structured
    if not isinstance(structured, dict):
        return []
    lists = [value for value in structured.values() if isinstance(value, list)]
    return lists[0] if len(lists) == 1 else [structured]

"""Our errors as an MCP client hears them: the sentences that they are."""

from collections.abc import Awaitable
from typing import TypeVar

from mcp.server.mcpserver.exceptions import ResourceError, ToolError

from freeform.core.errors import FreeformError

T = TypeVar("T")


async def plainly(work: Awaitable[T]) -> T:
    """The answer for a tool."""
    try:
        return await work
    except FreeformError as wrong:
        raise ToolError(str(wrong)) from None


async def read_plainly(work: Awaitable[T]) -> T:
    """The answer for a resource."""
    try:
        return await work
    except FreeformError as wrong:
        raise ResourceError(str(wrong)) from None

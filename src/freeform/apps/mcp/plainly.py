"""Our errors as an MCP client hears them: the sentences that they are."""

from collections.abc import Awaitable
from typing import TypeVar

from mcp.server.mcpserver.exceptions import ResourceError, ToolError

from freeform.core.errors import FreeformError
from freeform.core.ids import RandomIds
from freeform.core.log import request

T = TypeVar("T")


async def plainly(work: Awaitable[T]) -> T:
    """The answer for a tool."""
    try:
        # A tool may run in a task that outlives the request it came with, so it gets its own id.
        with request(RandomIds().new("mcp")):
            return await work
    except FreeformError as wrong:
        raise ToolError(str(wrong)) from None


async def read_plainly(work: Awaitable[T]) -> T:
    """The answer for a resource."""
    try:
        # A tool may run in a task that outlives the request it came with, so it gets its own id.
        with request(RandomIds().new("mcp")):
            return await work
    except FreeformError as wrong:
        raise ResourceError(str(wrong)) from None

"""The program, and with it what `serve` imports: the process that forks servers imports this once (`tests/apps/forked.py`)."""

import freeform.apps.discord.http
import freeform.apps.mcp.server
import freeform.apps.web.hosts
import freeform.apps.web.serve  # noqa: F401
from freeform.__main__ import main

__all__ = ["main"]

"""`freeform-rpg`, with the web app imported before the fork: a server that is killed a thousand times starts in a moment."""

import freeform.apps.discord.http
import freeform.apps.mcp.server
import freeform.apps.web.serve
from freeform.__main__ import main

__all__ = ["freeform", "main"]

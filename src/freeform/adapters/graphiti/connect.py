"""Finds Graphiti's driver for an address: bolt://… and neo4j://… , falkordb://… , or
kuzu:FOLDER."""

import warnings
from typing import Any
from urllib.parse import unquote, urlsplit

from freeform.adapters.graphiti.memories import GraphitiMemories
from freeform.core.errors import BadSettings, Unavailable

EXTRA = "install it with `pip install freeform-rpg[graphiti]`"


def connect(url: str, scope: str = "") -> GraphitiMemories:
    """The memory at that address. Its indexes are made when it is first asked for something."""
    with warnings.catch_warnings():
        # Graphiti and its drivers announce things to come while they are imported, and that Kuzu is
        # archived: good
        # enough to run our contract on, as docs/memory.md says.
        warnings.simplefilter("ignore", DeprecationWarning)
        return GraphitiMemories(_driver(url), scope)


def _driver(url: str) -> Any:
    given = urlsplit(url)
    try:
        match given.scheme:
            case "bolt" | "neo4j" | "bolt+s" | "neo4j+s":
                from graphiti_core.driver.neo4j_driver import Neo4jDriver

                place = f"{given.scheme}://{given.hostname or 'localhost'}:{given.port or 7687}"
                return Neo4jDriver(
                    place, unquote(given.username or "neo4j"), unquote(given.password or "")
                )
            case "falkordb" | "falkor":
                from graphiti_core.driver.falkordb_driver import FalkorDriver

                return FalkorDriver(
                    host=given.hostname or "localhost",
                    port=given.port or 6379,
                    username=unquote(given.username) if given.username else None,
                    password=unquote(given.password) if given.password else None,
                    database=given.path.strip("/") or "freeform_memory",
                )
            case "kuzu":
                from graphiti_core.driver.kuzu_driver import KuzuDriver

                return KuzuDriver(given.path)
    except ImportError as wrong:
        raise BadSettings(
            f"a memory at {given.scheme}: needs Graphiti's drivers ({wrong.name} is missing); {EXTRA}"
        ) from None
    except (OSError, RuntimeError, ValueError) as wrong:
        raise Unavailable(
            f"the memory graph at {given.hostname or given.path} cannot be opened ({wrong})"
        ) from wrong
    raise BadSettings(
        "`memory_url` is no address of a memory graph; write bolt://HOST:7687 or falkordb://HOST:6379"
    )

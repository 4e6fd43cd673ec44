"""The tools, by their server. Each is one method of a port; errors say their kind, too."""

from collections.abc import Awaitable
from typing import Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

from freeform.core.errors import FreeformError, Unavailable
from freeform.lore.messages import DeadLetter, MessageEnvelope
from freeform.lore.model import Kind
from freeform.lore.ports import LoreStore, Reservation, StepCommit, WebCrawler, WebPage, WebSearch

T = TypeVar("T")


def add_storage(server: MCPServer[Any], store: LoreStore) -> None:
    """`checkpoint_*` for the researcher, `world_lore_*` for the validator and for readers."""
    _add_steps(server, store)
    _add_pages(server, store)
    _add_budget(server, store)
    _add_post(server, store)
    _add_lore(server, store)


def _add_steps(server: MCPServer[Any], store: LoreStore) -> None:
    @server.tool()
    async def checkpoint_save(commit: StepCommit) -> dict[str, Any]:
        """Writes all that one step changes, once per key: result, spend, messages, decisions and
        checkpoint."""
        return {"saved": await plainly(store.commit_step(commit))}

    @server.tool()
    async def checkpoint_load(game: str) -> dict[str, Any]:
        """Where a game's research stands."""
        return {"checkpoint": dumped(await plainly(store.load_checkpoint(game)))}

    @server.tool()
    async def checkpoint_games() -> dict[str, Any]:
        """The games that have a checkpoint, the one last worked on first."""
        return {"games": await plainly(store.games())}

    @server.tool()
    async def checkpoint_steps(game: str) -> dict[str, Any]:
        """Every committed step in order."""
        return {"steps": dumped(await plainly(store.steps_done(game)))}


def _add_pages(server: MCPServer[Any], store: LoreStore) -> None:
    @server.tool()
    async def checkpoint_put_page(game: str, page: WebPage) -> dict[str, Any]:
        """Keeps a page as it was read."""
        await plainly(store.put_page(game, page))
        return {"kept": True}

    @server.tool()
    async def checkpoint_page(game: str, url: str, sha256: str = "") -> dict[str, Any]:
        """The newest stored page of an address, or the one of a hash."""
        return {"page": dumped(await plainly(store.page(game, url, sha256)))}


def _add_budget(server: MCPServer[Any], store: LoreStore) -> None:
    @server.tool()
    async def checkpoint_reserve(
        reservation: Reservation, per_cycle: int, per_day: int
    ) -> dict[str, Any]:
        """Sets tokens aside before a call; fails where a limit would be passed."""
        held = await plainly(store.reserve(reservation, per_cycle=per_cycle, per_day=per_day))
        return {"reservation": dumped(held)}

    @server.tool()
    async def checkpoint_settle(key: str, tokens: int, answer: str = "") -> dict[str, Any]:
        """A reserved call is done: what it used."""
        await plainly(store.settle(key, tokens, answer))
        return {"settled": True}

    @server.tool()
    async def checkpoint_release(key: str) -> dict[str, Any]:
        """A reserved call was not made."""
        await plainly(store.release(key))
        return {"released": True}

    @server.tool()
    async def checkpoint_spent(
        game: str, day: str = "", cycle: int | None = None
    ) -> dict[str, Any]:
        """Tokens reserved and settled."""
        return {"tokens": await plainly(store.spent(game, day, cycle))}


def _add_post(server: MCPServer[Any], store: LoreStore) -> None:
    @server.tool()
    async def checkpoint_unsent(agent: str, limit: int = 100) -> dict[str, Any]:
        """What an agent has committed and not yet sent."""
        return {"messages": dumped(await plainly(store.unsent(agent, limit)))}

    @server.tool()
    async def checkpoint_mark_sent(message_id: str) -> dict[str, Any]:
        """The broker has confirmed a message."""
        await plainly(store.mark_sent(message_id))
        return {"marked": True}

    @server.tool()
    async def checkpoint_accept(envelope: MessageEnvelope) -> dict[str, Any]:
        """Puts a delivered message into the inbox, once per id."""
        return {"accepted": await plainly(store.accept(envelope))}

    @server.tool()
    async def checkpoint_waiting(agent: str, limit: int = 100) -> dict[str, Any]:
        """Accepted messages whose effect is not committed yet."""
        return {"messages": dumped(await plainly(store.waiting(agent, limit)))}

    @server.tool()
    async def checkpoint_bury(letter: DeadLetter) -> dict[str, Any]:
        """Keeps a message that nobody understands."""
        await plainly(store.bury(letter))
        return {"buried": True}

    @server.tool()
    async def checkpoint_dead_letters() -> dict[str, Any]:
        """Messages that nobody understood."""
        return {"letters": dumped(await plainly(store.dead_letters()))}

    @server.tool()
    async def checkpoint_decisions(game: str = "", open_only: bool = False) -> dict[str, Any]:
        """Forks put to a person, oldest first."""
        return {"decisions": dumped(await plainly(store.decisions(game, open_only)))}

    @server.tool()
    async def checkpoint_answer(decision_id: str, choice: str, by: str, at: str) -> dict[str, Any]:
        """A person's choice; the first one stands."""
        return {"decision": dumped(await plainly(store.answer(decision_id, choice, by=by, at=at)))}


def _add_lore(server: MCPServer[Any], store: LoreStore) -> None:
    @server.tool()
    async def world_lore_save(commit: StepCommit) -> dict[str, Any]:
        """Writes validated lore with its embeddings, and the step that accepted it."""
        if commit.graph is None:
            raise ToolError(
                "[UserError] world_lore_save needs a `graph`; "
                "a step without one goes to checkpoint_save"
            )
        return {"saved": await plainly(store.commit_step(commit))}

    @server.tool()
    async def world_lore_graph(game: str, zone_id: str = "") -> dict[str, Any]:
        """Nodes and edges of a game, or of a zone and what it touches."""
        return {"graph": dumped(await plainly(store.graph(game, zone_id)))}

    @server.tool()
    async def world_lore_rows(game: str, kind: Kind | None = None) -> dict[str, Any]:
        """Rows of zone, npc, faction, lore and narrative_item."""
        return {"rows": dumped(await plainly(store.rows(game, kind)))}

    @server.tool()
    async def world_lore_claims(game: str, subject_id: str = "") -> dict[str, Any]:
        """The ledger: every claim with its quote."""
        return {"claims": dumped(await plainly(store.claims(game, subject_id)))}

    @server.tool()
    async def world_lore_package(game: str, zone_id: str) -> dict[str, Any]:
        """The accepted package of a zone."""
        return {"package": dumped(await plainly(store.package(game, zone_id)))}

    @server.tool()
    async def world_lore_near(game: str, text: str, limit: int = 10) -> dict[str, Any]:
        """Rows whose text is nearest in meaning."""
        return {"rows": dumped(await plainly(store.near(game, text, limit)))}


def add_search(server: MCPServer[Any], web: WebSearch) -> None:
    """The tool `search`."""

    @server.tool()
    async def search(query: str, limit: int = 10) -> dict[str, Any]:
        """Pages on the web, the most trusted sites first."""
        return {"results": dumped(await plainly(web.search(query, limit)))}


def add_crawler(server: MCPServer[Any], web: WebCrawler) -> None:
    """The tool `crawl_url`."""

    @server.tool()
    async def crawl_url(url: str) -> dict[str, Any]:
        """A page as Markdown with its structure, revision, hash, licence and tier; robots.txt is
        obeyed."""
        return {"page": dumped(await plainly(web.crawl(url)))}


async def plainly(work: Awaitable[T]) -> T:
    """Our errors as a tool's: `[Kind] sentence`."""
    try:
        return await work
    except FreeformError as wrong:
        raise ToolError(f"[{_kind(wrong)}] {wrong}") from wrong


def _kind(wrong: FreeformError) -> str:
    """The error's name, and what a client should know to raise the same."""
    kind = type(wrong).__name__
    if isinstance(wrong, Unavailable):
        if wrong.retry_after:
            kind += f" retry_after={wrong.retry_after:g}"
        if not wrong.passing:
            kind += " final"
    return kind


def dumped(value: Any) -> Any:
    """Records as plain data."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    return [dumped(each) for each in value] if isinstance(value, list) else value

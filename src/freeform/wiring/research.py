"""What the settings make of research: its store, and the tools that are at hand."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from freeform.adapters.mcp.tools import tools_of
from freeform.adapters.redis.research import RedisResearch
from freeform.adapters.sqlite.research import SqliteResearch
from freeform.assistant.model import Viewer
from freeform.assistant.ports import Source
from freeform.assistant.research.execute import StepLimits
from freeform.assistant.research.note_tools import NotesTool
from freeform.assistant.research.ports import ResearchStore, Tool
from freeform.assistant.research.research import ResearchPorts
from freeform.assistant.research.shelf_tools import ShelfTool
from freeform.assistant.research.web_tool import WebTool
from freeform.core.clock import SystemClock
from freeform.core.ids import RandomIds
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.engine.shelf import pack_install
from freeform.engine.shelf.books import Books
from freeform.offline.model import OfflineModel
from freeform.packs.resolve import Shelved
from freeform.retrieval import model as retrieval
from freeform.settings import Settings
from freeform.wiring import books, make_gateway
from freeform.wiring.lore import opened_web
from freeform.wiring.store import open_keep

_RAG = (
    "asks every pack on the shelf: rules, items, people, places. Parameters: query, as `list of all KIND`, "
    "`FACET of NAME`, `NAME`, or any question; and where, for words that every entry of a list must hold"
)
_LORE = "the same for the packs of worlds alone, without rulebooks. Parameters: query, where"


@asynccontextmanager
async def research_ports(
    settings: Settings,
    *,
    notes: Sequence[Source] = (),
    packs: Sequence[str] = (),
    viewer: Viewer = "player",
) -> AsyncIterator[ResearchPorts]:
    """Everything research is done with; its files are closed afterwards."""
    clock, offline = SystemClock(), OfflineModel()
    keep = open_keep(settings, clock)
    tapes = keep.tapes
    async with AsyncExitStack() as open:
        open.callback(keep.close)
        store = await open.enter_async_context(opened_research(settings))
        found = tools(settings, notes, packs, viewer)
        if settings.lore_search_url:
            search, _ = await open.enter_async_context(opened_web(settings, clock))
            found["web_search"] = WebTool(search)
        for url in settings.research_mcp.split():
            found |= {tool.name: tool for tool in await tools_of(url)}
        yield ResearchPorts(
            gateway=await make_gateway(settings, tapes, clock),
            steady=LiveGateway(
                ModelsByRole(offline, offline), prompts=bundled(), tapes=tapes, clock=clock
            ),
            store=store,
            tools=found,
            clock=clock,
            ids=RandomIds(),
            limits=StepLimits(
                at_once=settings.research_at_once, seconds=settings.research_tool_seconds
            ),
        )


@asynccontextmanager
async def opened_research(settings: Settings) -> AsyncIterator[ResearchStore]:
    """Where research is kept: a file under the home, or Redis."""
    if settings.research_redis:
        far = RedisResearch(settings.research_redis, RandomIds().new("worker"))
        try:
            yield far
        finally:
            await far.aclose()
        return
    near = SqliteResearch(Path(settings.home) / "research" / "research.db")
    try:
        yield near
    finally:
        near.close()


def tools(
    settings: Settings, notes: Sequence[Source], packs: Sequence[str], viewer: Viewer
) -> dict[str, Tool]:
    """The tools that can be used from here, by name."""
    shelf = books(settings)
    chosen = shelf.newest(packs)
    found: list[Tool] = [_shelf_tool("rag_query", _RAG, shelf, chosen, viewer)] if chosen else []
    worlds = [
        each
        for each in chosen
        if each.manifest.layer != "core" and "rulebook" not in each.manifest.tags
    ]
    if worlds:
        found.append(_shelf_tool("lore_query", _LORE, shelf, worlds, viewer))
    if notes:
        found.append(NotesTool(notes, viewer))
    return {tool.name: tool for tool in found}


def _shelf_tool(
    name: str, describes: str, shelf: Books, packs: Sequence[Shelved], viewer: Viewer
) -> ShelfTool:
    eyes = retrieval.GM if viewer == "gm" else retrieval.PLAYER
    ids = [each.manifest.id for each in packs]

    async def search(query: str) -> retrieval.LoreRetrievalResult:
        asked = retrieval.LoreRetrievalQuery(keywords=query, packs=ids, k=6, corpus="authored")
        return await pack_install.search(shelf, asked, eyes, lambda done, total: None)

    return ShelfTool(
        name, describes, [shelf.shelf.load(each) for each in packs], search, gm=viewer == "gm"
    )

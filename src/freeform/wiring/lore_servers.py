"""The lore researcher's outside world, as the settings describe it: in this process, or by
address."""

from freeform.adapters.sqlite.lore.store import SqliteLore
from freeform.adapters.web.tiers import read_sources
from freeform.core.clock import Clock, SystemClock
from freeform.core.errors import UserError
from freeform.lore.ports import Bus, LoreStore, WebCrawler, WebSearch
from freeform.settings import Settings
from freeform.wiring import embedder

FILE = "lore.db"
MISSING = 'this part needs its packages: pip install "freeform-rpg[lore]"'


def lore_store(settings: Settings) -> LoreStore:
    """The store: by MCP where an address is set, else `own_lore_store`."""
    if url := settings.lore_storage_url or settings.lore_gateway_url:
        from freeform.adapters.mcp.caller import McpCaller
        from freeform.adapters.mcp.lore import McpLore

        return McpLore(McpCaller(url, settings.lore_mcp_key.get_secret_value()))
    return own_lore_store(settings)


def own_lore_store(settings: Settings) -> LoreStore:
    """The store that this process opens itself: SQLite, or SurrealDB embedded or by its address."""
    choice = settings.lore_store
    if not choice or choice == "sqlite":
        return SqliteLore(settings.home / FILE, embedder(settings))
    url = f"surrealkv://{settings.home / 'lore-surreal'}" if choice == "surreal" else choice
    if not url.startswith(("surrealkv://", "mem://", "ws://", "wss://")):
        raise UserError(
            f"`lore_store` is '{choice}'; leave it empty, or set `surreal` or an address such as ws://127.0.0.1:8000"
        )
    from freeform.adapters.surreal.connection import SurrealConnection
    from freeform.adapters.surreal.rows import SurrealRows
    from freeform.adapters.surreal.store import SurrealLore

    password = settings.lore_surreal_password.get_secret_value()
    return SurrealLore(
        SurrealRows(SurrealConnection(url, settings.lore_surreal_user, password)),
        embedder(settings),
    )


class Web:
    """Search and crawl with one bucket between them. Pages are kept under the home while they do
    not change."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        try:
            from freeform.adapters.web.cache import PageCache
            from freeform.adapters.web.crawler import PoliteCrawler
            from freeform.adapters.web.fetch import FetchLimits, WebFetch
            from freeform.adapters.web.pace import CrawlPace
            from freeform.adapters.web.search import BraveSearch, SearxngSearch
            from freeform.adapters.web.wiki_search import WikiSearch
        except ImportError:
            raise UserError(MISSING) from None
        clock = clock or SystemClock()
        sources = read_sources(settings.lore_sources)
        limits = FetchLimits(megabytes=settings.lore_page_mb, seconds=settings.lore_page_seconds)
        fetch = WebFetch(clock, limits, allow_private=settings.lore_allow_private)
        pace = CrawlPace(clock, settings.lore_requests_per_minute, settings.lore_host_pause_s)
        self._asking = WebFetch(clock, limits, allow_private=True)
        """A search engine is set by the person, and often stands on the same machine."""
        self._crawler = PoliteCrawler(
            fetch, pace, PageCache(settings.home / "lore-pages.db"), sources, clock
        )
        self.crawler: WebCrawler = self._crawler
        self.search: WebSearch = WikiSearch(fetch, pace, sources)
        if settings.lore_search_url and settings.lore_search_kind == "brave":
            key = settings.lore_search_key.get_secret_value()
            self.search = BraveSearch(settings.lore_search_url, key, self._asking, pace, sources)
        elif settings.lore_search_url:
            self.search = SearxngSearch(settings.lore_search_url, self._asking, pace, sources)
        key = settings.lore_mcp_key.get_secret_value()
        self._callers = []
        for name, url in (
            ("search", settings.lore_search_mcp_url),
            ("crawler", settings.lore_crawler_mcp_url),
        ):
            if url := url or settings.lore_gateway_url:
                from freeform.adapters.mcp.caller import McpCaller
                from freeform.adapters.mcp.lore import McpCrawler, McpSearch

                caller = McpCaller(url, key)
                self._callers.append(caller)
                if name == "search":
                    self.search = McpSearch(caller)
                else:
                    self.crawler = McpCrawler(caller)

    async def close(self) -> None:
        """Closes every connection and the cache."""
        for caller in self._callers:
            await caller.close()
        await self._asking.close()
        await self._crawler.close()


def lore_bus(settings: Settings) -> Bus | None:
    """RabbitMQ where an address is set; None: messages go from outbox to inbox inside the store."""
    if not settings.lore_rabbitmq_url:
        return None
    try:
        from freeform.adapters.rabbit.bus import RabbitBus
    except ImportError:
        raise UserError(MISSING) from None
    return RabbitBus(settings.lore_rabbitmq_url)

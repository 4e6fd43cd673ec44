"""The lore researcher put together: its store, the web, the bus, the model and the log, as the
settings say."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from freeform import wiring
from freeform.core.clock import Clock, SystemClock
from freeform.core.llm.retry import RetryPolicy
from freeform.core.llm.tape import MemoryTapes
from freeform.lore.errand import LorePorts, ResearchLimits
from freeform.lore.event_log import StructuredLog
from freeform.lore.judge.trades import unlike_by
from freeform.lore.messages import RESEARCHER
from freeform.lore.ports import Level, LoreStore, WebCrawler, WebSearch
from freeform.lore.read.passes import EXTRACT
from freeform.settings import Settings
from freeform.wiring.ear import near_texts
from freeform.wiring.lore_servers import Web, lore_bus, lore_store


def lore_limits(settings: Settings) -> ResearchLimits:
    """How far the researcher goes."""
    return ResearchLimits(
        per_cycle_tokens=settings.lore_per_cycle_token_budget,
        daily_tokens=settings.lore_daily_token_budget,
        max_iterations=settings.lore_max_research_validate_iterations,
        pass_tokens=settings.lore_pass_tokens,
        results_per_search=settings.lore_pages_per_search,
        follow_per_step=settings.lore_links_per_step,
        passes_per_step=settings.lore_passes_per_step,
        cycle_delay_s=settings.lore_research_cycle_delay_minutes * 60,
        least_coverage=settings.lore_least_coverage,
        ask_at_forks=settings.lore_ask_at_forks,
        decision_hours=settings.lore_decision_hours,
    )


def begun(settings: Settings) -> bool:
    """Whether there may be anything to see: looking must not make an empty store."""
    elsewhere = settings.lore_store or settings.lore_storage_url or settings.lore_gateway_url
    return bool(elsewhere) or (settings.home / "lore.db").is_file()


@asynccontextmanager
async def opened_store(settings: Settings) -> AsyncIterator[LoreStore]:
    """The store alone: for the inbox, the graph and publishing."""
    store = lore_store(settings)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def opened_lore(
    settings: Settings,
    write: Callable[[str], None],
    *,
    agent: str = RESEARCHER,
    least: Level | None = None,
) -> AsyncIterator[LorePorts]:
    """Everything the agents need, and closed afterwards."""
    clock = SystemClock()
    tapes = MemoryTapes()
    async with opened_store(settings) as store, opened_web(settings, clock) as (search, crawler):
        bus = lore_bus(settings)
        gateway = await wiring.make_gateway(settings, tapes, clock)
        free = {"free_reading": gateway.is_offline(EXTRACT["zone"].role)}
        try:
            yield LorePorts(
                store=store,
                search=search,
                crawler=crawler,
                gateway=gateway,
                clock=clock,
                log=StructuredLog(write, clock, agent, least or settings.log_level),
                bus=bus,
                limits=lore_limits(settings).model_copy(update=free),
                # The web adapters retry by themselves, as politely as each site asks.
                patience=RetryPolicy(tries=1, seconds=settings.lore_page_seconds * 6),
                unlike=unlike_by(near_texts),
                near=near_texts,
            )
        finally:
            if bus:
                await bus.close()


@asynccontextmanager
async def opened_web(
    settings: Settings, clock: Clock
) -> AsyncIterator[tuple[WebSearch, WebCrawler]]:
    """Search and crawler with one pace between them."""
    web = Web(settings, clock)
    try:
        yield web.search, web.crawler
    finally:
        await web.close()


@asynccontextmanager
async def gold_ports(settings: Settings, port: int) -> AsyncIterator[LorePorts]:
    """A researcher on the gold wiki of `eval lore`: the real crawler and search, a store that ends
    with it."""
    with TemporaryDirectory(prefix="freeform-lore-") as folder:
        home = Path(folder)
        sites = [
            f"- {{domain: 127.0.0.{tier}, tier: {tier}, licence: CC-BY-SA-4.0}}"
            for tier in (1, 2, 3)
        ]
        (home / "sources.yml").write_text("sites:\n" + "\n".join(sites) + "\n", encoding="utf-8")
        here = settings.model_copy(
            update={
                "home": home,
                "model": "offline",
                "lore_sources": home / "sources.yml",
                "lore_search_url": f"http://127.0.0.1:{port}",
                "lore_search_kind": "searxng",
                "lore_allow_private": True,
                "lore_requests_per_minute": 0,
                "lore_host_pause_s": 0.0,
                "lore_page_seconds": 1.0,
                "lore_ask_at_forks": False,
            }
        )
        async with opened_lore(here, lambda line: None) as ports:
            yield replace(ports, limits=ports.limits.model_copy(update={"roam": False}))

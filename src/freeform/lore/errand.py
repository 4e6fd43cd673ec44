"""What the researcher works with: its ports and limits, and the errand of one step with all it
spends."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from freeform.core.chance import Chance
from freeform.core.clock import Clock
from freeform.core.errors import BadReply, NotFound, Unavailable, UserError
from freeform.core.llm.budget import said_tokens
from freeform.core.llm.gateway import (
    Call,
    Gateway,
    In,
    Out,
    Pass,
    Question,
)
from freeform.core.llm.prompts import bundled
from freeform.core.llm.retry import RetryPolicy, Sleep
from freeform.core.record import Record, canonical
from freeform.language.ear import TextNearness, no_text_near
from freeform.lore.budget import CycleSpent, DaySpent
from freeform.lore.event_log import silent
from freeform.lore.judge.trades import Unlike, never_unlike
from freeform.lore.messages import RESEARCHER
from freeform.lore.model import ResearchCheckpoint
from freeform.lore.ports import (
    Bus,
    LoreLog,
    LoreStore,
    Reservation,
    SearchHit,
    Spend,
    WebCrawler,
    WebPage,
    WebSearch,
)

T = TypeVar("T")
_ANSWER_TOKENS = 800
"""The longest answer that is paid for. Others count tokens otherwise than we: a quarter more."""


def shown_tokens(pass_: Pass[In, Out], input: In) -> int:
    """About how many tokens a question shows a model."""
    return said_tokens(Question(pass_, input, bundled().get(pass_.id), Call()))


class ResearchLimits(Record):
    """How far the researcher goes. Budgets in tokens; 0 is no limit."""

    per_cycle_tokens: int = 50_000
    daily_tokens: int = 500_000
    max_iterations: int = 3
    results_per_search: int = 8
    """So many pages of each site that a search finds are opened."""
    follow_per_step: int = 24
    passes_per_step: int = 300
    """Most questions to the model in one step; the budgets in tokens hold besides."""
    pass_tokens: int = 2_500
    """How much of a page one question shows; a longer page takes several."""
    free_reading: bool = False
    """Whether the reader of prose costs nothing: then a page is read anew when kinds are known."""
    cycle_delay_s: float = 0.0
    least_coverage: float = 0.5
    """The validator wants at least this share of what a zone's pages name to have been read."""
    roam: bool = True
    """Whether zones that are found go into the queue; else only those asked for are researched."""
    ask_at_forks: bool = True
    decision_hours: float = 0.0
    """After so many hours an open fork takes its default; 0 waits for ever."""


@dataclass(frozen=True)
class LorePorts:
    """Everything from outside."""

    store: LoreStore
    search: WebSearch
    crawler: WebCrawler
    gateway: Gateway
    clock: Clock
    log: LoreLog = silent
    bus: Bus | None = None
    """None: messages go from outbox to inbox inside the store."""
    limits: ResearchLimits = field(default_factory=ResearchLimits)
    patience: RetryPolicy = field(
        default_factory=lambda: RetryPolicy(tries=3, first_wait=0.5, longest_wait=8.0)
    )
    sleep: Sleep = asyncio.sleep
    agent: str = RESEARCHER
    unlike: Unlike = never_unlike
    """Whether two trades lie far apart in meaning."""
    near: TextNearness = no_text_near
    """How near labels are in meaning."""

    def now(self) -> str:
        """The time as records carry it."""
        return self.clock.now().isoformat(timespec="seconds")

    def today(self) -> str:
        """The day as budgets count it."""
        return self.clock.now().date().isoformat()


def effect_id(*parts: object) -> str:
    """The name of an effect: the same cause has the same effect, before and after a crash."""
    return hashlib.sha256(canonical(list(parts)).encode()).hexdigest()[:32]


class OutOfReach(Unavailable):
    """Nothing on a zone can be had just now: it waits, and is no failure."""


class Errand:
    """One step at work: searches, reads and asks, and counts what that costs."""

    def __init__(self, ports: LorePorts, point: ResearchCheckpoint, key: str) -> None:
        self.ports, self.point, self.key = ports, point, key
        self.spend, self.failed = Spend(), dict[str, str]()
        self.outages = 0

    async def search(self, query: str) -> list[SearchHit]:
        """The hits, best tier first among equals; none where the search fails: the pipeline goes
        on."""
        ports = self.ports
        # More than will be read: good tiers stand first, and must not crowd the others out.
        limit = max(20, 2 * ports.limits.results_per_search * self.point.iteration)
        self.spend += Spend(searches=1)
        try:
            hits = await self._patiently(lambda: ports.search.search(query, limit), query)
        except Unavailable as wrong:
            self.outages += 1
            ports.log(
                "error",
                "error",
                error_type="search",
                message=str(wrong),
                retry_count=ports.patience.tries,
            )
            return []
        ports.log(
            "search_executed", "debug" if hits else "warn", query=query, result_count=len(hits)
        )
        return hits

    async def fetch(self, url: str) -> WebPage | None:
        """The page: from the store where it was read before, else from the web; None where it
        cannot be read."""
        game, ports = self.point.game, self.ports
        if (stored := await ports.store.page(game, url)) is not None:
            return stored
        if url in self.failed:
            return None
        self.spend += Spend(crawls=1)
        try:
            page = await self._patiently(lambda: ports.crawler.crawl(url), url)
        except UserError as wrong:
            barred, gone = "robots" in str(wrong), isinstance(wrong, NotFound)
            self.failed[url] = (
                "robots forbid it" if barred else "dead link" if gone else "unreadable page"
            )
            ports.log("crawl_executed", "debug", url=url, content_length=0, refused=str(wrong))
            return None
        except Unavailable as wrong:
            self.failed[url] = "unreadable page"
            self.outages += 1
            ports.log(
                "error",
                "error",
                error_type="crawl",
                message=str(wrong),
                retry_count=ports.patience.tries,
                url=url,
            )
            return None
        page = page.model_copy(update={"asked_url": url})
        await ports.store.put_page(game, page)
        ports.log("crawl_executed", "debug", url=url, content_length=len(page.text))
        return page

    async def ask(self, pass_: Pass[In, Out], input: In, about: str = "") -> Out | None:
        """A pass's answer, with its tokens reserved first. None where it fails, or is too big for
        any budget. `about`: what the answer depends on, where that is not this step: a piece of a
        page is read once for the whole game."""
        ports, point = self.ports, self.point
        game = point.game
        key = effect_id(game, pass_.id, about) if about else effect_id(self.key, pass_.id, input)
        coming = shown_tokens(pass_, input) * 5 // 4 + _ANSWER_TOKENS
        wish = Reservation(key=key, game=game, day=ports.today(), cycle=point.cycle, tokens=coming)
        limits = ports.limits
        try:
            held = await ports.store.reserve(
                wish, per_cycle=limits.per_cycle_tokens, per_day=limits.daily_tokens
            )
        except (CycleSpent, DaySpent) as spent:
            span = limits.daily_tokens if isinstance(spent, DaySpent) else limits.per_cycle_tokens
            if coming > span:
                # No cycle and no day will ever be long enough: the page's structure must do.
                ports.log(
                    "budget_exhausted",
                    "warn",
                    budget_type=_span(spent),
                    action="skip",
                    needed=coming,
                )
                return None
            raise
        if held.settled:
            # Paid for by the step that asked; that step counts it again after a crash, no other.
            if not about or held.cycle == point.cycle:
                self.spend += Spend(tokens=held.tokens, calls=1)
            return pass_.gives.model_validate_json(held.answer) if held.answer else None
        try:
            answer = await ports.gateway.ask(
                pass_, input, Call(campaign="", seed=game, most_tokens=coming)
            )
        except (BadReply, Unavailable) as wrong:
            used = wrong.usage.input_tokens + wrong.usage.output_tokens if wrong.usage else 0
            await ports.store.settle(key, used)
            ports.log(
                "error",
                "error",
                error_type="model",
                message=str(wrong),
                retry_count=ports.patience.tries,
            )
            return None
        used = answer.usage.input_tokens + answer.usage.output_tokens
        await ports.store.settle(key, used, answer.output.model_dump_json())
        self.spend += Spend(tokens=used, calls=1, cost_usd=answer.usage.cost_usd, estimated=coming)
        return answer.output

    async def _patiently(self, work: Callable[[], Awaitable[T]], what: str) -> T:
        ports = self.ports
        async for attempt in ports.patience.retrying(Chance("lore", what), ports.sleep):
            with attempt:
                try:
                    async with asyncio.timeout(ports.patience.seconds):
                        result = await work()
                except TimeoutError:
                    late = f"no answer from {what} within {ports.patience.seconds:g} s"
                    raise Unavailable(late, passing=False) from None
        return result


def _span(spent: BaseException) -> str:
    return "daily" if isinstance(spent, DaySpent) else "per_cycle"

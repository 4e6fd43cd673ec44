"""What the researcher and the validator need from outside: a store, a search, a crawler, a bus, and
a log."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Literal, Protocol

from pydantic import Field

from freeform.core.record import Record
from freeform.lore.messages import VALIDATOR, DeadLetter, Decision, MessageEnvelope
from freeform.lore.model import (
    Claim,
    Kind,
    LoreGraph,
    NodeRow,
    ResearchCheckpoint,
    ResearchPackage,
    SourceReference,
)

# ── the web
# ────────────────────────────────────────────────────────────────────────────────────────────────


class SearchHit(Record):
    """One result of a search."""

    url: str
    title: str = ""
    snippet: str = ""
    domain: str = ""
    tier: int = 3


class WebSearch(Protocol):
    """Finds pages. Raises Unavailable."""

    async def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        """The best pages first, tiers already set; nothing found is an empty list."""
        ...


class PageLink(Record):
    """A link to another page of the same wiki or site. `start`: where its text stands in
    `Page.text`."""

    title: str
    url: str
    text: str = ""
    start: int = -1
    exists: bool = True
    """False for a red link."""


class PageHeading(Record):
    """A section: its text is `Page.text[start:end]`, without the heading line itself."""

    title: str
    level: int
    start: int
    end: int


class InfoboxRow(Record):
    """A row of an infobox: `value` stands in `Page.text` at `start`..`end` (with its label: at
    `row_start`)."""

    label: str
    value: str
    start: int
    end: int
    row_start: int
    links: list[PageLink] = Field(default_factory=list)
    parts: list[str] = Field(default_factory=list)
    """The value's separate items, where the page lists several."""


class Infobox(Record):
    """The table of facts at the top of a wiki page; `kind` is its template's name or class."""

    kind: str = ""
    rows: list[InfoboxRow] = Field(default_factory=list)


class TableBlock(Record):
    """A plain table: the header's cells, and rows of cells; every cell stands in `Page.text`."""

    caption: str = ""
    header: list[str] = Field(default_factory=list)
    rows: list[list[str]] = Field(default_factory=list)
    starts: list[int] = Field(default_factory=list)
    """Where each row begins in `Page.text`."""
    section: str = ""


class WebPage(Record):
    """A page as it was stored. `text` is what quotes are checked against; `sha256` is of exactly
    that text."""

    url: str
    """The address it was found at, after redirects."""
    asked_url: str = ""
    title: str = ""
    text: str
    headings: list[PageHeading] = Field(default_factory=list)
    infobox: Infobox | None = None
    tables: list[TableBlock] = Field(default_factory=list)
    links: list[PageLink] = Field(default_factory=list)
    categories: list[str] = Field(default_factory=list)
    redirects: list[str] = Field(default_factory=list)
    """Other titles that lead here: aliases."""
    notices: list[str] = Field(default_factory=list)
    """What the page or its site says of itself above the text: banners, hatnotes."""
    revision: str = ""
    revision_at: str = ""
    sha256: str
    licence: str = ""
    domain: str = ""
    tier: int = 3
    fetched_at: str = ""

    @property
    def reference(self) -> SourceReference:
        """The page as a source."""
        return SourceReference(
            url=self.url,
            domain=self.domain,
            tier=self.tier,
            accessed_at=self.fetched_at,
            title=self.title,
            licence=self.licence,
            revision=self.revision,
            sha256=self.sha256,
        )


class WebCrawler(Protocol):
    """Reads pages, politely. NotFound: no such page, or robots forbid it. Unavailable: later may
    work."""

    async def crawl(self, url: str) -> WebPage:
        """The page of that address, as text with its structure."""
        ...


# ── the store
# ──────────────────────────────────────────────────────────────────────────────────────────────


class Spend(Record):
    """What a step used."""

    tokens: int = 0
    cost_usd: float = 0.0
    calls: int = 0
    searches: int = 0
    crawls: int = 0
    estimated: int = 0
    """Tokens that were set aside: about what a paid model would have used."""

    def __add__(self, other: "Spend") -> "Spend":
        return Spend(
            tokens=self.tokens + other.tokens,
            cost_usd=round(self.cost_usd + other.cost_usd, 8),
            calls=self.calls + other.calls,
            searches=self.searches + other.searches,
            crawls=self.crawls + other.crawls,
            estimated=self.estimated + other.estimated,
        )


class Reservation(Record):
    """Tokens set aside for one call before it is made. The same key again replaces itself: never
    counted twice."""

    key: str
    game: str
    day: str
    cycle: int
    tokens: int
    """The estimate until it is settled, then what was used."""
    settled: bool = False
    answer: str = ""
    """The call's answer as JSON once settled, so that a step that is done again after a crash asks
    nothing twice."""


class GraphWrite(Record):
    """Accepted data: rows, edges and the ledger behind them. The store embeds each row's text
    (D8)."""

    package: ResearchPackage
    also: list[ResearchPackage] = Field(default_factory=list)
    """Further packages that are written with it."""
    anew: bool = False
    """These take the place of what was accepted of their zones: the game's rows, edges and ledger
    are made again from all its packages, by `freeform.lore.judge.rows.in_place`."""


JUDGES = ("person", VALIDATOR)
"""The agents whose steps change what is accepted of a game."""


def judged(steps: "Iterable[StepCommit]") -> int:
    """How many of these steps are the judges'."""
    return sum(step.agent in JUDGES for step in steps)


class StepCommit(Record):
    """All that one step changes. It is written whole, once per `key`, or not at all."""

    key: str
    """hash(run, zone, iteration, step, inputs): the same step has the same key after a crash."""
    agent: str
    game: str
    zone_name: str = ""
    step: int = 0
    name: str = ""
    result: dict[str, Any] = Field(default_factory=dict)
    spend: Spend = Field(default_factory=Spend)
    messages: list[MessageEnvelope] = Field(default_factory=list)
    """Go to the outbox."""
    consumed: str = ""
    """The inbox message this step was the effect of."""
    decisions: list[Decision] = Field(default_factory=list)
    checkpoint: ResearchCheckpoint | None = None
    """The validator has none."""
    graph: GraphWrite | None = None
    judged: int | None = None
    """How many steps of the JUDGES it was made after: Conflict where there are more by now."""
    at: str = ""


class LoreStore(Protocol):
    """Keeps everything. Raises Conflict where another daemon works on the same game."""

    async def commit_step(self, commit: StepCommit) -> bool:
        """Result, spend, messages, decisions, graph and checkpoint in ONE transaction. False: it
        was done before.

        Conflict where `judged` no longer holds. A checkpoint's `sequence` must be one more than the stored one's (else Conflict). Rows that
        are there are merged by `freeform.lore.judge.rows.merged`.
        """
        ...

    async def steps_done(self, game: str) -> list[StepCommit]:
        """Every committed step in order (messages, graph and checkpoint may be left out)."""
        ...

    async def load_checkpoint(self, game: str) -> ResearchCheckpoint | None:
        """Where that game stands; an older version is brought up to date, a newer one is a
        UserError."""
        ...

    async def games(self) -> list[str]:
        """The games that have a checkpoint, the one last worked on first."""
        ...

    # pages: each is fetched once per revision
    async def put_page(self, game: str, page: WebPage) -> None:
        """Keeps a page under both its addresses; the same text again changes nothing."""
        ...

    async def page(self, game: str, url: str, sha256: str = "") -> WebPage | None:
        """The newest stored page of that address, or exactly the one of that hash."""
        ...

    # budget
    async def reserve(
        self, reservation: Reservation, *, per_cycle: int, per_day: int
    ) -> Reservation:
        """Sets tokens aside; 0 is no limit. A settled one of that key is given back as it is.

        Raises DaySpent or CycleSpent, by `freeform.lore.budget.check_reservation`.
        """
        ...

    async def settle(self, key: str, tokens: int, answer: str = "") -> None:
        """The call is done: what it really used, and its answer."""
        ...

    async def release(self, key: str) -> None:
        """The call was not made after all: the open reservation is gone."""
        ...

    async def spent(self, game: str, day: str = "", cycle: int | None = None) -> int:
        """Tokens reserved and settled on a day, in a cycle, or altogether."""
        ...

    # outbox and inbox
    async def unsent(self, agent: str, limit: int = 100) -> list[MessageEnvelope]:
        """What that agent has committed and not yet sent, in order."""
        ...

    async def mark_sent(self, message_id: str) -> None:
        """The broker has confirmed it."""
        ...

    async def accept(self, envelope: MessageEnvelope) -> bool:
        """Puts a delivered message into the inbox, once per id; False: it was there. After this it
        may be acked."""
        ...

    async def waiting(self, agent: str, limit: int = 100) -> list[MessageEnvelope]:
        """Accepted messages whose effect is not committed yet, in order."""
        ...

    async def bury(self, letter: DeadLetter) -> None:
        """Keeps a message nobody understands."""
        ...

    async def dead_letters(self) -> list[DeadLetter]:
        """Those, in order."""
        ...

    # decisions
    async def decisions(self, game: str = "", open_only: bool = False) -> list[Decision]:
        """The inbox, oldest first."""
        ...

    async def answer(self, decision_id: str, choice: str, *, by: str, at: str) -> Decision:
        """Keeps the first answer; the same again is harmless, another is a Conflict. NotFound,
        UserError.

        Puts one user_decision_response into the asking agent's inbox in the same transaction.
        """
        ...

    # the graph
    async def graph(self, game: str, zone_id: str = "") -> LoreGraph:
        """All of a game, or a zone and what it touches."""
        ...

    async def rows(self, game: str, kind: Kind | None = None) -> list[NodeRow]:
        """Rows of the tables, by id."""
        ...

    async def claims(self, game: str, subject_id: str = "") -> list[Claim]:
        """The ledger."""
        ...

    async def package(self, game: str, zone_id: str) -> ResearchPackage | None:
        """The accepted package of a zone (gaps, conflicts, confidences)."""
        ...

    async def near(self, game: str, text: str, limit: int = 10) -> list[NodeRow]:
        """Rows whose text is nearest in meaning; by words where there is no embedder."""
        ...

    async def close(self) -> None:
        """Closes files and connections."""
        ...


# ── the bus
# ────────────────────────────────────────────────────────────────────────────────────────────────

Take = Callable[[bytes], Awaitable[None]]
"""Accepts one delivered message durably. Returning is the acknowledgement; raising Unavailable asks
for it again; any other error of ours puts it with the bus's dead letters."""


class Bus(Protocol):
    """Carries messages at least once. Raises Unavailable while it is down."""

    async def publish(self, routing_key: str, message_id: str, body: bytes) -> None:
        """Returns when the broker has it for good."""
        ...

    async def consume(self, queues: Sequence[str], take: Take) -> None:
        """Gives each message of those queues to `take`, until cancelled; reconnects by itself."""
        ...

    async def close(self) -> None:
        """Lets go of the connection."""
        ...


Level = Literal["debug", "info", "warn", "error"]


class LoreLog(Protocol):
    """Where the seed's 18 events go, as structured JSON."""

    def __call__(self, event: str, level: Level = "info", **fields: Any) -> None:
        """One event."""
        ...

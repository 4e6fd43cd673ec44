"""The adapters of AI players: where a party lies, who puts its questions, and where its rounds are
checkpointed."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from freeform.adapters.graphiti.memories import GraphitiMemories
from freeform.adapters.langgraph.checkpoints import (
    MemoryCheckpoints,
    PostgresCheckpoints,
    SqliteCheckpoints,
)
from freeform.adapters.memory.party import MemoryChannels, MemoryParties
from freeform.adapters.otel.spans import open_spans
from freeform.adapters.parquet.rows import rows_as_parquet as rows_as_parquet
from freeform.adapters.parquet.rows import write_rows as write_rows
from freeform.adapters.redis.agents import RqCrew
from freeform.adapters.redis.agents import start_worker as start_worker
from freeform.adapters.redis.channels import RedisChannels
from freeform.adapters.redis.experiments import run_at_workers as run_at_workers
from freeform.adapters.sqlite.memory.memories import SqliteMemories
from freeform.adapters.sqlite.party import PartyFiles, SqliteChannels, SqliteParties
from freeform.core.errors import BadSettings
from freeform.core.gc_tuning import set_aside
from freeform.core.llm.gateway import Gateway
from freeform.core.llm.live_gateway import LiveGateway
from freeform.engine.table import Table
from freeform.offline.model import Responder
from freeform.players.memory.ports import MemoryStore
from freeform.players.memory.search import AskedBefore
from freeform.players.model import Dm, Party
from freeform.players.party.local_agents import LocalCrew
from freeform.players.party.persona import bundled_personas
from freeform.players.passes import PASSES
from freeform.players.ports import AgentRunner, ChannelStore, Checkpoints, PartyStore, Spans, unseen
from freeform.players.round.channels import ChannelRouter
from freeform.players.round.minds import Minds
from freeform.players.round.phase import Playing
from freeform.players.round.play_round import PartyGame, open_game
from freeform.retrieval.ports import Embedder
from freeform.settings import Settings
from freeform.wiring import (
    OFFLINE,
    embedder,
    headless,
    make_gateway,
    offline_gateway,
    opened,
    seat_model,
)
from freeform.wiring.memory import open_companion_memories, open_memories

Show = Callable[[str, dict[str, Any]], None]


@dataclass
class PartyRoom:
    """Everything parties are played with, open meanwhile."""

    settings: Settings
    table: Table
    store: PartyStore
    channels: ChannelStore
    crew: AgentRunner
    checkpoints: Checkpoints
    memories: Callable[[str], MemoryStore]
    companions: Callable[[str], MemoryStore]
    """By campaign: what AI players at people's tables remember."""
    embedder: Embedder | None = None
    """One for all parties: it is loaded once, and keeps the last questions."""
    span: Spans = unseen

    def router(self, party: str) -> ChannelRouter:
        """The door to a party's channels."""
        return ChannelRouter(party, self.channels, self.table.clock)

    def minds(self, party: str) -> Minds:
        """A party's memory at work."""
        return Minds(self.memories(party), self.embedder)

    def companion_minds(self, campaign: str) -> Minds:
        """The memory of AI players at a table of people."""
        return Minds(self.companions(campaign), self.embedder)

    def playing(
        self, party: Party, dm: Dm = "engine", show: Show = lambda phase, seen: None
    ) -> Playing:
        """What that party's rounds are played with."""
        return Playing(
            party=party,
            table=self.table,
            router=self.router(party.id),
            store=self.store,
            crew=self.crew,
            minds=self.minds(party.id),
            clock=self.table.clock,
            dm=dm,
            authored=self._is_authored(party, dm),
            show=show,
            span=self.span,
        )

    def _is_authored(self, party: Party, dm: Dm) -> bool:
        ours = bundled_personas()
        seats = [s for s in party.seats if s.person or s.persona != ours.get(s.persona.id)]
        return self.crew.scripted and self.table.authored and dm == "engine" and not seats

    @asynccontextmanager
    async def game(
        self, party: Party, dm: Dm = "engine", show: Show = lambda phase, seen: None
    ) -> AsyncIterator[PartyGame]:
        """The party's graph over its checkpoints."""
        async with self.checkpoints.opened(party.id) as saver:
            game = open_game(self.playing(party, dm, show), saver, self.checkpoints)
            _set_aside_once()
            yield game


@cache
def _set_aside_once() -> None:
    """LangGraph alone is a hundred thousand objects."""
    set_aside()


@asynccontextmanager
async def parlour(settings: Settings) -> AsyncIterator[PartyRoom]:
    """As the settings say; everything is closed afterwards."""
    async with opened(settings) as table, parlour_at(settings, table) as room:
        yield room


@asynccontextmanager
async def parlour_at(settings: Settings, table: Table) -> AsyncIterator[PartyRoom]:
    """A parlour round a table that is open already."""
    span, no_more_spans = open_spans(settings.spans) if settings.spans else (unseen, lambda: None)
    files, memories = PartyFiles(settings.home), dict[str, SqliteMemories | GraphitiMemories]()

    def memory_of(party: str) -> MemoryStore:
        if party not in memories:
            memories[party] = open_memories(settings, party)
        return memories[party]

    def company_of(campaign: str) -> MemoryStore:
        key = f"{campaign}/company"
        if key not in memories:
            memories[key] = open_companion_memories(settings, campaign)
        return memories[key]

    try:
        yield PartyRoom(
            settings=settings,
            table=table,
            store=SqliteParties(files),
            channels=channel_store(settings, files, table),
            crew=crew(settings, await players_gateway(settings, table), table),
            checkpoints=checkpoints(settings),
            memories=memory_of,
            companions=company_of,
            embedder=_embedder(settings),
            span=span,
        )
    finally:
        no_more_spans()
        files.close()
        for held in memories.values():
            await held.close()


def _embedder(settings: Settings) -> Embedder | None:
    found = embedder(settings)
    return AskedBefore(found) if found else None


def channel_store(settings: Settings, files: PartyFiles, table: Table) -> ChannelStore:
    """SQLite, or Redis by setting."""
    if settings.players_channels == "redis":
        return RedisChannels(redis_url(settings), table.clock, settings.players_channel_hours)
    return SqliteChannels(files, table.clock, settings.players_channel_hours)


def crew(settings: Settings, gateway: LiveGateway, table: Table) -> AgentRunner:
    """This process, or workers over Redis by setting."""
    scripted = all(gateway.is_offline(pass_.role) for pass_ in PASSES.values())
    if settings.players_workers == "redis":
        return RqCrew(redis_url(settings), table.tapes, settings.players_job_s, scripted=scripted)
    return LocalCrew(gateway, settings.players_job_s, scripted=scripted)


async def players_gateway(settings: Settings, table: Table) -> LiveGateway:
    """The gateway with the players' shorter patience."""
    quick = settings.model_copy(
        update={"time_limit_s": min(settings.time_limit_s, settings.players_model_s)}
    )
    return await make_gateway(quick, table.tapes, table.clock)


def checkpoints(settings: Settings) -> Checkpoints:
    """A SQLite file beside the party, or Postgres by setting."""
    url = settings.players_checkpoints
    if not url:
        return SqliteCheckpoints(settings.home)
    if not url.startswith(("postgresql://", "postgres://")):
        raise BadSettings(
            "players_checkpoints must be '' or an address such as postgresql://user@127.0.0.1/freeform"
        )
    return PostgresCheckpoints(url)


def redis_url(settings: Settings) -> str:
    """The address of Redis; BadSettings when a setting wants it and there is none."""
    if not settings.players_redis:
        raise BadSettings(
            "Redis is wanted and `players_redis` is empty; set it to an address such as redis://127.0.0.1"
        )
    return settings.players_redis


@asynccontextmanager
async def scratch(
    settings: Settings, folder: Path, players: Mapping[str, Responder] | None = None
) -> AsyncIterator[PartyRoom]:
    """A parlour in memory, for experiments; only memories lie in the folder, for their words.
    Offline, `players` answer for the party; a model that the settings name plays and rules."""
    table, held = headless(settings), dict[str, SqliteMemories]()
    gateway: Gateway = table.gateway
    if settings.model != OFFLINE:
        table = await seat_model(settings, table)
        gateway = await players_gateway(settings, table)
    elif players is not None:
        gateway = offline_gateway(players, table)

    def memory_of(party: str) -> MemoryStore:
        if party not in held:
            held[party] = SqliteMemories(folder / f"{party}.db")
        return held[party]

    yield PartyRoom(
        settings=settings,
        table=table,
        store=MemoryParties(),
        channels=MemoryChannels(table.clock, 0.0),
        crew=LocalCrew(gateway, settings.players_job_s, scripted=settings.model == OFFLINE),
        checkpoints=MemoryCheckpoints(),
        memories=memory_of,
        companions=memory_of,
        embedder=_embedder(settings),
    )
    for store in held.values():
        await store.close()

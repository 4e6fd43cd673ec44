"""The one place that names an adapter: settings in, a table to play at out."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from freeform.adapters.models.make import make_model
from freeform.adapters.sqlite.file_lock import hold_file
from freeform.adapters.sqlite.passages.passages import SqlitePassages
from freeform.core.clock import Clock, SystemClock
from freeform.core.ids import CountedIds, RandomIds
from freeform.core.llm.budget import BudgetLimits
from freeform.core.llm.gateway import Call, Gateway, Model
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled, with_own
from freeform.core.llm.retry import Patience, RetryPolicy
from freeform.core.llm.tape import MemoryTapes, TapeStore
from freeform.engine.authored.library import content_folder
from freeform.engine.campaign.sessions import SUMMARIZE, SessionInput
from freeform.engine.context import MAX_TOKENS
from freeform.engine.passes import NARRATOR
from freeform.engine.shelf.books import Books
from freeform.engine.shelf.recall import BookRecall
from freeform.engine.shelf.scene_lore import SceneLoreKeeper
from freeform.engine.table import Table
from freeform.engine.two_calls import REFEREE, TELLER
from freeform.offline.model import OfflineModel, Responder, hearing
from freeform.packs.shelf import PackShelf
from freeform.retrieval.ports import PassageIndex
from freeform.settings import Settings
from freeform.wiring.ear import (
    answers,
    ear,
    ear_problem,
    name_kinds,
    reader_problem,
    sense,
    topics,
    topics_problem,
)
from freeform.wiring.embedding import embedder, ready_embedder
from freeform.wiring.model_choice import (
    OFFLINE,
    ROLES,
    access,
    chosen_model,
    models,
    named_models,
    served_by,
    stays_here,
)
from freeform.wiring.operate.line import make_line
from freeform.wiring.store import CampaignKeep, campaign_files, open_keep

if TYPE_CHECKING:
    from freeform.evals.replay import Bench

WINDOW_SHARE, LARGEST_PACKET = 5, 16_000
"""A packet takes a fifth of a model's window: the rest is for words, rules, what was told, and the
answer. Beyond so many tokens a turn would be dear and gain little."""

__all__ = [
    "OFFLINE",
    "ROLES",
    "access",
    "campaign_files",
    "chosen_model",
    "ear",
    "ear_problem",
    "embedder",
    "models",
    "reader_problem",
    "ready_embedder",
    "sense",
    "served_by",
    "stays_here",
    "topics",
    "topics_problem",
]


@asynccontextmanager
async def opened(settings: Settings, campaigns: int = 32) -> AsyncIterator[Table]:
    """A table, and its files closed afterwards. So many campaigns are held open at once."""
    keep = open_keep(settings, SystemClock(), campaigns)
    try:
        yield await build(settings, keep)
    finally:
        keep.close()


async def build(settings: Settings, keep: CampaignKeep | None = None) -> Table:
    """The table that the settings describe."""
    from freeform.wiring.growth import grower

    clock = SystemClock()
    keep = keep or open_keep(settings, clock)
    store, tapes = keep.store, keep.tapes
    gateway = await make_gateway(settings, tapes, clock)
    packs = books(settings)
    return Table(
        store=store,
        gateway=gateway,
        tapes=tapes,
        clock=clock,
        ids=RandomIds(),
        lore=SceneLoreKeeper(packs, keep.notes, clock),
        recall=BookRecall(packs, store),
        session_turns=settings.session_turns,
        ear=hearing(ear()),
        grower=grower(packs),
        topics=topics(),
        answers=answers(),
        sense=sense(),
        authored=gateway.is_offline(NARRATOR.role),
        packet_tokens=packet_tokens(settings, gateway),
        passes=passes_of(settings, gateway),
    )


def passes_of(settings: Settings, gateway: LiveGateway) -> Literal["two", "three"]:
    """How many calls a turn takes: as set, else two with a model; our own code has three."""
    offline = gateway.is_offline(REFEREE.role) or gateway.is_offline(TELLER.role)
    if offline:
        return "three"
    return "three" if settings.passes == "three" else "two"


def packet_tokens(settings: Settings, gateway: LiveGateway) -> int:
    """How much of the world the models of a turn are told: as set, else by the smallest window."""
    if settings.context_tokens:
        return settings.context_tokens
    windows = [gateway.window(role) for role in ("interpreter", "planner", "narrator")]
    return max(MAX_TOKENS, min(LARGEST_PACKET, min(windows) // WINDOW_SHARE))


async def make_gateway(settings: Settings, tapes: TapeStore, clock: Clock) -> LiveGateway:
    """The models that the settings name, with their budgets and patience."""
    offline = OfflineModel(ear=ear(), names=name_kinds())
    named = named_models(settings)
    made: dict[str, Model] = {OFFLINE: offline}
    chosen = await chosen_model(settings)
    for name in (chosen, *named.values()):
        if name not in made:
            made[name] = make_model(name, access(settings), repairs=settings.repairs)
    return LiveGateway(
        ModelsByRole(made[chosen], offline, {role: made[name] for role, name in named.items()}),
        prompts=with_own(settings.home),
        tapes=tapes,
        clock=clock,
        limits=BudgetLimits(
            turn_tokens=settings.budget_turn_tokens,
            day_tokens=settings.budget_day_tokens,
            turn_cost_usd=settings.budget_turn_cost_usd,
            day_cost_usd=settings.budget_day_cost_usd,
        ),
        patience=Patience(
            RetryPolicy(
                tries=settings.retries + 1,
                seconds=settings.time_limit_s,
            ),
            line=make_line(settings, clock),
        ),
    )


async def seat_model(settings: Settings, table: Table) -> Table:
    """The same table with the model that the settings name now."""
    gateway = await make_gateway(settings, table.tapes, table.clock)
    return replace(
        table,
        gateway=gateway,
        authored=gateway.is_offline(NARRATOR.role),
        packet_tokens=packet_tokens(settings, gateway),
        passes=passes_of(settings, gateway),
    )


async def try_model(settings: Settings) -> str:
    """Asks the model one small question, once; gives its answer. Raises what went wrong."""
    quick = settings.model_copy(
        update={"retries": 0, "repairs": 1, "time_limit_s": min(20.0, settings.time_limit_s)}
    )
    gateway = await make_gateway(quick, MemoryTapes(), SystemClock())
    asked = SessionInput(
        campaign="A test",
        highlights=[],
        last_words="The lamp burns.",
        open_threads=["Does the lamp burn?"],
    )
    return (await gateway.ask(SUMMARIZE, asked, Call(may_degrade=False))).output.recap


def bench(settings: Settings) -> "Bench":
    """What a replay is played on: campaigns in memory, tapes that end with it, any model by
    name."""
    from freeform.adapters.memory.store import InMemoryCampaigns
    from freeform.evals.replay import Bench
    from freeform.wiring.growth import grower

    def gateway(names: Mapping[str, str]) -> Gateway:
        offline = OfflineModel(ear=ear())
        made: dict[str, Model] = {OFFLINE: offline}
        for name in names.values():
            if name not in made:
                made[name] = make_model(name, access(settings), repairs=settings.repairs)
        return LiveGateway(
            ModelsByRole(
                made[names.get("", OFFLINE)],
                offline,
                {role: made[name] for role, name in names.items() if role},
            ),
            prompts=with_own(settings.home),
            tapes=MemoryTapes(),
            clock=SystemClock(),
            patience=Patience(
                RetryPolicy(tries=settings.retries + 1, seconds=settings.time_limit_s)
            ),
        )

    shelf = books(settings)
    return Bench(
        new_store=lambda: InMemoryCampaigns(SystemClock()),
        gateway=gateway,
        prompts=with_own(settings.home),
        clock=SystemClock(),
        books=shelf,
        ear=hearing(ear()),
        grower=grower(shelf),
        topics=topics(),
        answers=answers(),
        sense=sense(),
    )


def headless(settings: Settings) -> Table:
    """A table in memory with the offline model: for probes and regression runs. Ids are counted."""
    from freeform.adapters.memory.scene_lore import MemoryLoreNotes
    from freeform.adapters.memory.store import InMemoryCampaigns
    from freeform.wiring.growth import grower

    clock, offline, tapes = SystemClock(), OfflineModel(ear=ear()), MemoryTapes()
    gateway = LiveGateway(
        ModelsByRole(offline, offline), prompts=bundled(), tapes=tapes, clock=clock
    )
    shelf = books(settings)
    lore = SceneLoreKeeper(shelf, MemoryLoreNotes(), clock)
    return Table(
        InMemoryCampaigns(clock),
        gateway,
        tapes,
        clock,
        CountedIds(),
        lore,
        ear=hearing(ear()),
        grower=grower(shelf),
        topics=topics(),
        answers=answers(),
        sense=sense(),
        authored=True,
    )


def offline_gateway(responders: Mapping[str, Responder], table: Table) -> LiveGateway:
    """The offline model with other responders, at a table's tapes."""
    model = OfflineModel(responders, ear=ear())
    by_role = ModelsByRole(model, model)
    return LiveGateway(by_role, prompts=bundled(), tapes=table.tapes, clock=table.clock)


def books(settings: Settings) -> Books:
    """The shelf of packs: bundled and installed, with their indexes under the home."""
    home, indexes = settings.home, dict[str, PassageIndex]()

    def open_index(name: str) -> PassageIndex:
        if name not in indexes:
            held = SqlitePassages(home / "index" / f"{name}.db")
            indexes[name] = _over(held, home, name) if settings.index == "chroma" else held
        return indexes[name]

    shelf = PackShelf(home, bundled=content_folder("packs"))
    return Books(shelf, open_index, SystemClock(), embedder(settings))


def _over(held: SqlitePassages, home: Path, name: str) -> PassageIndex:
    """Vectors in Chroma, words as they were."""
    from freeform.adapters.chroma.passages import ChromaPassages

    return ChromaPassages(held, home / "index" / "chroma", name)


def scratch_index(name: str) -> PassageIndex:
    """An index that lasts as long as its use."""
    return SqlitePassages()


def one_at_a_time(lock: Path) -> AbstractContextManager[None]:
    """Whoever holds that file is alone, among all processes; others wait. For short work only."""
    return hold_file(lock, wait=True)


def reduced_picture(content: bytes, file: str) -> bytes:
    """A picture from outside, small and made anew."""
    from freeform.adapters.pictures.reduced import reduced_picture as reduced

    return reduced(content, file)


def home_problem(settings: Settings) -> str:
    """Why nothing can be kept in the home, or ''."""
    home = settings.home
    try:
        home.mkdir(parents=True, exist_ok=True)
        probe = home / ".probe"
        probe.write_bytes(b"")
        probe.unlink(missing_ok=True)  # another process may look, too
    except OSError as wrong:
        return (
            f"{home} cannot be written ({wrong.strerror}); allow it, or choose another with --home"
        )
    return ""

"""A small world of our own with every kind of thing in it, on two sites: for tests that need people, items and tales."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from freeform.adapters.sqlite.lore.store import SqliteLore
from freeform.core.clock import Clock, HandClock
from freeform.core.llm.gateway import Model
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.tape import MemoryTapes
from freeform.evals.wiki.direct import WorldCrawler, WorldSearch
from freeform.evals.wiki.doc import Doc, Rendering, WikiBlock
from freeform.evals.wiki.sites import INJECTION, WikiSite, WikiWorld
from freeform.lore.daemon.daemon import CycleOutcome, advance, begin
from freeform.lore.daemon.validator import advance_validator
from freeform.lore.errand import LorePorts, ResearchLimits
from freeform.lore.model import ResearchCheckpoint
from freeform.lore.ports import LoreLog
from freeform.offline.model import OfflineModel

GAME = "Emberfall"


def _heading(title: str, *blocks: WikiBlock) -> list[WikiBlock]:
    return [WikiBlock("heading", title), *blocks]


WIKI = [
    Doc(
        "Ashmoor", "Zone",
        (
            ("Level", ("10-20",)), ("Controlled by", ("[[Cinder Court]]",)),
            ("Adjacent zones", ("[[Greyford]]", "[[Sunken Vale]]", "[[Tarn Heights]]")),
        ),
        (
            WikiBlock("text", "Ashmoor is a burnt moor at the foot of the mountains."),
            *_heading("Story", WikiBlock("text", "The heroes of Ashmoor learn who lit the last fire. Then they must choose.")),
            *_heading("Politics", WikiBlock("text", "The Cinder Court rules by fear, and the [[Reed Folk]] hide in the marsh.")),
            *_heading("Notable characters", WikiBlock("list", items=("[[Mara Vell]] – the steward", "[[Old Tam]]"))),
            *_heading("Places", WikiBlock("list", items=("[[The Kiln]]", "[[Saltgate]]"))),
            *_heading("Artifacts", WikiBlock("list", items=("[[The Ember Crown]]",))),
            *_heading("History", WikiBlock("text", "Ashmoor was founded in the third century by settlers from [[Farreach]].")),
        ), ("Zones",), ("The Ashmoor", "Ash Moor"),
    ),
    Doc(
        "Greyford", "Zone", (("Controlled by", ("[[Cinder Court]]",)), ("Adjacent zones", ("[[Ashmoor]]", "[[Tarn Heights]]"))),
        (WikiBlock("text", "Greyford is a town on a grey river."),), ("Zones",),
    ),
    Doc(
        "Sunken Vale", "Zone", (("Adjacent zones", ("[[Ashmoor]]",)), ("Factions", ("[[Reed Folk]]",))),
        (WikiBlock("text", "The Sunken Vale lies under water for half of the year."),), ("Zones",),
    ),
    Doc(
        "Tarn Heights", "Zone", (("Adjacent zones", ("[[Ashmoor]]", "[[Greyford]]")),),
        (WikiBlock("text", "Tarn Heights is controlled by the Cinder Court."),), ("Zones",),
    ),
    Doc(
        "Mara Vell", "Character", (("Role", ("Steward",)), ("Affiliation", ("[[Cinder Court]]",)), ("Location", ("[[Ashmoor]]",))),
        (
            WikiBlock("text", "Mara Vell is proud but fair. She is the rival of Old Tam. Mara Vell wants to end the long drought."),
            WikiBlock("text", "Mara Vell asks the heroes to find the lost keys of the Kiln."),
        ), ("Characters",),
    ),
    Doc("Old Tam", "Character", (("Role", ("Ferryman",)), ("Location", ("[[Ashmoor]]",))), (WikiBlock("text", "Old Tam is a member of the Reed Folk."),), ("Characters",)),
    Doc(
        "Cinder Court", "Faction", (("Enemies", ("[[Reed Folk]]",)), ("Leader", ("[[Mara Vell]]",))),
        (WikiBlock("text", "The Cinder Court believes that fire cleans all debts. Cinder Court seeks to rule the moors."),),
        ("Factions",), ("The Cinder Court", "Court of Cinders"),
    ),
    Doc("Reed Folk", "Faction", (), (WikiBlock("text", "The Reed Folk are at war with the Cinder Court."),), ("Factions",)),
    Doc("The Kiln", "Place", (("Zone", ("[[Ashmoor]]",)),), (WikiBlock("text", "The Kiln is a tower of black brick that is warm to the touch, even in snow."),), ("Places",)),
    Doc(
        "The Ember Crown", "Item", (("Rarity", ("legendary",)), ("Location", ("[[Ashmoor]]",))),
        (WikiBlock("text", "The Ember Crown was worn by Queen Isolde and Mara Vell. It grants its bearer sight in smoke."),), ("Artifacts",),
    ),
    Doc("Farreach", "", (), (WikiBlock("text", "Farreach was an ancient empire. Its war with the gods ended in the year of ash, says the treaty."),), ("History",)),
]  # fmt: skip
FANS = [
    Doc(
        "Ashmoor", "Zone", (("Level range", ("10 to 20",)), ("Ruled by", ("[[Reed Folk]]",)), ("Neighbours", ("[[Greyford]]", "[[Sunken Vale]]"))),
        (WikiBlock("text", "Fans love Ashmoor."), WikiBlock("text", INJECTION)), ("Zones",),
    ),
    Doc("Mara Vell", "Character", (("Role", ("Steward",)), ("Faction", ("[[Court of Cinders]]",))), (WikiBlock("text", "A fan page."),), ("Characters",)),
]  # fmt: skip
SAID_BUT_MISSING = "Saltgate"


HERE = ("127.0.0.1", "127.0.0.2")


def emberfall(port: int = 80, hosts: tuple[str, str] = HERE) -> WikiWorld:
    """Both sites."""
    sites = []
    for number, docs in ((1, WIKI), (2, FANS)):
        held: dict[str, Doc] = {}
        redirects: dict[str, str] = {}
        host = hosts[number - 1]
        made = Rendering(
            f"http://{host}:{port}" if port != 80 else f"http://{host}",
            host,
            number,
            "CC-BY-SA-4.0",
            lambda t, d=held, r=redirects: t in d or t in r,
        )  # type: ignore[misc]
        site = WikiSite(made, held, redirects)
        for doc in docs:
            site.add(doc)
        sites.append(site)
    return WikiWorld(sites, ["Ashmoor", "Greyford", "Sunken Vale", "Tarn Heights"], [])


def ports_on(
    db: Path,
    world: WikiWorld | None = None,
    *,
    limits: ResearchLimits | None = None,
    clock: Clock | None = None,
    model: Model | None = None,
    log: LoreLog | None = None,
) -> LorePorts:
    """A researcher's ports on a file, the small world, and the offline model."""
    world, clock = world or emberfall(), clock or HandClock()
    offline = OfflineModel()
    gateway = LiveGateway(
        ModelsByRole(model or offline, offline), prompts=bundled(), tapes=MemoryTapes(), clock=clock
    )
    made = LorePorts(
        SqliteLore(db), WorldSearch(world), WorldCrawler(world, lambda: clock.now().isoformat()), gateway, clock,
        limits=limits or ResearchLimits(ask_at_forks=False),
    )  # fmt: skip
    from dataclasses import replace

    return replace(made, log=log) if log else made


async def run(ports: LorePorts, zones: list[str], most: int = 500) -> CycleOutcome:
    """Both agents in one loop until there is nothing to do."""
    await begin(GAME, zones, ports)
    for _ in range(most):
        outcome = await advance(GAME, ports)
        checked = await advance_validator(ports)
        if outcome.what in ("idle", "waits for a decision", "sleeps") and not checked:
            return outcome
    raise AssertionError(f"did not end within {most} moves")


def after_ashmoor(db: Path, *, ask: bool = False) -> LorePorts:
    """Ports on a file in which Ashmoor is researched to its end, or to the fork; that is done once, then copied."""
    db.write_bytes(_ashmoor(ask))
    return ports_on(db, limits=ResearchLimits(ask_at_forks=ask))


@cache
def _ashmoor(ask: bool) -> bytes:
    async def work(db: Path) -> None:
        ports = ports_on(db, limits=ResearchLimits(ask_at_forks=ask))
        await run(ports, ["Ashmoor"])
        await ports.store.close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        file = Path(folder) / "lore.db"
        thread.submit(asyncio.run, work(file)).result()
        assert list(Path(folder).iterdir()) == [file], "all of it is in the one file"
        return file.read_bytes()


def research_into(
    home: Path, zones: list[str], enough: Callable[[ResearchCheckpoint], bool] = lambda point: False
) -> None:
    """Researches for the server of that home until nothing is left or it is enough; asks at forks.

    In a thread of its own: a browser's event loop may own this one.
    """
    world = emberfall(hosts=("wiki.emberfall.example", "fans.emberfall.example"))

    async def work() -> None:
        ports = ports_on(home / "lore.db", world, limits=ResearchLimits())
        await begin(GAME, zones, ports)
        while True:
            outcome = await advance(GAME, ports)
            checked = await advance_validator(ports)
            point = await ports.store.load_checkpoint(GAME)
            if (point and enough(point)) or (
                outcome.what in ("idle", "waits for a decision") and not checked
            ):
                break
        await ports.store.close()

    thread = threading.Thread(target=lambda: asyncio.run(work()))
    thread.start()
    thread.join()

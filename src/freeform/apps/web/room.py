"""What every route has at hand: the house, who listens, and the turns in flight."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Header, Request

from freeform.apps.web.cache import FileCache
from freeform.apps.web.live.hub import Event, Hub
from freeform.apps.web.live.parties import Parties
from freeform.apps.web.live.tables import SharedTables
from freeform.apps.web.live.turns import Plays
from freeform.apps.web.visitors import Who
from freeform.core.errors import UserError
from freeform.engine.authored.library import content_folder
from freeform.engine.shelf.books import Books
from freeform.engine.table import Table
from freeform.services.assistant.research import ResearchRuns
from freeform.services.house import House
from freeform.services.ingest.jobs import Ingests
from freeform.services.lore.running import Researchers
from freeform.services.operate.health import HealthDesk
from freeform.services.pictures.making import Drawing
from freeform.services.table import links
from freeform.services.table.sight import house_of
from freeform.services.table.wire import TableWire
from freeform.settings import Settings

MOST_KEY = 200
"""Letters of an idempotency key."""


@dataclass
class Room:
    """One server's surroundings. The model may be changed while it runs; all else stays."""

    house: House
    wire: TableWire | None = None
    """To the other processes that serve these tables, where there are any."""
    hub: Hub = field(init=False)
    plays: Plays = field(init=False)
    parties: Parties = field(init=False)
    tables: SharedTables = field(init=False)
    ingests: Ingests = field(init=False)
    research: ResearchRuns = field(init=False)
    health: HealthDesk = field(init=False)
    researchers: Researchers = field(default_factory=Researchers)
    drawing: Drawing = field(default_factory=Drawing)
    answered: dict[int, int] = field(default_factory=dict)
    kept: FileCache = field(default_factory=FileCache)
    desk: str = ""
    """The address of the process that does the long work, where that is another one."""
    on_choice: Callable[[dict[str, Any]], None] = lambda values: None
    """Hears which settings were chosen: another model, another program that draws."""
    host: str = "127.0.0.1"
    port: int = 8420

    def __post_init__(self) -> None:
        self.hub = Hub(self.table.ids.new("run"), self.wire)
        self.plays = Plays(self.hub, self.house)
        self.health = HealthDesk(self.house)
        self.parties = Parties(self.hub)
        self.research = ResearchRuns(self.house)
        self.tables = SharedTables(self.hub, self.house, self.plays, self.wire)
        self.hub.on_news = self._on_news
        self.ingests = Ingests(
            self.settings.home, self._tell_ingest, self.table.clock.ticks, lambda: self.model
        )
        self.hub.plug_in()

    def _on_news(self, event: Event) -> None:
        self.tables.on_news(event)
        self.plays.on_news(event)

    def _tell_ingest(self, job: str, **news: Any) -> None:
        self.hub.tell("ingest", job=job, **news)

    @property
    def reached_at(self) -> str:
        """The address that others open."""
        return links.reached_at(self.host, self.port)

    @property
    def reached_by_others(self) -> bool:
        """Whether other machines can come in at all."""
        return links.is_reached_by_others(self.host)

    @property
    def settings(self) -> Settings:
        """The settings."""
        return self.house.settings

    @property
    def table(self) -> Table:
        """The table, with the model that plays now."""
        return self.house.table

    @property
    def model(self) -> str:
        """The model that plays now, by name."""
        return self.house.model

    @property
    def books(self) -> Books:
        """The shelf of packs."""
        return self.house.books

    def content(self, kind: str) -> list[Path]:
        """Where `packs`, `scenarios` or `systems` lie: those that come with us, then one's own."""
        home = self.settings.home
        folders = [content_folder(kind), home / "packs"]
        if kind != "packs":
            folders.append(home / kind)
        return folders


# None of these waits for anything, but what is not `async` FastAPI sends to a thread.
async def room_of(request: Request) -> Room:
    """The room of a request."""
    room: Room = request.app.state.room
    return room


async def key_of(idempotency_key: Annotated[str, Header(max_length=MOST_KEY)] = "") -> str:
    """The key under which a request is done once."""
    if idempotency_key and not all("!" <= c <= "~" for c in idempotency_key):
        raise UserError("an Idempotency-Key is made of letters, digits and signs, without spaces")
    return idempotency_key


At = Annotated[Room, Depends(room_of)]


async def seen_house(room: At, who: Who, campaign: str) -> House:
    """The house as whoever asks sees the story of that table."""
    return await house_of(room.house, campaign, who.person)


Seen = Annotated[House, Depends(seen_house)]
Key = Annotated[str, Depends(key_of)]


async def once_of(request: Request, key: Key) -> str:
    """The same, for one action: the key of another one does not give that one's answer."""
    return f"{key} {request.url.path}" if key else ""


Once = Annotated[str, Depends(once_of)]

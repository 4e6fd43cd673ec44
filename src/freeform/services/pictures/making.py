"""READ THIS FIRST. A picture on request.

    what may be shown ─> the door ─> made anew ─> kept with its turn

Every function takes the house as whoever asks sees it (`table/sight.py`).
"""

import asyncio
import hashlib
from dataclasses import dataclass, field, replace

from pydantic import Field

from freeform.core.errors import BadSettings, Conflict, NotFound, Unavailable, UserError
from freeform.core.images import ImageDoor, ImageWish
from freeform.core.record import Record
from freeform.core.text import shorten, visible
from freeform.engine.campaign.apart import apart_in, heroes_here
from freeform.engine.story.seen import SeenStore, seen_by
from freeform.services.house import House
from freeform.services.pictures import kept
from freeform.services.pictures.kept import KeptPicture
from freeform.services.pictures.seen import eyes_of, seen_pictures
from freeform.services.pictures.words import Looked, PictureText, scene_words, thing_words
from freeform.services.views.records import PictureView, TurnView
from freeform.services.views.story import story
from freeform.settings import Settings
from freeform.wiring import pictures as wired

SCENE = "scene"
_SEEDS = 2**31


class PictureWish(Record):
    """What somebody wants to see: `scene`, or someone or something by id or name; as it was after a
    turn, or now."""

    of: str = SCENE
    turn_no: int | None = None


class DoorShown(Record):
    """Whether pictures can be made, by what, and what there is."""

    open: bool
    name: str = ""
    stays_here: bool = True
    problem: str = ""
    making: bool = False
    pictures: list[PictureView] = Field(default_factory=list)


@dataclass
class Drawing:
    """Pictures on their way, one a table. Whoever asks waits; whoever stops it is heard at once."""

    tasks: dict[str, asyncio.Task[KeptPicture]] = field(default_factory=dict)

    def is_busy(self, campaign: str) -> bool:
        """Whether one is on its way there."""
        return campaign in self.tasks

    async def make(self, house: House, campaign: str, wish: PictureWish) -> KeptPicture:
        """Makes one to its end, though whoever asked goes away. Conflict while another is made."""
        if self.is_busy(campaign):
            raise Conflict("a picture is being made for this table; wait for it, or stop it")
        task = asyncio.create_task(make_picture(house, campaign, wish))
        self.tasks[campaign] = task
        task.add_done_callback(lambda _: self.tasks.pop(campaign, None))
        await asyncio.wait([task])
        if task.cancelled():
            raise Conflict("the picture was stopped; nothing was kept")
        return task.result()

    async def stop(self, campaign: str) -> bool:
        """Stops the one on its way; False when there is none."""
        task = self.tasks.get(campaign)
        if task is None:
            return False
        task.cancel()
        await asyncio.wait([task])
        return True

    async def close(self) -> None:
        """Stops all."""
        for campaign in list(self.tasks):
            await self.stop(campaign)


async def show_door(house: House, campaign: str, *, making: bool = False) -> DoorShown:
    """Whether pictures can be made here, and those that whoever asks sees."""
    rows = await seen_pictures(house, campaign)
    shown = [kept.shown_picture(row, campaign) for row in rows]
    named = door_of(house.settings)
    return named.model_copy(update={"pictures": shown, "making": making})


def door_of(settings: Settings) -> DoorShown:
    """What draws, as the settings have it; nothing is asked."""
    if not settings.image_door:
        return DoorShown(open=False)
    try:
        wired.check_pillow()
        name = wired.image_door(settings).name
    except (Unavailable, BadSettings) as lacking:
        return DoorShown(open=False, problem=str(lacking))
    return DoorShown(open=True, name=name, stays_here=wired.door_stays_here(settings))


async def words_for(house: House, campaign: str, wish: PictureWish) -> PictureText:
    """What would be sent, without sending it."""
    return (await _asked(house, campaign, wish))[0]


async def make_picture(house: House, campaign: str, wish: PictureWish) -> KeptPicture:
    """Asks the door and keeps what comes."""
    door = wired.image_door(house.settings)
    wired.check_pillow()  # before anything is paid for
    told, turn = await _asked(house, campaign, wish)
    id = house.table.ids.new("picture")
    content = await _drawn(door, _wish(told, house.settings, id), house.settings.image_seconds)
    made = await asyncio.to_thread(wired.whole_picture, content, "the picture that came")
    row = KeptPicture(
        id=id,
        kind=told.kind,
        of=told.of,
        name=told.name,
        turn_id=turn.turn_id if turn else "",
        turn_no=turn.turn_no if turn else 0,
        hero=await _apart(house, campaign, wish.turn_no),
        only=await _only(house, campaign, wish, told),
        prompt=told.prompt,
        door=door.name,
        at=house.table.clock.now().isoformat(timespec="milliseconds"),
        width=made.width,
        height=made.height,
    )
    kept.keep_picture(house.settings.home, campaign, row, made.content)
    return row


async def hand_out(
    house: House, campaign: str, content: bytes, file: str, name: str
) -> KeptPicture:
    """A picture of one's own, shown to all at the turn where play stands; no door is needed."""
    turn = await _turn(house, campaign, None)
    made = await asyncio.to_thread(wired.whole_picture, content, file)
    row = KeptPicture(
        id=house.table.ids.new("picture"),
        kind="handout",
        name=shorten(visible(name) or "A handout", 120),
        turn_id=turn.turn_id if turn else "",
        turn_no=turn.turn_no if turn else 0,
        at=house.table.clock.now().isoformat(timespec="milliseconds"),
        width=made.width,
        height=made.height,
    )
    kept.keep_picture(house.settings.home, campaign, row, made.content)
    return row


async def _drawn(door: ImageDoor, wish: ImageWish, seconds: float) -> bytes:
    try:
        async with asyncio.timeout(seconds):
            return await door.draw(wish)
    except TimeoutError:
        raise Unavailable(
            f"{door.name} made no picture in {seconds:g} seconds; allow more with `image_seconds`"
        ) from None


async def _apart(house: House, campaign: str, turn_no: int | None) -> str:
    """Whose eyes see what they see alone; '' where all heroes are in one place."""
    store = house.table.store
    whole = store.inner if isinstance(store, SeenStore) else store
    state = await whole.get_state(campaign, turn_no)
    return (eyes_of(house.table) or "") if apart_in(state) else ""


async def _only(
    house: House, campaign: str, wish: PictureWish, told: PictureText
) -> list[str] | None:
    """Who may see what one who sees all has drawn while heroes are apart: a scene, those who are in
    it; else those who know as much of it, so that their own words for it would be the same."""
    table = await house.tables.find(campaign)
    state = await house.table.store.get_state(campaign, wish.turn_no)
    if table is None or eyes_of(house.table) is not None or apart_in(state) is None:
        return None
    heroes = table.heroes()
    if wish.of == SCENE:
        return [each.id for each in heroes_here(heroes, state)]
    known = wish.model_copy(update={"of": told.of})
    may: list[str] = []
    for seat in table.taken_seats():
        eyes = replace(house, table=seen_by(seat.actor, heroes, house.table))
        try:
            own = (await _asked(eyes, campaign, known))[0]
        except UserError:  # has not heard of it, or may not be shown it
            continue
        may += [seat.actor.id] if own.prompt == told.prompt else []
    return may


async def _asked(
    house: House, campaign: str, wish: PictureWish
) -> tuple[PictureText, TurnView | None]:
    """The words, and the turn they belong to."""
    turn = await _turn(house, campaign, wish.turn_no)
    store = house.table.store
    now = await store.get_state(campaign)
    state = await store.get_state(campaign, wish.turn_no) if wish.turn_no is not None else now
    rules = house.table.rules(await store.begun(campaign), state)
    looked = Looked(state, rules, rules.limits(now), house.settings.image_style)
    if wish.of == SCENE:
        return scene_words(looked, turn.final_text if turn else ""), turn
    return thing_words(looked, wish.of), turn


async def _turn(house: House, campaign: str, turn_no: int | None) -> TurnView | None:
    """The turn a picture belongs to: that one, or the last; None before the first."""
    store = house.table.store
    head = await store.head(campaign)
    if turn_no == 0 or not head.turn_no:
        return None
    if turn_no is None:
        logged = await store.tail(campaign, 1)
    elif 1 <= turn_no <= head.turn_no:
        logged = await store.read(campaign, turn_no, turn_no)
    else:
        raise NotFound(f"no turn {turn_no} in '{campaign}'; it has turns 1 to {head.turn_no}")
    found = story(logged, {}, await store.get_state(campaign))
    return found[-1] if found else None


def _wish(told: PictureText, settings: Settings, id: str) -> ImageWish:
    width, _, height = settings.image_size.partition("x")
    edges = (int(width), int(height))
    if told.kind == "person":  # a face is upright
        edges = (min(edges), max(edges))
    seed = int.from_bytes(hashlib.sha256(id.encode()).digest()[:4]) % _SEEDS
    return ImageWish(
        prompt=told.prompt, leave_out=told.leave_out, width=edges[0], height=edges[1], seed=seed
    )

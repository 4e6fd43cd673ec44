"""Which pictures someone sees: those of turns on the path that is played, seen with their eyes."""

from freeform.engine.story.seen import SeenStore
from freeform.engine.table import Table
from freeform.services.house import House
from freeform.services.pictures import kept
from freeform.services.pictures.kept import KeptPicture


def eyes_of(table: Table) -> str | None:
    """The hero whose eyes a table is seen with; None for those who see all."""
    return table.store.actor.id if isinstance(table.store, SeenStore) else None


def kept_for(house: House, campaign: str) -> list[KeptPicture]:
    """All that those eyes may see, on whatever path."""
    hero = eyes_of(house.table)
    rows = kept.list_kept(house.settings.home, campaign)
    return [row for row in rows if hero is None or _is_for(hero, row)]


def _is_for(hero: str, row: KeptPicture) -> bool:
    return row.hero in ("", hero) and (row.only is None or hero in row.only)


async def seen_pictures(house: House, campaign: str) -> list[KeptPicture]:
    """The pictures of turns on the path that is played, oldest first."""
    store = house.table.store
    await store.head(campaign)  # or NotFound
    rows = kept_for(house, campaign)
    wanted = {row.turn_id for row in rows if row.turn_id}
    there = {turn for turn in wanted if await store.find_turn(campaign, turn)}
    return [row for row in rows if not row.turn_id or row.turn_id in there]


async def read_picture(house: House, campaign: str, id: str) -> bytes:
    """One picture; NotFound unless whoever asks sees it."""
    if id not in {row.id for row in await seen_pictures(house, campaign)}:
        raise kept.missing()
    return kept.read_picture(house.settings.home, campaign, id)


async def remove_picture(house: House, campaign: str, id: str) -> None:
    """Takes one away, for good; NotFound unless whoever asks sees it."""
    await read_picture(house, campaign, id)
    kept.drop_picture(house.settings.home, campaign, id)


async def drawn_faces(house: House, campaign: str) -> dict[str, str]:
    """Whose face was drawn, by name, and where the last one is."""
    rows = [row for row in kept_for(house, campaign) if row.kind == "person"]
    if not rows:
        return {}
    seen = await seen_pictures(house, campaign)
    faces = [kept.shown_picture(row, campaign) for row in seen if row.kind == "person"]
    return {face.name: face.url for face in faces}

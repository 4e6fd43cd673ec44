"""Routes of pictures on request: whether they can be made, what would be sent, making, looking."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Form, Response, UploadFile

from freeform.apps.web import requests, responses
from freeform.apps.web.room import At, Once, Seen
from freeform.apps.web.uploads import uploaded
from freeform.services.pictures import keeping, making, seen
from freeform.services.pictures.keeping import DoorChoice
from freeform.services.pictures.making import DoorShown, PictureWish
from freeform.settings.kept import OF_IMAGES

router = APIRouter(prefix="/api", tags=["pictures"])
HERE = "/campaigns/{campaign}/pictures"
_KEPT = {"cache-control": "private, max-age=86400", "x-content-type-options": "nosniff"}


class PictureWords(responses.Shape):
    """What would be sent, word for word."""

    name: str
    prompt: str
    leave_out: list[str]


class PictureMade(responses.Shape):
    """A picture that was made, and the turn it belongs to."""

    id: str
    name: str
    turn_no: int


@router.get("/pictures/door")
async def door(room: At) -> DoorShown:
    """What draws here, if anything does."""
    return making.door_of(room.settings)


@router.post("/pictures/door")
async def choose_door(room: At, wanted: requests.DoorBody) -> DoorShown:
    """Another program draws from now on, or none (`door` ''); kept for the next start."""
    choice = DoorChoice(**wanted.model_dump())
    kept = await asyncio.to_thread(keeping.keep_door, room.settings, choice)
    chosen = {name: getattr(kept, name) for name in OF_IMAGES}
    await room.house.take_over(chosen)  # a model that was chosen meanwhile stays
    room.on_choice(chosen)
    return making.door_of(room.settings)


@router.get(HERE)
async def pictures(room: At, house: Seen, campaign: str) -> DoorShown:
    """Whether pictures can be made here, whether one is on its way, and those that there are."""
    busy = room.drawing.is_busy(campaign)
    return await making.show_door(house, campaign, making=busy)


@router.post(f"{HERE}/words")
async def words(house: Seen, campaign: str, wanted: requests.PictureBody) -> PictureWords:
    """What would be sent for a picture; nothing is sent."""
    told = await making.words_for(house, campaign, PictureWish(**wanted.model_dump()))
    return PictureWords(name=told.name, prompt=told.prompt, leave_out=told.leave_out)


@router.post(HERE, status_code=201)
async def make(
    room: At, house: Seen, key: Once, campaign: str, wanted: requests.PictureBody
) -> PictureMade:
    """Makes a picture; the answer comes when it is there. 409 while another is made."""
    wish = PictureWish(**wanted.model_dump())
    if (campaign, key) in room.plays.done:
        again: PictureMade = room.plays.done[campaign, key]
        return again
    row = await room.drawing.make(house, campaign, wish)
    made = PictureMade(id=row.id, name=row.name, turn_no=row.turn_no)
    room.plays.remember(campaign, key, made)
    room.hub.tell("pictures", campaign=campaign, turn_no=row.turn_no)
    return made


@router.post(f"{HERE}/file", status_code=201)
async def hand_out(
    room: At, campaign: str, file: UploadFile, name: Annotated[str, Form(max_length=200)] = ""
) -> PictureMade:
    """Hands out a picture of one's own: PNG, JPEG or WebP, shown to all where play stands."""
    async with uploaded(file) as arrival:
        content = await asyncio.to_thread(arrival.path.read_bytes)
        named = name or arrival.stem
        row = await making.hand_out(room.house, campaign, content, arrival.name, named)
    room.hub.tell("pictures", campaign=campaign, turn_no=row.turn_no)
    return PictureMade(id=row.id, name=row.name, turn_no=row.turn_no)


@router.post(f"{HERE}/stop")
async def stop(room: At, campaign: str) -> responses.Stopped:
    """Stops the picture on its way, where it is drawn too."""
    return responses.Stopped(stopped=await room.drawing.stop(campaign))


@router.get(
    f"{HERE}/{{picture}}",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}},
)
async def picture(house: Seen, campaign: str, picture: str) -> Response:
    """One picture."""
    content = await seen.read_picture(house, campaign, picture)
    return Response(content, media_type="image/jpeg", headers=_KEPT)


@router.delete(f"{HERE}/{{picture}}")
async def remove(room: At, house: Seen, campaign: str, picture: str) -> DoorShown:
    """Takes a picture away, for good."""
    await seen.remove_picture(house, campaign, picture)
    room.hub.tell("pictures", campaign=campaign, turn_no=0)
    return await making.show_door(house, campaign)

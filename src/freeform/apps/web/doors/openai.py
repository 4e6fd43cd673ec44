"""The OpenAI door: a table looks like a model, and a turn is found by its words.

The protocol is stateless and we are not. Only the user's messages count. A turn's id is made of all
of them up to it, so the same messages again are the same turn: another take on it, never a second
roll into canon. Messages that go on from a known turn that is not the last go on from there, in a
branch. A chat that ends with the table's own words plays nothing.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from freeform.apps.web.doors.openai_ask import SUFFIX, answer_pieces
from freeform.apps.web.doors.openai_reading import WHAT_NOW, Chat, ChatMessage, go_on, read_chat
from freeform.apps.web.doors.openai_seat import SeatChat, answer_seat, check_own
from freeform.apps.web.live.hub import Event, StreamListener
from freeform.apps.web.problems import declared, for_openai, later, status_of
from freeform.apps.web.responses import OpenAiProblem
from freeform.apps.web.room import At, Room
from freeform.apps.web.visitors import Who
from freeform.core.errors import Conflict, FreeformError, NotFound, Unavailable, UserError
from freeform.engine.log import Narrated, Resolved
from freeform.engine.turn import Say
from freeform.services import campaigns, play
from freeform.services.table import people
from freeform.services.views.story import last_words

router = APIRouter(
    prefix="/v1",
    tags=["openai"],
    responses=declared(OpenAiProblem),
)
PREFIX = "table/"
MOST_TAKES = 200


class Completion(BaseModel):
    """A request for a completion; sampling and the like are not ours to decide."""

    model_config = ConfigDict(extra="ignore")
    model: Annotated[str, Field(max_length=200)]
    messages: Annotated[list[ChatMessage], Field(max_length=20_000)]
    stream: bool | None = False


@router.get("/models")
async def models(room: At, who: Who) -> dict[str, Any]:
    """Every table as a model, and its librarian as another; for a seat, the tables one sits at."""
    if not who.is_owner:
        seats = [who, *who.others]
        names = [f"{PREFIX}{one.campaign}" for one in seats]
        both = [name for each in names for name in (each, f"{each}{SUFFIX}")]
        return {"object": "list", "data": [_model(name) for name in both]}
    rows = [row for row in await campaigns.list_campaigns(room.house) if not row.problem]
    data: list[dict[str, Any]] = []
    for row in rows:
        for name in (f"{PREFIX}{row.id}", f"{PREFIX}{row.id}{SUFFIX}"):
            data.append(_model(name))
    return {"object": "list", "data": data}


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "freeform-rpg"}


@router.post("/chat/completions", response_model=None)
async def chat(
    room: At,
    who: Who,
    asked: Completion,
    x_stainless_retry_count: Annotated[int, Header(ge=0)] = 0,
) -> Response:
    """Plays the last user message at the table that the model names; `…:ask` answers it. At a table
    of several people it is the turn of whoever's token it comes with."""
    campaign, read = asked.model.removeprefix(PREFIX), read_chat(asked.messages)
    if who.is_owner and asked.model.startswith(PREFIX) and campaign.endswith(SUFFIX):
        turn_id, pieces = (
            room.table.ids.new("ask"),
            answer_pieces(room, campaign.removesuffix(SUFFIX), read.words),
        )
    else:
        try:
            if not asked.model.startswith(PREFIX):
                named = f"a table is called `{PREFIX}CAMPAIGN`, see /v1/models"
                raise NotFound(f"no model '{asked.model}'; {named}")
            asks = not who.is_owner and campaign.endswith(SUFFIX)
            campaign = campaign.removesuffix(SUFFIX) if asks else campaign
            who = who.at(campaign)
            check_own(who, campaign)
            await campaigns.check_campaign(room.house, campaign)
            shared = await people.find_table(room.house, campaign)
            if shared:
                turn_id, pieces = await answer_seat(SeatChat(room, who, shared, read, asks))
            elif read.wish == "play":
                turn_id, first, listener = await _begin(
                    room, campaign, read.words, sent_again=x_stainless_retry_count > 0
                )
                pieces = _pieces(room, campaign, turn_id, first, listener)
            else:
                turn_id, pieces = name_of(read.words), _without_a_turn(room, campaign, read)
        except FreeformError as wrong:
            status, kind = status_of(wrong)
            return for_openai(status, str(wrong), kind, later(wrong))
    if asked.stream:
        return StreamingResponse(
            _chunks(pieces, asked.model, turn_id), media_type="text/event-stream"
        )
    try:
        text = "".join([piece async for piece in pieces])
    except FreeformError as wrong:
        status, kind = status_of(wrong)
        return for_openai(status, str(wrong), kind, later(wrong))
    used = len(text) // 4
    return JSONResponse(
        {
            **_head(asked.model, turn_id, "chat.completion"),
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 0, "completion_tokens": used, "total_tokens": used},
        }
    )


async def _without_a_turn(room: Room, campaign: str, read: Chat) -> AsyncIterator[str]:
    """What is said when nobody acts: the rest of a cut-off answer, or what one might do."""
    flight = room.plays.flights.get(campaign)
    if flight:
        await room.plays.ended(flight)
    store = room.table.store
    prompt, suggestions, _ = last_words(await store.begun(campaign), await store.tail(campaign, 1))
    if read.wish == "impersonate":
        yield suggestions[0] if suggestions else prompt or WHAT_NOW
        return
    here = await _known(room, campaign, name_of(read.words))
    logged = await store.find_turn(campaign, here[0]) if here else []
    told = next((row.entry.final_text for row in logged if isinstance(row.entry, Narrated)), "")
    rolls: list[str] = []
    for row in logged:
        if isinstance(row.entry, Resolved):
            rolls += [roll.text for roll in row.entry.rolls]
    yield go_on(read.answer, _dice(rolls) + told, prompt, suggestions)


def _dice(rolls: list[str]) -> str:
    return "".join(f"`{roll}`\n" for roll in rolls) + "\n" if rolls else ""


async def _begin(
    room: Room, campaign: str, words: list[str], *, sent_again: bool
) -> tuple[str, list[Event], StreamListener]:
    """Starts the turn the messages ask for, and listens to it."""
    if not words:
        raise UserError("there is no user message; say what your character does")
    text = play.hear(words[-1])
    async with room.plays.busy.setdefault(campaign, asyncio.Lock()):
        flight = room.plays.flights.get(campaign)
        if flight and flight.turn_id.partition(".")[0] == name_of(words):
            first, listener = room.hub.join(campaign)
            return flight.turn_id, first, listener
        room.plays.check_free(campaign)
        say = await _turn(room, campaign, words, text, sent_again=sent_again)
        _, listener = room.hub.join(campaign)
        if room.plays.start(say) is None:
            # Told already: a request sent again gets the same words.
            await _replay(room, say, listener)
        return say.turn_id, [], listener


def name_of(words: list[str]) -> str:
    """The id of the turn that these user messages lead to."""
    told = json.dumps(words, ensure_ascii=False)
    return f"v1_{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:24]}"


async def _turn(room: Room, campaign: str, words: list[str], text: str, *, sent_again: bool) -> Say:
    """Stands where the messages lead, and says what to play there."""
    store, id = room.table.store, name_of(words)
    here = await _known(room, campaign, id)
    if here and sent_again:
        return Say(campaign=campaign, text=text, turn_id=here[0])
    if here:
        return await _another_take(room, campaign, id, here[1], text)
    if len(words) > 1:
        before = await _known(room, campaign, name_of(words[:-1])) or await _elsewhere(
            room, campaign, name_of(words[:-1])
        )
        head = await store.head(campaign)
        if before and before[1] < head.turn_no:
            place = await play.start_branch(room.house, campaign, before[1])
            room.plays.moved(campaign, place, "branch")
    return Say(campaign=campaign, text=text, turn_id=id, take=1)


async def _another_take(room: Room, campaign: str, id: str, turn_no: int, text: str) -> Say:
    store = room.table.store
    head = await store.head(campaign)
    if turn_no < head.turn_no:
        place = await play.start_branch(room.house, campaign, turn_no - 1)
        room.plays.moved(campaign, place, "branch")
        take = len(await store.takes(campaign, turn_no)) + 1
    else:
        rewound = await play.rewind(room.house, campaign)
        room.plays.moved(campaign, rewound.place, "retry")
        take = rewound.say.take
    return Say(campaign=campaign, text=text, turn_id=f"{id}.{take}", take=take)


async def _known(room: Room, campaign: str, id: str) -> tuple[str, int] | None:
    """The take on that turn that the active branch holds, and its number."""
    tail = await room.table.store.tail(campaign, MOST_TAKES)
    for row in reversed(tail):
        if isinstance(row.entry, Resolved) and row.entry.turn_id.partition(".")[0] == id:
            return row.entry.turn_id, row.entry.turn_no
    return None


async def _elsewhere(room: Room, campaign: str, id: str) -> tuple[str, int] | None:
    """The same on any other branch, which becomes the active one; else play stays where it is."""
    rows = await play.list_branches(room.house, campaign)
    stood = next(row.name for row in rows if row.active)
    for row in reversed(rows):
        if not row.active:
            place = await play.switch_branch(room.house, campaign, row.name)
            found = await _known(room, campaign, id)
            if found:
                room.plays.moved(campaign, place, "switch")
                return found
    await play.switch_branch(room.house, campaign, stood)
    return None


async def _replay(room: Room, say: Say, listener: StreamListener) -> None:
    logged = await room.table.store.find_turn(say.campaign, say.turn_id)
    told = next((row.entry.final_text for row in logged if isinstance(row.entry, Narrated)), None)
    if told is None:
        room.hub.leave(listener)
        raise Conflict(
            "the table has moved on since; begin a new chat to go on from where it stands"
        )
    named = {"campaign": say.campaign, "turn_id": say.turn_id}
    for event in (Event(0, "prose", {**named, "piece": told}), Event(0, "done", named)):
        listener.queue.put_nowait(event)


async def _pieces(
    room: Room, campaign: str, turn_id: str, first: list[Event], listener: StreamListener
) -> AsyncIterator[str]:
    """The turn's dice and prose as they come. Raises Unavailable when it fails."""
    waiting = list(first)
    try:
        while True:
            event = waiting.pop(0) if waiting else await listener.queue.get()
            if event is None:
                return
            if event.data.get("turn_id") != turn_id:
                continue
            match event.kind:
                case "facts":
                    yield _dice([roll["text"] for roll in event.data["rolls"]])
                case "prose":
                    yield event.data["piece"]
                case "again":
                    yield "\n\n"
                case "failed" if event.data.get("stopped"):
                    return
                case "failed":
                    raise Unavailable(event.data["error"])
                case "done":
                    return
                case _:
                    pass
    finally:
        room.hub.leave(listener)


async def _chunks(pieces: AsyncIterator[str], model: str, turn_id: str) -> AsyncIterator[str]:
    head = _head(model, turn_id, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], ended: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": ended}
        return f"data: {json.dumps({**head, 'choices': [choice]}, ensure_ascii=False)}\n\n"

    yield chunk({"role": "assistant", "content": ""})
    try:
        async for piece in pieces:
            yield chunk({"content": piece})
    except FreeformError as wrong:
        yield f"data: {json.dumps({'error': {'message': str(wrong), 'type': 'server_error'}})}\n\n"
        return
    yield chunk({}, "stop")
    yield "data: [DONE]\n\n"


def _head(model: str, turn_id: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{turn_id}", "object": kind, "created": 0, "model": model}

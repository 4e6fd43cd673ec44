"""The route of questions; how far an answer has come goes over the event stream."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import Field

from freeform.apps.web.requests import Body, Word
from freeform.apps.web.room import At, Room
from freeform.assistant.model import Answer
from freeform.assistant.notes.shelf import NotesRow
from freeform.core.record import plain
from freeform.services.assistant import notebooks, questions, threads
from freeform.services.assistant.threads import AskThread, ThreadRow
from freeform.services.librarian import AskWish

router = APIRouter(prefix="/api", tags=["assistant"])


class AskBody(Body):
    """A question, and what to look in. Sheets and notes are named by id: no file is opened."""

    question: Annotated[str, Field(max_length=100_000)]
    character: Word = ""
    notes: Word = ""
    rulebooks: Annotated[list[Word], Field(max_length=50)] = Field(default_factory=list)
    edition: Literal["", "5.1", "5.2"] = ""
    view: Literal["player", "gm"] = "player"
    before: Annotated[list[Annotated[str, Field(max_length=4000)]], Field(max_length=20)] = Field(
        default_factory=list
    )
    """What was asked before it, oldest first; what a kept thread has is known without."""
    thread: Annotated[str, Field(max_length=80)] = ""
    """The conversation it belongs to and is kept in; `new` begins one."""
    id: Annotated[str, Field(max_length=64)] = ""
    """Comes back in the events, so that a tab knows its own question."""


@router.post("/ask")
async def ask(room: At, asked: AskBody) -> Answer:
    """Answers a question; events `asking` {ask, stage} and `told` {ask, piece} come meanwhile."""
    return await answer(room, asked)


@router.get("/ask/threads")
async def list_threads(room: At) -> dict[str, Sequence[ThreadRow]]:
    """The conversations that are kept, the newest first."""
    return {"threads": threads.list_threads(room.house.settings)}


@router.get("/ask/threads/{thread}")
async def show_thread(room: At, thread: Word) -> AskThread:
    """One conversation with every answer."""
    return threads.show_thread(room.house.settings, thread)


@router.delete("/ask/threads/{thread}")
async def drop_thread(room: At, thread: Word) -> dict[str, str]:
    """Forgets a conversation."""
    return {"id": threads.drop_thread(room.house.settings, thread)}


@router.get("/notes")
async def list_notes(room: At) -> dict[str, Sequence[NotesRow]]:
    """The notes that were brought in."""
    return {"notes": notebooks.list_notes(room.house.settings)}


async def answer(room: Room, asked: AskBody) -> Answer:
    """The same for every door."""
    wish = AskWish(
        character=asked.character,
        notes=asked.notes,
        rulebooks=asked.rulebooks,
        edition=asked.edition,
        viewer=asked.view,
        before=asked.before,
        thread=asked.thread,
    )
    id = asked.id or room.table.ids.new("ask")
    ear = AskProgress(room, id, aloud=asked.view == "player")
    done = await questions.ask(room.house, asked.question, wish, tell=ear.stage, listen=ear)
    ear.stage("done", {})
    return done


class AskProgress:
    """Passes stages and the growing answer on to the tabs, but for what only the GM may read."""

    def __init__(self, room: Room, id: str, *, aloud: bool) -> None:
        self._room, self._id, self._aloud = room, id, aloud

    def stage(self, stage: str, known: dict[str, Any]) -> None:
        """How far it has come."""
        told: dict[str, Any] = {}
        if self._aloud:
            told = {key: _plainly(value) for key, value in known.items()}
        self._room.hub.tell("asking", campaign="", ask=self._id, stage=stage, **told)

    def __call__(self, text: str, /) -> None:
        if self._aloud:
            self._room.hub.tell("told", campaign="", ask=self._id, piece=text)

    def again(self) -> None:
        """What was said is void."""
        self._room.hub.tell("asking", campaign="", ask=self._id, stage="again")


def _plainly(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [plain(each) if hasattr(each, "model_dump") else each for each in value]

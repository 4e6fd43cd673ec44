"""The librarian behind the OpenAI door: `table/CAMPAIGN:ask` answers from that campaign's sheet, history and rules."""

from collections.abc import AsyncIterator

from freeform.apps.web.room import Room
from freeform.core.errors import UserError
from freeform.wiring.assistant import AskWish

SUFFIX = ":ask"


async def answer_pieces(room: Room, campaign: str, words: list[str]) -> AsyncIterator[str]:
    """The answer to the last message, line by line, then its sources.

    It is told when it is whole: only then are the numbers of its sources checked.
    """
    if not words:
        raise UserError("there is no user message; ask something")
    await room.table.store.head(campaign)
    answer = await room.house.librarian.ask(words[-1], AskWish(character=campaign, notes=campaign))
    for line in answer.answer.splitlines(keepends=True):
        yield line
    if answer.sources:
        yield "\n\n" + "\n".join(f"[{each.n}] {each.where}" for each in answer.sources)

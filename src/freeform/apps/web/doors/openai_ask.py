"""The librarian behind the OpenAI door: `table/CAMPAIGN:ask` answers from sheet, history and rules;
at a shared table, from what the seat that asks may know."""

from collections.abc import AsyncIterator

from freeform.apps.web.room import Room
from freeform.assistant.model import Answer
from freeform.core.errors import UserError
from freeform.services.assistant.questions import ask
from freeform.services.assistant.seated import ask_at_table
from freeform.services.assistant.threads import REMEMBERED
from freeform.services.campaigns import check_campaign
from freeform.services.librarian import AskWish

SUFFIX = ":ask"


async def answer_pieces(room: Room, campaign: str, words: list[str]) -> AsyncIterator[str]:
    """The answer to the last message, line by line, then its sources.

    It is told when it is whole: only then are the numbers of its sources checked.
    """
    if not words:
        raise UserError("there is no user message; ask something")
    await check_campaign(room.house, campaign)
    wish = AskWish(character=campaign, notes=campaign)
    async for piece in _told(await ask(room.house, words[-1], wish)):
        yield piece


async def seat_pieces(
    room: Room, campaign: str, person: str, words: list[str]
) -> AsyncIterator[str]:
    """The same for someone at a shared table."""
    if not words:
        raise UserError("there is no user message; ask something")
    answer = await ask_at_table(room.house, campaign, person, words[-1], words[:-1][-REMEMBERED:])
    async for piece in _told(answer):
        yield piece


async def _told(answer: Answer) -> AsyncIterator[str]:
    for line in answer.answer.splitlines(keepends=True):
        yield line
    if answer.sources:
        yield "\n\n" + "\n".join(f"[{each.n}] {each.where}" for each in answer.sources)

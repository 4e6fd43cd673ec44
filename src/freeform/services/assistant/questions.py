"""Questions: answered from the sheet, the notes and the rulebooks that a wish names."""

from typing import Any

from freeform.assistant.ask import Tell
from freeform.assistant.model import Answer
from freeform.core.llm.gateway import Listen
from freeform.core.text import slug
from freeform.services.assistant.threads import NEW, REMEMBERED, keep_turn, read_thread
from freeform.services.house import House
from freeform.services.librarian import AskWish


def unheard(stage: str, known: dict[str, Any]) -> None:
    """Nobody follows how far the answer is."""


async def ask(
    house: House,
    question: str,
    wish: AskWish,
    *,
    tell: Tell = unheard,
    listen: Listen | None = None,
) -> Answer:
    """The answer with its sources; `tell` hears each stage, `listen` the answer as it grows.

    In a thread, what was asked there before is known, and the answer is kept.
    """
    if not wish.thread:
        return await house.librarian.ask(question, wish, tell=tell, listen=listen)
    id = slug(house.table.ids.new("thread")) if wish.thread == NEW else wish.thread
    thread = read_thread(house.settings, id)
    before = [turn.question for turn in thread.asked[-REMEMBERED:]]
    known = wish.model_copy(update={"before": [*before, *wish.before]})
    told = await house.librarian.ask(question, known, tell=tell, listen=listen)
    told = told.model_copy(update={"thread": thread.id})
    keep_turn(house.settings, thread, question, told)
    return told

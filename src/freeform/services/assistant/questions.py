"""Questions: answered from the sheet, the notes and the rulebooks that a wish names."""

from typing import Any

from freeform.assistant.ask import Tell
from freeform.assistant.model import Answer
from freeform.core.llm.gateway import Listen
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
    """The answer with its sources; `tell` hears each stage, `listen` the answer as it grows."""
    return await house.librarian.ask(question, wish, tell=tell, listen=listen)

"""A model tried on one turn of a small story: how soon it speaks, how well it answers, what an
evening would cost. Nothing of it is kept."""

import tempfile
from pathlib import Path

from freeform.core.record import Record
from freeform.core.text import shorten
from freeform.engine.signals import Prose, Signal
from freeform.engine.turn import Say
from freeform.engine.world.model import TurnResult
from freeform.services import campaigns
from freeform.services.house import opened_house
from freeform.services.play import take_turn
from freeform.settings import NO_KEY, Settings
from freeform.wiring import OFFLINE

STORY, DEED = "first_night", "I ask Mrs Pym what happened here tonight, and look at the card"
EVENING = 40
"""Turns of an evening, for its price."""


class ModelTrial(Record):
    """How a model did at one turn."""

    model: str
    first_words_s: float | None = None
    """Until the first sentence could be read; None where the built-in game master had to tell."""
    turn_s: float
    how: str
    """`well`, `with slips` (some of what it claimed was not so) or `not`."""
    problems: list[str]
    sample: str
    tokens: int
    evening_tokens: int
    evening_usd: float | None
    """None where no price is known."""


async def try_on_a_turn(settings: Settings) -> ModelTrial:
    """Plays one turn with it in a home of its own, which is gone afterwards. Budgets hold; what a
    model fails at is told, not raised."""
    with tempfile.TemporaryDirectory(prefix="freeform-trial-") as home:
        alone = {"home": Path(home), "retries": 0, "repairs": 1, "embedding_url": ""}
        nowhere = {"store_url": NO_KEY, "memory_url": NO_KEY}
        async with opened_house(settings.model_copy(update=alone | nowhere), campaigns=1) as house:
            await campaigns.begin_campaign(house, STORY, campaign="trial", seed=7)
            clock, heard = house.table.clock, list[float]()
            start = clock.ticks()

            def show(signal: Signal) -> None:
                if isinstance(signal, Prose) and not heard:
                    heard.append(clock.ticks() - start)

            result = await take_turn(house, Say(campaign="trial", text=DEED), show)
            return _trial(house.model, result, heard[0] if heard else None, clock.ticks() - start)


def _trial(model: str, result: TurnResult, first: float | None, whole: float) -> ModelTrial:
    tokens = result.usage.input_tokens + result.usage.output_tokens
    told = result.model.get("narrator", "") != OFFLINE or model == OFFLINE
    priced = result.usage.cost_usd > 0 or model.startswith(("ollama:", "gguf:", OFFLINE))
    how = "not" if result.degraded else "with slips" if result.rejected else "well"
    return ModelTrial(
        model=model,
        first_words_s=round(first, 2) if first is not None and told else None,
        turn_s=round(whole, 2),
        how=how,
        problems=[*result.degraded, *(row.reason for row in result.rejected)],
        sample=shorten(result.final_text, 500),
        tokens=tokens,
        evening_tokens=tokens * EVENING,
        evening_usd=round(result.usage.cost_usd * EVENING, 2) if priced else None,
    )

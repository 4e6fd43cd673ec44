"""How much may be used: tokens and money, per turn and per day, checked before each call."""

from functools import lru_cache
from typing import Any

from freeform.core.errors import BudgetSpent
from freeform.core.llm.gateway import Pass, Question, Usage
from freeform.core.record import Record, canonical
from freeform.core.text import count_tokens


class BudgetLimits(Record):
    """The limits; 0 is no limit. A day is a day in UTC, over all campaigns."""

    turn_tokens: int = 0
    day_tokens: int = 0
    turn_cost_usd: float = 0.0
    day_cost_usd: float = 0.0
    expected_output: int = 600
    """How many tokens a call is taken to answer with, before it has."""

    @property
    def any(self) -> bool:
        """Whether there is anything to check."""
        return bool(self.turn_tokens or self.day_tokens or self.turn_cost_usd or self.day_cost_usd)


LEAST_ANSWER = 64


def estimate(question: Question[Any], limits: BudgetLimits) -> int:
    """About how many tokens the coming call will use: its words, its schema, its likely answer."""
    return said_tokens(question) + limits.expected_output


def said_tokens(question: Question[Any]) -> int:
    """About how many tokens a model is shown: the prompt, the question, the schema."""
    system, schema = _system_tokens(question.prompt.system), _schema_tokens(question.pass_)
    return system + count_tokens(question.text) + schema


_system_tokens = lru_cache(maxsize=64)(count_tokens)
"""Of a prompt's standing part: the same call after call."""


@lru_cache(maxsize=128)
def _schema_tokens(pass_: Pass[Any, Any]) -> int:
    """Of an answer's schema: the same for as long as the program runs, and slow to make."""
    return count_tokens(canonical(pass_.gives.model_json_schema()))


def answer_room(question: Question[Any], most: int) -> int:
    """How long an answer may be: as the model allows, and within what was set aside for the call;
    never so short that no answer fits."""
    aside = question.call.most_tokens
    return max(LEAST_ANSWER, min(most, aside - said_tokens(question))) if aside else most


def check_budget(limits: BudgetLimits, coming: int, *, turn: Usage, day: Usage) -> None:
    """Raises BudgetSpent if a call of about `coming` tokens would pass a limit."""
    for span, used in (("turn", turn), ("day", day)):
        tokens = used.input_tokens + used.output_tokens
        most = getattr(limits, f"{span}_tokens")
        if most and tokens + coming > most:
            raise BudgetSpent(
                f"the limit of {most} tokens per {span} is reached: {tokens} are used and the "
                "next call "
                f"needs about {coming}; raise the setting `budget_{span}_tokens` to go on"
            )
        price = getattr(limits, f"{span}_cost_usd")
        # No price list here: what tokens have cost so far is the best guess at what they will cost.
        cost = used.cost_usd * coming / tokens if tokens else 0.0
        if price and used.cost_usd + cost > price:
            raise BudgetSpent(
                f"the limit of ${price:.2f} per {span} is reached: ${used.cost_usd:.4f} is spent "
                f"and the next call costs about ${cost:.4f}; "
                f"raise the setting `budget_{span}_cost_usd` to go on"
            )

"""A turn as a channel reads it."""

from freeform.core.text import shorten
from freeform.services.views.records import TurnView


def told(turn: TurnView) -> str:
    """The rolls, the prose, what one might do."""
    rolls = "".join(f"`{shorten(roll.text, 200)}`\n" for roll in turn.rolls)
    asks = f"\n\n*{turn.next_prompt}*" if turn.next_prompt else ""
    return f"{rolls}{turn.final_text}{asks}{suggested(turn.suggested_actions)}"


def suggested(actions: list[str]) -> str:
    """What one might do, in small letters."""
    if not actions:
        return ""
    return "\n\n" + "\n".join(f"-# {action}" for action in actions)

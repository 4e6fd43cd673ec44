"""Small questions of a party without a model: does an action overstep, what was it about."""

from freeform.core.chance import Chance
from freeform.core.text import shorten
from freeform.language.sentences import sentences
from freeform.players.passes import (
    CheckInput,
    CheckReply,
    SummaryInput,
    SummaryReply,
)
from freeform.players.words.overreach import find_overreach, repair


def respond_check(input: CheckInput, chance: Chance) -> CheckReply:
    """The rules of `players.overreach` answer."""
    found = find_overreach(input.action, input.character_name, input.others)
    mended = repair(input.action, input.character_name, input.others) if found else ""
    return CheckReply(valid=not found, violations=[one.words for one in found], suggestion=mended)


def respond_summary(input: SummaryInput, chance: Chance) -> SummaryReply:
    """The first sentence of what each one said, oldest first, as many as fit."""
    kept: list[str] = []
    left = input.most_words
    for heard in reversed(input.messages):
        first = shorten((sentences(heard.said) or [""])[0], 110)
        if not first or (left := left - len(first.split()) - 2) < 0:
            break
        kept.append(f"{heard.who}: {first}")
    return SummaryReply(summary=" ".join(reversed(kept)))

"""What players chose, as it was meant, and who has to choose anew since somebody was first."""

from collections.abc import Mapping
from typing import Any

from freeform.engine.rules.safety import SafetyLimits
from freeform.players.passes import DirectiveReply
from freeform.players.round.limits import within_limits
from freeform.players.words.reply_repair import option_meant, something


def as_meant(reply: DirectiveReply, known: list[str], limits: SafetyLimits) -> DirectiveReply:
    """A directive within the table's limits, with the option it means."""
    option = option_meant(reply.option, known)
    option = option if limits.allows(option) else ""
    return DirectiveReply(
        directive=within_limits(something(reply.directive) or option, limits), option=option
    )


def same_again(
    chosen: dict[str, DirectiveReply], asked: list[str], taken: dict[str, str], joint: str
) -> list[str]:
    """Agents whose choice somebody before them has made already: they choose anew, knowing it. To
    what was agreed on, one other may lend a hand."""
    again = []
    for agent in asked:
        option = chosen[agent].option if agent in chosen else ""
        others = [o for a, o in taken.items() if a != agent]
        if option and others.count(option) > (option == joint):
            again.append(agent)
        elif option:
            taken[agent] = option
    return again


def next_best(mind: Mapping[str, Any], taken: Mapping[str, str]) -> DirectiveReply:
    """For one whose choice was taken: what its own mind leans to next that nobody does; else it
    holds back."""
    done = set(taken.values())
    for row in mind.get("leanings", ()):
        option = row["option"]
        if option["text"] not in done and option["kind"] not in ("go", "wait"):
            return DirectiveReply(directive=f"{option['text']}.", option=option["text"])
    return DirectiveReply(directive="Hold back and watch.", option="")

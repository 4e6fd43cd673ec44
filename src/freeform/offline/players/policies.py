"""Parties to measure minds against: one does whatever, one does nothing, one does not talk, one
does not hold to what was agreed."""

from collections.abc import Mapping

from freeform.core.chance import Chance
from freeform.offline.model import RESPONDERS, Responder
from freeform.offline.players.talk import respond_directive
from freeform.players.model import Option, Proposal
from freeform.players.passes import DirectiveReply, PersonaInput, TalkReply

WAIT = "Wait a while"


def random_talk(input: PersonaInput, chance: Chance) -> TalkReply:
    """Any option there is; whatever is proposed is agreed to."""
    own = _any(input, chance)
    if input.proposal.option:
        return TalkReply(content="Yes.", mine=own.text)
    return TalkReply(content=f"Let us {own.text}.", proposes=own.text, mine=own.text)


def random_directive(input: PersonaInput, chance: Chance) -> DirectiveReply:
    """Any option that nobody else has taken."""
    own = _any(input, chance)
    return DirectiveReply(directive=f"{own.text}.", option=own.text)


def idle_talk(input: PersonaInput, chance: Chance) -> TalkReply:
    """They wait, and say so."""
    proposes = "" if input.proposal.option else WAIT
    return TalkReply(content="Yes, wait.", proposes=proposes)


def idle_directive(input: PersonaInput, chance: Chance) -> DirectiveReply:
    """Time goes by."""
    return DirectiveReply(directive="You should wait a while.", option=WAIT)


def silent_talk(input: PersonaInput, chance: Chance) -> TalkReply:
    """Nobody says a word at the table; each does what its own mind leans to."""
    return TalkReply(content="")


def alone_directive(input: PersonaInput, chance: Chance) -> DirectiveReply:
    """They talk, and then each does what its own mind leans to, whatever was agreed."""
    apart = input.model_copy(update={"proposal": Proposal(), "mine": ""})
    return respond_directive(apart, chance)


def _any(input: PersonaInput, chance: Chance) -> Option:
    taken = set(input.taken.values())
    free = [option for option in input.table.options if option.text not in taken]
    return chance.choose(free or input.table.options)


POLICIES: dict[str, Mapping[str, Responder]] = {
    "mind": {},
    "random": {"players/talk": random_talk, "players/directive": random_directive},
    "silent": {"players/talk": silent_talk},
    "alone": {"players/directive": alone_directive},
    "wait": {"players/talk": idle_talk, "players/directive": idle_directive},
}


def responders(policy: str) -> Mapping[str, Responder]:
    """Every pass's responder under that policy."""
    return {**RESPONDERS, **POLICIES[policy]}

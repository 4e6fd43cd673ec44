"""What a player's words take for granted, and which acts need what they speak of."""

import re
from dataclasses import dataclass

from freeform.engine.rules.checks import (
    NEEDS_NOTHING,
    Refusal,
    gear_claimed,
    is_at_hand,
    lacking,
    lies_here,
    not_at_hand,
)
from freeform.engine.rules.known import as_said, called, with_article
from freeform.engine.table import Rules
from freeform.engine.world.canon import contradicted
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import PLAYER, Fact, GameState

_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]?|(?<!\w)'[^']*'(?!\w)")
_OFFERING = re.compile(r"\b(?:offer|promise|propose|suggest)(?:s|ed|ing)?\b", re.I)
_OWNED = re.compile(r"\bmy\b", re.I)
_BY_HAND = frozenset({"use", "attack", "unlock_break", "make_improvise"})
"""Families of free deeds that are done with a thing, if one is named."""


@dataclass(frozen=True)
class Granted:
    """What is wrong with what a player takes for granted."""

    denial: Refusal | None
    lack: Refusal | None
    common: bool = False
    """What is lacking is some common thing, named as any: a broom, not my broom."""

    @classmethod
    def by(
        cls, heard: InterpreterOutput, state: GameState, rules: Rules, player_input: str
    ) -> "Granted":
        denying = (contradicted(claim, state) for claim in heard.assumptions)
        fact = next((fact for fact in denying if fact), None)
        lacks = (not_at_hand(claim, state, rules) for claim in heard.assumptions)
        lack = next((refusal for refusal in lacks if refusal), None)
        common = lack is not None and not _OWNED.search(player_input)
        gear = gear_claimed(_unspoken(heard, player_input, rules), state, rules)
        denial = _denial(fact, player_input, state, rules) if fact else None
        return cls(denial, gear or lack, common and gear is None)

    def against(self, action: ProposedAction, rules: Rules) -> Refusal | None:
        """A deed of the hands needs what it takes for granted; words and glances do not.

        A question may take anything for granted: the answer says how things stand.
        """
        if needs_nothing(action, rules) or rules.is_free(action.action, action.family):
            return None
        if self.common and action.ruling:
            return self.denial  # a ruling may find a broom in a bar
        return self.denial or self.lack


def needs_nothing(action: ProposedAction, rules: Rules) -> bool:
    """Whether an act is one of words, eyes, thoughts or feet, which need no thing."""
    name = rules.action_type(action.action)[0]
    if name == "improvise" and action.family:
        return action.family not in _BY_HAND
    return action.action in NEEDS_NOTHING or name in NEEDS_NOTHING


def only_offered(
    action: ProposedAction, state: GameState, rules: Rules, said: str
) -> ProposedAction:
    """An offer in words is no gift yet: of what one does not have, one can only speak."""
    name = rules.action_type(action.action)[0]
    if name != "give" or not _OFFERING.search(said):
        return action
    if out_of_hand(name, action.details, state) is None:
        return action
    return action.model_copy(update={"action": "talk"})


def out_of_hand(name: str, details: str, state: GameState) -> Refusal | None:
    """Nobody gives what they do not have, or shows what is nowhere to be seen."""
    named = mentioned(details, state, ("item",))
    at_hand = [
        item for item in named if (PLAYER, item) in state.inventory or lies_here(item, state)
    ]
    if not named or at_hand or (name == "show" and is_at_hand(named[0], state)):
        return None
    return lacking(as_said(state.entities[named[0]], details), state)


def _unspoken(heard: InterpreterOutput, player_input: str, rules: Rules) -> str:
    """What the player typed without what their character only says: a gun one tells of is not
    drawn."""
    text = _QUOTED.sub(" ", player_input)
    for action in heard.proposed_actions:
        if action.details and needs_nothing(action, rules):
            text = text.replace(action.details, " ")
    return text


def _denial(fact: Fact, said: str, state: GameState, rules: Rules) -> Refusal:
    sentence = str(fact.object.get("text") or _as_sentence(fact, said, state, rules))
    return Refusal("contradiction", f"That is not how things stand: {sentence}", fact.id)


def _as_sentence(fact: Fact, said: str, state: GameState, rules: Rules) -> str:
    value = fact.object.get("value")
    name = with_article(called(fact.subject_id, said, state, rules) or "that")
    if fact.predicate == "at":
        return f"{name} is here, alive."
    return f"{name} is {fact.predicate if value is True else value}."

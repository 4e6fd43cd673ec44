"""An action a player wishes for, and the question where it can be read in several ways."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from freeform.engine.authored.fitting import Asked
from freeform.engine.authored.system import ActionType
from freeform.engine.rules.known import inside, with_article
from freeform.engine.table import Rules
from freeform.engine.world.model import ProposedAction, Reading
from freeform.engine.world.state import GameState

_THING = re.compile(r"(?:the|an?|my|his|her|their|some)\s", re.I)
_ID = re.compile(r"\b\w+:\w+\b")
MOST_READINGS = 3
_TYPED = {
    "ask": "Ask {who} about {rest}",
    "talk": "Tell {who} {rest}",
    "deceive": "Lie to {who} about {rest}",
    "give": "Give {rest} to {who}",
    "show": "Show {rest} to {who}",
    "steal": "Steal {rest} from {who}",
}
"""How a player would type an act, given whom it is done to and the rest of it."""


class Unclear(Exception):
    """Two readings would lead to different outcomes: `str` is the one question to ask, `readings`
    are the answers worth a button."""

    def __init__(self, question: str, readings: Iterable[Reading] = ()) -> None:
        super().__init__(question)
        self.readings = list(readings)[:MOST_READINGS]


@dataclass(frozen=True)
class Wish:
    """An action a player wishes for, on the state it would be done in."""

    name: str
    kind: ActionType
    target: str
    details: str
    said: str
    """What the player typed."""
    state: GameState
    rules: Rules
    family: str = ""
    called_to: str = ""
    """Whom or what words go to that is not here."""

    @property
    def spoken(self) -> str:
        """The player's own words; a listener's, where those are not to be had."""
        return self.said or self.details

    @property
    def asked(self) -> Asked:
        """The wish as authored deeds are held against it."""
        return Asked(self.name, self.target, self.details, self.state)

    def of_kind(self, action: str, target: str = "") -> "Wish":
        """The same wish as an action of another kind."""
        name, kind = self.rules.action_type(action)
        return replace(self, name=name, kind=kind, target=target or self.target)


def reading(wish: Wish, text: str, target: str) -> Reading:
    """The wish done to that target, as an answer to the question."""
    meant = ProposedAction(action=wish.name, target_id=target, details=wish.details)
    return Reading(text=text, action=meant)


def as_typed(wish: Wish, who: str) -> str:
    """What the player would type to mean that person."""
    name, rest = inside(wish.state.name(who)), _in_words(wish.details, wish.state)
    if wish.name in ("give", "show", "steal"):
        rest = rest.removeprefix("with ")
    if not rest and wish.name in ("ask", "talk", "deceive"):
        return f"Talk to {name}"
    if rest and wish.name in _TYPED:
        return _TYPED[wish.name].format(who=name, rest=rest)
    with_it = "with " if _THING.match(rest) else ""
    return f"{wish.name.capitalize()} {name} {with_it}{rest}".strip()


def _in_words(details: str, state: GameState) -> str:
    """Details as a player would type them: names where a listener put ids."""
    named = _ID.sub(lambda id: with_article(state.name(id[0])), details)
    return named.strip(" ;,.")

"""Suggestions tried before they are shown: heard, judged on the very state, and left out when they
would be refused, asked back or not understood. Nothing is rolled or written."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any

from freeform.core.text import plain_form
from freeform.engine.authored.scenario import Offer
from freeform.engine.context import Moment
from freeform.engine.id_repair import with_ids
from freeform.engine.log import Resolved
from freeform.engine.passes import InterpreterInput
from freeform.engine.ports import SuggestionEar, TurnText
from freeform.engine.rules.offers import offers, plain_ideas
from freeform.engine.rules.validate import validate
from freeform.engine.rules.wishes.unsaid import unsaid
from freeform.engine.table import Rules
from freeform.engine.world.model import InterpreterOutput, Reading, ValidatorOutput
from freeform.engine.world.names import words
from freeform.engine.world.state import GameState

MOST_SHOWN = 3
"""So many suggestions stand under a turn."""
_NO_LORE: Mapping[str, Any] = {}


class SuggestionTrial:
    """What would come of words typed next; without an ear, everything passes."""

    def __init__(
        self,
        ear: SuggestionEar | None,
        state: GameState,
        rules: Rules,
        recent: Sequence[TurnText] = (),
        lore: Mapping[str, Any] = _NO_LORE,
    ) -> None:
        self._ear = ear
        self._state = state.at_turn(state.turn_no + 1)
        # What is chosen is held against the limits' meanings afterwards; trying needs no such look.
        self._rules = replace(rules, topics=None)
        self._recent = recent
        self._lore = lore
        self._readings: list[Reading] = []
        """What was just asked, whose answers are tried."""

    @cached_property
    def _moment(self) -> Moment:
        return Moment(self._state, "", self._rules, self._recent)

    @cached_property
    def _offers(self) -> list[Offer]:
        return offers(self._state, self._rules)

    def passes(self, text: str) -> bool:
        """Whether these words would be heard, and all of what they ask for allowed."""
        if self._ear is None or not text.strip():
            return bool(text.strip())
        state, rules = self._state, self._rules
        heard = with_ids(self._ear(self._question(text)), state, rules)
        if heard.question or not _is_heard(text, heard):
            return False
        judged = validate(heard, state, rules, text)
        refused = judged.blocked_actions or judged.clarification_needed
        return bool(judged.allowed_actions) and not refused

    def heard(self, text: str) -> InterpreterOutput | None:
        """What these words would be heard as; None without an ear."""
        if self._ear is None or not text.strip():
            return None
        return with_ids(self._ear(self._question(text)), self._state, self._rules)

    def next_ideas(
        self, ruled: ValidatorOutput, told: Sequence[str], openings: Sequence[str]
    ) -> list[str]:
        """What stands under a turn: its question's readings, else what the narrator thought of;
        where that does not pass, what else the moment offers."""
        told = [text for text in (unsaid(self._state), *told) if text]
        others = chain(_mixed(openings), plain_ideas(self._state, self._rules))
        self._readings = ruled.readings
        if ruled.clarification_needed:
            answers = [reading.text for reading in ruled.readings]
            return self.choose(answers) or self.choose(told, others)
        return self.choose(told, others, min(MOST_SHOWN, len(told)))

    def choose(
        self, ideas: Iterable[str], others: Iterable[str] = (), most: int = MOST_SHOWN
    ) -> list[str]:
        """The first ideas that pass and were not just typed; others take the place of those that
        do not."""
        spent = plain_form(self._recent[-1].player_input) if self._recent else ""
        kept: dict[str, str] = {}
        for idea in chain(ideas, others):
            if len(kept) >= most:
                break
            plain = plain_form(idea)
            if plain and plain not in kept and plain != spent and self.passes(idea):
                kept[plain] = idea
        return list(kept.values())

    def _question(self, text: str) -> InterpreterInput:
        return InterpreterInput(
            context_packet=self._moment.with_input(text).outline(self._lore),
            player_input=text,
            action_types=self._rules.system.verbs,
            offers=self._offers,
            readings=self._readings,
        )


def _mixed(ideas: Sequence[str]) -> Iterator[str]:
    """Ideas of each kind in turn: to ask, to look, to go, and then the next of each."""
    kinds: dict[str, list[str]] = {}
    for idea in ideas:
        kinds.setdefault(idea.split()[0], []).append(idea)
    for row in zip_longest(*kinds.values()):
        yield from (idea for idea in row if idea)


def as_read(resolved: Resolved, text: str) -> TurnText:
    """A turn as its reader sees it, before it is written down."""
    return TurnText(
        turn_no=resolved.turn_no,
        player_input=resolved.player_input,
        final_text=text,
        focus=resolved.interpreter.referenced_entities,
        asked=resolved.validator.clarification_needed,
    )


def _is_heard(text: str, heard: InterpreterOutput) -> bool:
    """Whether more came of the words than a look at them, or nothing at all."""
    if not heard.proposed_actions:
        return False
    first = heard.proposed_actions[0]
    if first.family == "none":
        return False
    at_a_loss = first.action == "look" and not first.target_id and bool(first.details)
    return not (at_a_loss and words(first.details) == words(text))

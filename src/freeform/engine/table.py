"""What a turn is played with: the ports, and the rules of one campaign."""

from dataclasses import dataclass, replace
from typing import Literal

from freeform.core.clock import Clock
from freeform.core.ids import Ids
from freeform.core.llm.gateway import Gateway
from freeform.core.llm.tape import TapeStore
from freeform.engine.authored.growth import grown_parts, with_parts
from freeform.engine.authored.scenario import (
    Exit,
    Person,
    Place,
    Scenario,
)
from freeform.engine.authored.system import AMONG_FOES, AT_THE_TABLE, GIVING_UP, ActionType, System
from freeform.engine.campaign.apart import TableHero
from freeform.engine.log import Begun
from freeform.engine.ports import StateStore, SuggestionEar, WorldGrower
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.shelf.recall import Recaller
from freeform.engine.shelf.scene_lore import SceneLoreKeeper
from freeform.engine.world.acts import FREE
from freeform.engine.world.state import GameState
from freeform.language.limit_words import topics_in
from freeform.language.meaning.answers import AnswerFinder
from freeform.language.meaning.sense import RememberedSense
from freeform.language.meaning.topics import Topics, TrustedTopics

NOWHERE = Place(description="")
NOBODY = Person()


@dataclass(frozen=True)
class Table:
    """Everything outside that play needs."""

    store: StateStore
    gateway: Gateway
    tapes: TapeStore
    clock: Clock
    ids: Ids
    lore: SceneLoreKeeper | None = None
    """The books of each campaign; without them play goes by its scenario alone."""
    session_turns: int = 0
    """A game night ends by itself after so many turns; 0: only when told."""
    ear: SuggestionEar | None = None
    """Suggestions are tried with it before they are shown; without one they are shown untried."""
    topics: Topics | None = None
    """Holds lines and veils by meaning; without it, by their words alone."""
    answers: AnswerFinder | None = None
    """Finds what answers a question by meaning; without it, by words alone."""
    sense: RememberedSense | None = None
    """Knows what questions mean; without it people are asked by their words alone."""
    grower: WorldGrower | None = None
    """Adds to the world where players leave the map; without one the map is all there is."""
    authored: bool = False
    """Whether nobody but authors writes what is told, since no language model is set."""
    recall: Recaller | None = None
    """Looks up what a turn's words call for, in the two-call form."""
    passes: Literal["two", "three"] = "three"
    """How many calls a turn takes: a referee and a teller, or interpreter, planner, narrator."""
    packet_tokens: int = 3600
    """How much of the world a model is told a turn, by its window."""

    def rules(self, begun: Begun, state: GameState) -> "Rules":
        """The rules of a campaign that is played here, as it stands."""
        rules = replace(Rules.of(begun, self.topics, self.sense), answers=self.answers)
        rules = rules.knowing(state)
        return rules.trusting_author() if self.authored else rules


@dataclass(frozen=True)
class Rules:
    """What was authored for a campaign, and how its dice decide."""

    scenario: Scenario
    system: System
    begun: Begun
    topics: Topics | None = None
    sense: RememberedSense | None = None
    answers: AnswerFinder | None = None
    heroes: tuple[TableHero, ...] = ()
    """Those who are played where the turn is, where several share the story."""
    acts: str = ""
    """Which of them acts."""

    @classmethod
    def of(
        cls, begun: Begun, topics: Topics | None = None, sense: RememberedSense | None = None
    ) -> "Rules":
        """The rules a campaign began with, and what knows meaning: of limits, and of questions."""
        return cls(begun.scenario, begun.system, begun, topics, sense)

    def knowing(self, state: GameState) -> "Rules":
        """The same with what play has added to the world."""
        parts = grown_parts(state)
        return replace(self, scenario=with_parts(self.scenario, parts)) if parts else self

    def limits(self, state: GameState) -> SafetyLimits:
        """The lines and veils that hold now, and the secrets."""
        return SafetyLimits.of(self.begun.calibration, state, self.topics)

    def trusting_author(self) -> "Rules":
        """The same where nobody but the author speaks: the author's own limits are not asked about
        by meaning, sentence by sentence."""
        if self.topics is None:
            return self
        own = self.scenario.calibration
        named = [topic for limit in (*own.lines, *own.veils) for topic in topics_in(limit)]
        return replace(self, topics=TrustedTopics(self.topics, named))

    def place(self, location_id: str) -> Place:
        """What was authored of a place; an empty place when nothing was."""
        return self.scenario.places.get(location_id, NOWHERE)

    def person(self, npc_id: str) -> Person:
        """What was authored of a person."""
        return self.scenario.people.get(npc_id, NOBODY)

    def exits(self, location_id: str, state: GameState) -> list[Exit]:
        """The ways out of a place: the authored ones, and those that play has opened."""
        place = state.entities.get(location_id)
        opened = place.attrs.get("ways", []) if place else []
        return [*self.place(location_id).exits, *(Exit(to=str(there)) for there in opened)]

    def exit(self, here: str, there: str, state: GameState) -> Exit | None:
        """The way between two places, if one leads there."""
        return next((way for way in self.exits(here, state) if way.to == there), None)

    def action_type(self, action: str) -> tuple[str, ActionType]:
        """The kind of action a word names; whatever is none of them is improvised."""
        types = self.system.action_types
        id = action.strip().casefold()
        kind = types.get(id) or AT_THE_TABLE.get(id)
        if kind:
            return id, kind
        like = types.get(AMONG_FOES.get(id, ""))
        if like:
            return id, like.model_copy(update={"deed": id, "minutes": 1, "topic": False})
        if id == GIVING_UP.deed:
            return id, GIVING_UP
        word = id.replace("_", " ")
        for name, kind in types.items():
            if word in kind.verbs:
                return name, kind
        return "improvise", types.get("improvise", ActionType(needs_presence=False, tier=1))

    def is_free(self, action: str, family: str = "") -> bool:
        """Whether an act is only said, asked, shown or meant, and so costs nothing."""
        return family in FREE or self.action_type(action)[1].free

"""Someone who is asked or told something, as answers are made of them; and an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from freeform.engine.authored.conditions import check, trust
from freeform.engine.authored.scenario import Person, Withheld
from freeform.engine.minds.question import AskedOfSomeone
from freeform.engine.rules.known import called, has_heard_of, inside
from freeform.engine.world.state import Fact, GameState
from freeform.language.sentences import sentences
from freeform.retrieval.briefing import NpcBriefing

LIKE = 0.38
"""How near a sentence about someone must be to say it of them."""
TOUCHES = 0.33
"""How near words must be to something that was hidden to be about it."""
FRIEND, FOE = 2, -1
"""From where on someone trusts the player's character, or does not."""
BOND = "bond:"
"""What someone does not forget, as the first word of its predicate: how often, or `forgiven`."""
HELD_AGAINST = ("insulted", "threatened", "lied_to", "accused")
"""What is held against someone until they are sorry for it."""


@dataclass(frozen=True)
class SpokenAnswer:
    """An answer: its kind and how it stands with it, and what is in it."""

    kind: str
    how: str = ""
    says: Mapping[str, str] = field(default_factory=dict)
    reveals: str = ""
    """The id of a fact that is told with it."""
    notes: tuple[str | tuple[str, object], ...] = ()
    """What whoever says it has said by it: a predicate, with its value where that is not true."""


@dataclass(frozen=True)
class AskedMind:
    """Someone who is asked."""

    asked: AskedOfSomeone
    notes: NpcBriefing
    lately: Sequence[str] = ()
    """Paragraphs told lately, oldest first."""

    @property
    def who(self) -> str:
        """Their id."""
        return self.asked.who

    @property
    def state(self) -> GameState:
        """How things stand."""
        return self.asked.state

    @cached_property
    def person(self) -> Person:
        """What was authored of them."""
        return self.asked.rules.person(self.who)

    @cached_property
    def stance(self) -> str:
        """How they stand to the one who asks."""
        far = trust(self.who, self.state)
        if any(isinstance(self.state.value(self.who, f"{BOND}{one}"), int) for one in HELD_AGAINST):
            return "cold"
        return "warm" if far >= FRIEND else "cold" if far <= FOE else "plain"

    @cached_property
    def kept(self) -> list[Withheld]:
        """What they keep back still."""
        open_now = (k for k in self.person.withholds if check(k.when, self.state).holds)
        return [kept for kept in open_now if not self.state.value(self.who, f"told:{kept.id}")]

    @cached_property
    def place(self) -> str:
        """Where they are, as one says it."""
        return inside(self.state.name(self.state.where(self.who) or self.state.scene.location_id))

    @cached_property
    def about(self) -> str:
        """The first of those the question names whom they could speak of; '' where none is."""
        return self.asked.about[0] if self.asked.about else ""

    @cached_property
    def heard_of(self) -> str:
        """What the first is called that was named and the asker has heard of; '' where none is."""
        asked = self.asked
        known = [id for id in asked.about if has_heard_of(id, self.state)]
        return inside(called(known[0], asked.said, self.state, asked.rules)) if known else ""

    @cached_property
    def touched(self) -> list[Fact]:
        """What is or was hidden that the words come near, the nearest first."""
        found = (fact for fact in self.state.facts.values() if fact.object.get("text"))
        facts = [one for one in found if one.visibility == "hidden" or one.discovered_turn]
        sense = self.asked.rules.sense
        texts = [str(fact.object["text"]) for fact in facts]
        near = sense.near(self.asked.text, texts) if sense and texts else []
        close = [(at, fact) for at, fact in zip(near, facts, strict=False) if at >= TOUCHES]
        return [fact for _, fact in sorted(close, key=lambda one: -one[0])]

    def may_say(self, text: str) -> bool:
        """Whether a text tells nothing that is secret."""
        limits = self.asked.rules.limits(self.state)
        return all(map(limits.names_none, sentences(text)))

    def nearest(self, texts: Sequence[str], least: float = LIKE) -> str:
        """The text that is nearest to the question; '' where none is near, or may be said."""
        sense = self.asked.rules.sense
        open_ones = [text for text in texts if text and self.may_say(text)]
        if sense is None or not open_ones:
            return ""
        near = sense.near(self.asked.text, open_ones)
        best = max(zip(near, open_ones, strict=True), default=(0.0, ""))
        return best[1] if best[0] >= least else ""

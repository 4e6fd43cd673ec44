"""Which authored deeds a wish asks for: by action and target first, then by the words people use.

A stray word fires nothing: a gate spoken of in a promise is not the deed of opening it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from freeform.engine.authored.scenario import Affordance, Scenario
from freeform.engine.world.names import is_named, meant, mentioned, words
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.inflection import singular
from freeform.language.words import word_class
from freeform.language.words import words as every_word

SPEECH = frozenset("talk ask persuade deceive threaten".split())
LIKE = {
    "use": ("open", "unlock", "hack", "repair", "close", "break", "search"),
    "open": ("unlock", "use"),
    "unlock": ("open", "use", "hack"),
    "take": ("use", "open"),
    "hack": ("use", "unlock"),
    "give": ("persuade", "use"),
    "persuade": ("give",),
    "attack": ("break",),
    "break": ("open",),
}
"""Actions that may stand for another where only the other was authored."""
_THINGS = ("item", "object", "npc", "location")
_TO_HAND_OVER = ("give", "persuade", "show")
_MOST = 0.5
"""How much of what was said a deed's words must make up to be what it is about."""
_TARGET, _NAMED = 10, 5
_SOMEONE = word_class("of_a_person")


@dataclass(frozen=True)
class Asked:
    """What a wish says of the deed it means: the kind of act, what it is done to, and the rest."""

    action: str
    target: str
    details: str
    state: GameState

    @cached_property
    def text(self) -> str:
        """Its words, with the name of what it is done to."""
        return f"{self.details} {self.state.name(self.target) if self.target else ''}".strip()

    @cached_property
    def said_to_them(self) -> str:
        """What is told as it was spoken: of `I have missed him`, `I have missed you`."""
        if self.action not in SPEECH:
            return self.text
        parts = self.details.split()
        return " ".join("you" if part.lower() in _SOMEONE else part for part in parts)

    @cached_property
    def telling(self) -> list[str]:
        """Its telling words, in the order they were said."""
        return _in_order(self.text)

    @cached_property
    def about(self) -> frozenset[str]:
        """The telling words of what was said of it beside its target; those of all where there are
        none."""
        return frozenset(_in_order(self.details) or self.telling)

    @cached_property
    def is_done_to_someone(self) -> bool:
        """Whether a person is its target."""
        entity = self.state.entities.get(self.target)
        return entity is not None and entity.type == "npc"


def fitting_deeds(asked: Asked, scenario: Scenario) -> list[Affordance]:
    """What was authored for this act here, the best fitting first; kindred acts stand in when none
    fits."""
    here = ("", asked.state.scene.location_id)
    for actions in ((asked.action,), LIKE.get(asked.action, ())):
        fitting = []
        for deed in scenario.affordances:
            if deed.action in actions and deed.at in here:
                score = fit(deed, asked)
                if score and _stands_in(deed, asked):
                    fitting.append((score, deed))
        if fitting:
            # Who says "from the shelf" means the shelf, not whatever else the thing could be taken
            # from.
            exact = [(score, deed) for score, deed in fitting if deed.indirect]
            return [deed for _, deed in sorted(exact or fitting, key=lambda pair: -pair[0])]
    return []


def fit(deed: Affordance, asked: Asked) -> int:
    """How well a deed fits what was asked; 0 when it does not."""
    if deed.indirect and not _is_meant(deed.indirect, asked, _THINGS):
        return 0
    spoken = spoken_of(deed.words, asked)
    if deed.using and deed.using != asked.target and _names_another(deed, asked, spoken):
        return 0
    if deed.target:
        return _aimed(deed, asked, spoken)
    return spoken if deed.words else 1


def deed_is_meant(deed: Affordance, asked: Asked) -> bool:
    """Whether a deed that fits was meant: of words said to someone, by its own words only."""
    spoken = asked.action in SPEECH and asked.is_done_to_someone
    return not spoken or not deed.words or spoken_of(deed.words, asked) > 0


def spoken_of(phrases: Sequence[str], asked: Asked) -> int:
    """How many of a deed's words were said as what the act is about; 0 for a stray one.

    They are when the act begins with them, when a phrase was said word for word, or when they are
    most of what was said.
    """
    telling = asked.telling
    said = frozenset(telling)
    if not said:
        return 0
    score, covered, begins = 0, set[str](), False
    plain = [_singulars(text) for text in (asked.text, asked.said_to_them)]
    told_to = asked.action in SPEECH and asked.is_done_to_someone
    for phrase in phrases:
        parts = words(phrase)
        if not parts or not parts <= said:
            continue
        verbatim = " " in phrase and any(_holds(one, _singulars(phrase)) for one in plain)
        if len(parts) == 1 and " " in phrase and not verbatim:
            continue  # the one telling word of `someone at the gate` is not the phrase
        score += len(parts)
        covered |= parts
        begins = begins or (not told_to and (verbatim or telling[0] in parts))
    share = len(covered & asked.about) / len(asked.about)
    enough = share > _MOST if told_to else share >= _MOST
    return score if score and (begins or enough) else 0


def _aimed(deed: Affordance, asked: Asked, spoken: int) -> int:
    """The fit of a deed that is done to something."""
    if deed.target == asked.target:
        loose = asked.action == "improvise" or (
            asked.is_done_to_someone and asked.action not in (*SPEECH, *_TO_HAND_OVER, "steal")
        )
        needs_words = deed.words and (loose or deed.action != asked.action)
        return 0 if needs_words and not spoken else _TARGET + spoken
    if asked.target and deed.using != asked.target:
        return 0  # it was said what it is done to, and that is not it
    if asked.action == "improvise" and deed.words and not spoken:
        return 0  # a free deed that only speaks of someone is not whatever was written for them
    type = asked.state.entities[deed.target].type if deed.target in asked.state.entities else ""
    return _NAMED + spoken if _is_meant(deed.target, asked, (*_THINGS, type)) else 0


def _stands_in(deed: Affordance, asked: Asked) -> bool:
    """Whether a deed of another kind may stand for the act: nothing is handed over or used up that
    was not named."""
    if deed.action == asked.action:
        return True
    if asked.action == "give" and asked.details and not spoken_of(deed.words, asked):
        return False  # a gift does not stand for every deed that was authored for someone
    if not deed.using or deed.using in asked.details or deed.using == asked.target:
        return True
    named = deed.using in mentioned(asked.details, asked.state, ("item",))
    at_hand = (PLAYER, deed.using) in asked.state.inventory
    return at_hand and (named or asked.action not in _TO_HAND_OVER)


def _is_meant(id: str, asked: Asked, types: tuple[str, ...]) -> bool:
    named = is_named(id, asked.details, asked.state)
    return named and id in meant(asked.details, asked.state, types)


def _names_another(deed: Affordance, asked: Asked, spoken: int) -> bool:
    """The words speak of another thing than the deed is done with: giving a photo is not giving the
    gold."""
    named = mentioned(asked.details, asked.state, ("item",))
    if deed.using in named:
        return False
    carried = any((PLAYER, item) in asked.state.inventory for item in named)
    handed = deed.action in ("give", "show") and bool(words(asked.details))
    return carried or (handed and not spoken)


def _in_order(text: str) -> list[str]:
    """The telling words of a text, in the order they were said."""
    telling = words(text)
    return [word for word in _singulars(text) if word in telling]


@lru_cache(maxsize=20_000)
def _singulars(text: str) -> tuple[str, ...]:
    """Every word of a text in its plain form; the same phrases are looked at turn after turn."""
    return tuple(singular(word) for word in every_word(text))


def _holds(said: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Whether a phrase was said word for word."""
    length = len(phrase)
    return any(said[at : at + length] == phrase for at in range(len(said) - length + 1))

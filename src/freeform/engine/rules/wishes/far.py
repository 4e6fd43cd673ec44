"""Who is elsewhere is reached by a thing at hand: what reaches far, whom it reaches, or why not."""

from freeform.engine.rules.checks import Refusal, may_be_meant
from freeform.engine.rules.known import as_subject, called, inside, is_or_are
from freeform.engine.rules.wishes.wish import Wish
from freeform.engine.rulings.reach import holds_fast, is_gone
from freeform.engine.table import Rules
from freeform.engine.world.names import is_named, names_of
from freeform.engine.world.state import PLAYER, Entity, GameState
from freeform.language.tables import cues
from freeform.language.words import words

REACH, FAR, NONE = "reach", "far", "none"
"""Of a thing: `far` if it reaches people who are elsewhere. Of a place or a person: `none` if
nothing reaches them."""
SPOKEN_TO = ("talk", "ask", "persuade", "deceive", "threaten")
_LIKE = ("a telephone or a radio to call people who are far away", "a communicator")
_UNLIKE = (
    *("a tool", "a weapon", "a light", "a piece of paper", "clothing", "money"),
    *("a thing to eat or drink", "a key to a door", "a container", "a book"),
    *("a machine", "a musical instrument", "a camera or recorder", "a signal or an alarm"),
)
_MARGIN = 0.1
"""By how much a thing must be nearer to what reaches far than to anything else."""


def reached(wish: Wish, by: str) -> str | Refusal | None:
    """The thing by which words go to somebody who is elsewhere, or why they cannot; None where they
    are not meant to go so far. `by`: by what, as the player said it."""
    who, state = wish.target, wish.state
    if wish.name not in SPOKEN_TO or not by or who in state.scene.present_entity_ids:
        return None
    if not may_be_meant(who, wish.spoken, state, wish.rules):
        return None
    things = things_that_reach(state, wish.rules)
    named = [thing for thing in things if is_named(thing, wish.spoken, state)]
    if not things:
        return None if by in words_for("open") else _nothing_reaches(wish)
    if is_out_of_reach(state.scene.location_id, state):
        thing = as_subject(state.name((named or things)[0]))
        return Refusal("location", f"{thing} finds nothing here: no signal.", state.scene.id)
    return (named or things)[0]


def things_that_reach(state: GameState, rules: Rules) -> list[str]:
    """What is at hand, in the hero's keeping first, and reaches far."""
    held = [*state.held(PLAYER), *state.held(state.scene.location_id)]
    items = [one.item_id for one in held]
    return [id for id in items if id in state.entities and _reaches(state.entities[id], rules)]


def _reaches(thing: Entity, rules: Rules) -> bool:
    """As its author says; else by what it is called."""
    said = thing.attrs.get(REACH)
    if said is not None or rules.sense is None:
        return said == FAR
    return any(_sounds_far(name, rules) for name in dict.fromkeys(names_of(thing)))


def _sounds_far(name: str, rules: Rules) -> bool:
    near = rules.sense.near(name, [*_LIKE, *_UNLIKE]) if rules.sense else []
    return bool(near) and max(near[: len(_LIKE)]) >= max(near[len(_LIKE) :]) + _MARGIN


def is_out_of_reach(id: str, state: GameState) -> bool:
    """Whether an author says that nothing reaches a place or a person."""
    entity = state.entities.get(id)
    return entity is not None and entity.attrs.get(REACH) == NONE


def answers(who: str, state: GameState) -> bool:
    """Whether somebody who is elsewhere can answer: alive, free, somewhere, and within reach."""
    where = state.where(who)
    if not where or is_gone(who, state) or holds_fast(who, state):
        return False
    if state.entities[who].attrs.get("whereabouts") == "secret" and not state.value(who, "met"):
        return False  # who has to be found is not found by ringing
    return not (is_out_of_reach(who, state) or is_out_of_reach(where, state))


def in_writing(said: str) -> bool:
    """Whether words are sent to be read, and not spoken."""
    return not words_for("written").isdisjoint(words(said))


def words_for(group: str) -> frozenset[str]:
    """A group of the words of calling."""
    return frozenset(str(cues("calls")[group]).split())


def _nothing_reaches(wish: Wish) -> Refusal:
    """That one has nothing to call with, and whom one cannot reach so."""
    name = called(wish.target, wish.spoken, wish.state, wish.rules)
    away = f"{as_subject(name)} {is_or_are(name)} not here" if name else "They are not here"
    whom = inside(name) if name else "them"
    return Refusal(
        "inventory",
        f"{away}, and you have nothing with you that would reach {whom} from afar.",
        wish.state.scene.id,
    )

"""Someone is faced with what they did: said to their face, or a thing held up that speaks of it.

    what they keep back of it ─> the proof there is: leverage an author named · the thing itself ·
                                 what was found out · how near the words come
    enough ─> they break, and it is out · some ─> they deny, and it shows; every new piece counts
    none   ─> nothing to it: a plain no · words without proof sting, and no more

A topic (`ask her about the key`) accuses nobody.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Withheld
from freeform.engine.authored.script import Condition
from freeform.engine.minds.mind import AskedMind
from freeform.engine.minds.reception import StatedFact
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.deeds.knowledge import best_answer
from freeform.engine.world.names import is_named, mentioned, words
from freeform.engine.world.state import PLAYER, GameState

FACED = "faced:"
"""With what someone was faced over something they keep back, as the first word of its predicate."""
SHOWN = "shown_now"
"""What was held up before someone in this turn."""
_ENOUGH = 3
"""How much proof breaks anybody: leverage in hand 3, what was found out of it 2, a clue on the way
there, the thing it is about, leverage that lies about and the very truth said to their face 1
each."""
_NEAR = 0.5


@dataclass(frozen=True)
class Confronted:
    """Someone, what they are told, and what is held up before them."""

    attempt: Attempt
    mind: AskedMind
    said: str

    @cached_property
    def things(self) -> list[str]:
        """What the player's character holds up, or names of what they have or what lies here."""
        state, own = self.attempt.page.state, self.own
        here = {holding.item_id for holding in state.held(state.scene.location_id)}
        named = mentioned(self.said, state, ("item",))
        shown = state.value(self.mind.who, SHOWN) or {}
        lately = [shown["item"]] if shown.get("turn") == state.turn_no else []
        return [id for id in dict.fromkeys([*lately, *named]) if id in own | here]

    @property
    def own(self) -> set[str]:
        """What the player's character has."""
        return {holding.item_id for holding in self.attempt.page.state.held(PLAYER)}

    @cached_property
    def stated(self) -> str:
        """The id of the fact that is said to their face; '' where none is."""
        fact = StatedFact(self.mind).fact
        return fact.id if fact else ""

    @cached_property
    def kept(self) -> Withheld | None:
        """What they keep back that it touches: what is said outright, what the words are about,
        what the thing is about."""
        open_ones = self.mind.kept
        meant = best_answer(self.mind.person.withholds, self.said, self.attempt)
        about = (meant,) if meant is not None and meant in open_ones else ()
        shown = filter(self._is_shown, open_ones)
        return self.outright or next(iter([*about, *shown]), None)

    @property
    def outright(self) -> Withheld | None:
        """What they keep back that is said to their face."""
        return next((kept for kept in self.mind.kept if self.stated in kept.reveals), None)

    def _is_shown(self, kept: Withheld) -> bool:
        """Whether something is held up that has to do with it."""
        return any(self._touches(kept, item) for item in self.things)

    def _touches(self, kept: Withheld, item: str) -> bool:
        """Whether a thing has to do with something they keep back."""
        state = self.attempt.page.state
        texts = [*kept.says, *(_text(id, state) for id in kept.reveals)]
        return item in _leverage(kept) or any(is_named(item, text, state) for text in texts)

    def pieces(self, kept: Withheld) -> dict[str, int]:
        """Each piece of proof there is, and its weight."""
        state = self.attempt.page.state
        found = {item: 1 for item in self.things if self._touches(kept, item)}
        found |= {item: _ENOUGH for item in self.things if item in _leverage(kept) & self.own}
        found |= {id: 1 for id in self._trail(kept) if _is_known(id, state)}
        found |= {id: 2 for id in _known_of(kept) if _is_known(id, state)}
        if self.stated in kept.reveals or self._is_near(kept):
            found["said"] = 1
        return found

    def _trail(self, kept: Withheld) -> list[str]:
        """What leads to what comes out with it: the clues of the threads it settles."""
        settled = {effect.thread[0] for effect in kept.effects if effect.thread}
        trails = (c.facts for c in self.attempt.rules.scenario.clues if c.thread in settled)
        return [id for facts in trails for id in facts]

    def _is_near(self, kept: Withheld) -> bool:
        """Whether the words come near to what they did."""
        sense, state = self.attempt.rules.sense, self.attempt.page.state
        truths = [text for id in kept.reveals if (text := _text(id, state))]
        said = f"{self.mind.asked.text} {state.name(self.mind.who)}"
        near = sense.near(said, truths) if sense and truths else []
        shared = (bool(words(self.said) & words(text)) for text in truths)
        return any(close >= _NEAR and same for close, same in zip(near, shared, strict=False))


def face(confronted: Confronted, kept: Withheld) -> str:
    """They are faced with it, and what was held up before counts on: gives `broken`, `cornered`
    or `stung`."""
    page, who = confronted.attempt.page, confronted.mind.who
    predicate = f"{FACED}{kept.id}"
    before = page.state.value(who, predicate) or {}
    pieces = confronted.pieces(kept)
    all_of_it = {**before, **pieces}
    fresh = {piece for piece in pieces if piece not in before}
    page.note(who, predicate, all_of_it)
    leverage = bool(kept.yields_when) and check(kept.yields_when, page.state).holds
    if leverage or (sum(all_of_it.values()) >= _ENOUGH and _has_proof(all_of_it)):
        how = "broken"
    else:
        how = "cornered" if _has_proof(pieces) else "stung"
    weight = sum(all_of_it.values())
    name = page.state.name(who)
    if fresh or how == "broken":
        page.happen("faced", npc=who, name=name, kept=kept.id, how=how, weight=weight)
    return how


def _has_proof(pieces: dict[str, int]) -> bool:
    """Whether anything but words is laid before them."""
    return any(piece != "said" for piece in pieces)


def _leverage(kept: Withheld) -> set[str]:
    """The things an author lets it yield to."""
    return {one.has for condition in kept.yields_when for one in _parts(condition) if one.has}


def _known_of(kept: Withheld) -> list[str]:
    """The facts an author lets it yield to, and what is in it itself."""
    parts = [one for condition in kept.yields_when for one in _parts(condition)]
    return [*(one.known for one in parts if one.known), *kept.reveals]


def _parts(condition: Condition) -> Iterator[Condition]:
    inner = [*(condition.any or []), *(condition.all or [])]
    if not inner:
        yield condition
    for part in inner:
        yield from _parts(part)


def _is_known(id: str, state: GameState) -> bool:
    return id in state.facts and state.facts[id].visibility == "known"


def _text(id: str, state: GameState) -> str:
    return str(state.facts[id].object.get("text") or "") if id in state.facts else ""

"""Prose held against what is so, sentence by sentence: who lives, who is here, who holds what, what
is locked, where the player's character is, and what the rules have refused this turn."""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from freeform.engine.canon.happened import Happened
from freeform.engine.canon.sayings_of import (
    AT,
    BEING,
    SMALL,
    ends_its_thought,
    is_close,
    is_said_to_be,
    says_otherwise,
    tells_a_death,
)
from freeform.engine.canon.sentence import NamedAt, Sentence, leaves_speech_open
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import is_dead_by_hand
from freeform.engine.world.canon import SETTLED
from freeform.engine.world.model import BlockedAction
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.scales import opposite_words, word_on_scale
from freeform.engine.world.state import PLAYER, Entity, GameState
from freeform.language.forms import is_going_on, is_third_person
from freeform.language.inflection import lemma, singular
from freeform.language.words import word_class

_TYPES = ("npc", "location", "item", "object")
_FOR_ONE = {"he": "npc", "she": "npc", "him": "npc", "her": "npc", "it": "thing"}
_ALIVE, _DEAD = "alive", "dead"
_RESTING = frozenset(("lie", "rest", "remain", "stay"))
"""What the dead do."""
_PRESENT, _ABSENT = "present", "absent"


class ProseCheck:
    """What a narration may not say this turn. It hears sentences in order, since `he` is whoever
    was named before."""

    def __init__(self, state: GameState, rules: Rules, happened: Happened) -> None:
        self._state, self._rules, self._happened = state, rules, happened
        self._last: dict[str, Entity] = {}
        self._in_speech = False
        self._judged: dict[tuple[str, tuple[object, ...]], tuple[str, dict[str, Entity]]] = {}
        types = rules.system.action_types
        self._verbs = {name: _single_verbs(*kind.verbs) for name, kind in types.items()}

    def begin(self) -> None:
        """The text starts over."""
        self._last, self._in_speech = {}, False

    def against(self, text: str) -> str:
        """Why a sentence cannot be shown, in a few words; '' where nothing speaks against it."""
        if not text.strip():
            return ""
        before = (self._in_speech, *(entity.id for entity in self._last.values()))
        key = (text.strip(), before)
        if key not in self._judged:  # what was streamed is looked at again as a whole
            self._judged[key] = self._judge(text), self._last
        reason, last = self._judged[key]
        self._last = dict(last)
        self._in_speech = leaves_speech_open(text, self._in_speech)
        return reason

    def _judge(self, text: str) -> str:
        self._last = dict(self._last)
        sentence = Sentence(f'"{text}' if self._in_speech else text)
        cast = self._cast(sentence)
        self._remember(cast)
        dead = self._revives(sentence, cast)
        if dead or self._happened.tells(sentence.plain):
            return dead
        return next(self._reasons(sentence, cast), "")

    def _revives(self, sentence: Sentence, cast: list[tuple[Entity, NamedAt]]) -> str:
        """Whether someone acts whom a game master has declared dead, in an author's words too."""
        for entity, place in cast:
            if entity.type != "npc" or not is_dead_by_hand(entity.id, self._state):
                continue
            near = sentence.after(sentence.past_aside(place.end), 2)
            own = [word for word in near if word not in BEING and lemma(word) not in _RESTING]
            moves = bool(near) and near[0] in own and is_third_person(near[0])
            if not place.owns and (moves or self._acts(sentence, place)):
                return f"{entity.name} is dead"
        return ""

    def _cast(self, sentence: Sentence) -> list[tuple[Entity, NamedAt]]:
        """Whom and what a sentence names, and where; a pronoun at its head counts."""
        found: list[tuple[Entity, NamedAt]] = []
        for id in mentioned(sentence.plain, self._state, _TYPES):
            entity = self._state.entities[id]
            away = entity.type == "npc" and id not in self._state.scene.present_entity_ids
            places = sentence.named(entity, described=not away)  # `the boy` is one who is here
            found += [(entity, place) for place in places]
        people = {entity.id: entity for entity, _ in found if entity.type == "npc"}
        alone = next(iter(people.values())) if len(people) == 1 else None
        for at, token in enumerate(sentence.tokens):
            kind = _FOR_ONE.get(token, "")
            if not kind or (at > 0 and kind == "thing"):
                continue
            meant = (alone or self._last.get(kind)) if kind == "npc" else self._last.get(kind)
            if len(people) > 1 or meant is None or not _may_be_called(token, meant):
                continue
            if token not in ("him", "her") or ends_its_thought(sentence, at + 1):
                found.append((meant, NamedAt(at, at + 1, False)))
        return found

    def _remember(self, cast: list[tuple[Entity, NamedAt]]) -> None:
        """Whom the next `he` or `it` means: only where one alone was named."""
        for kind in ("npc", "thing"):
            named = {entity.id: entity for entity, _ in cast if _kind(entity) == kind}
            if len(named) == 1:
                self._last[kind] = next(iter(named.values()))
            elif named:
                self._last.pop(kind, None)

    def _reasons(self, sentence: Sentence, cast: list[tuple[Entity, NamedAt]]) -> Iterator[str]:
        rules: dict[str, Callable[[Sentence, Entity, NamedAt], str]] = {
            "npc": self._of_a_person,
            "item": self._of_an_item,
            "location": self._of_a_place,
        }
        for entity, place in cast:
            reason = self._of_its_state(sentence, entity, place)
            check = rules.get(entity.type)
            if not reason and check:
                reason = check(sentence, entity, place)
            if reason:
                yield reason
        for refused in self._happened.blocked:
            if self._tells_as_done(sentence, cast, refused):
                yield f"the rules refused that: {refused.reason}"

    def _of_its_state(self, sentence: Sentence, entity: Entity, place: NamedAt) -> str:
        """Locked and open, lit and dark: what a settled fact says of it."""
        if place.owns:
            return ""
        for fact in self._state.weighed_of(entity.id):
            settled = fact.predicate in SETTLED or fact.visibility == "known"
            value = fact.object.get("value")
            said = word_on_scale(fact.predicate if value is True else value)
            if settled and said and says_otherwise(sentence, place, said):
                return f"{self._state.name(entity.id)} is {said}"
        return ""

    def _of_a_person(self, sentence: Sentence, entity: Entity, place: NamedAt) -> str:
        name = entity.name
        if self._is_dead(entity.id):
            acts = not place.owns and self._acts(sentence, place)
            return f"{name} is dead" if acts or says_otherwise(sentence, place, _DEAD) else ""
        if entity.id in self._happened.touched:
            return ""
        if says_otherwise(sentence, place, _ALIVE) or tells_a_death(sentence, place):
            return f"{name} is alive"
        if entity.id in self._state.scene.present_entity_ids:
            gone = is_said_to_be(sentence, place, _PRESENT) or self._leaves(sentence, place)
            return f"{name} is here" if gone and not place.owns else ""
        if self._names_elsewhere(sentence, place) or self._happened.speaks_of(name):
            return ""
        return f"{name} is not here" if self._is_told_here(sentence, place) else ""

    def _is_told_here(self, sentence: Sentence, place: NamedAt) -> bool:
        """Whether an absent one is told as if before the player's eyes."""
        if place.owns:
            own = sentence.after(place.end, 2)
            moves = len(own) == 2 and is_third_person(own[1]) and own[1] not in BEING
            touched = moves and own[0] in word_class("ones_own")
            return touched and not sentence.is_unreal(place.start)
        if is_said_to_be(sentence, place, _ABSENT) or self._is_put_here(sentence, place):
            return True
        near = sentence.after(place.end, 3)
        beside = (
            bool(near) and near[0] in word_class("beside") and near[-1] in ("you", "side", "elbow")
        )
        return beside or self._acts(sentence, place)

    def _names_elsewhere(self, sentence: Sentence, place: NamedAt) -> bool:
        """Whether the sentence speaks of another place: who is absent is somewhere."""
        here = self._state.scene.location_id
        for id in mentioned(sentence.plain, self._state, ("location",)):
            others = sentence.named(self._state.entities[id]) if id != here else []
            if any(other.start > place.end for other in others):
                return True
        return False

    def _acts(self, sentence: Sentence, place: NamedAt) -> bool:
        """Whether someone does what one does before other people's eyes: nods, is sitting, has
        come, pours you a glass; `by the hearth stands Orla`."""
        seen, start = _lemmas("acts_in_sight"), sentence.past_aside(place.end)
        near = sentence.after(start, 3)
        for n, word in enumerate(near[:2]):
            acting = is_third_person(word) and word not in ("is", "was", "has")
            to_you = acting and near[n + 1 : n + 2] == ["you"]
            if to_you or (acting and lemma(word) in seen):
                return not sentence.is_unreal(start + n)
        if len(near) > 1 and near[0] in ("is", "has"):
            doing = is_going_on(near[1]) or (near[0] == "has" and lemma(near[1]) in seen)
            return doing and not sentence.is_unreal(start)
        before = sentence.before(place.start, 1)
        turned = bool(before) and is_third_person(before[0]) and lemma(before[0]) in seen
        return turned and not sentence.is_unreal(place.start - 1)

    def _is_put_here(self, sentence: Sentence, place: NamedAt) -> bool:
        """Whether the sentence says of an absent one: is at the bar, where the player is."""
        near = sentence.after(place.end, 6)
        if not near or near[0] not in BEING or not set(near[1:3]) & AT:
            return False
        here = self._state.entities.get(self._state.scene.location_id)
        spots = sentence.named(here) if here else []
        return any(place.end < spot.start <= place.end + 5 for spot in spots)

    def _leaves(self, sentence: Sentence, place: NamedAt) -> bool:
        """Whether someone who is here goes: leaves, hurries out into the yard."""
        near = sentence.after(place.end, 4)
        for n, word in enumerate(near[:2]):
            after = place.end + n + 1
            if lemma(word) == lemma("leave"):
                away = sentence.ends_at(after) or self._place_after(sentence, after, here=True)
                return away and not sentence.is_unreal(place.end + n)
            out = is_third_person(word) and bool({"into", "to"} & set(near[n + 1 :]))
            if out and word not in BEING and lemma(word) in self._arriving():
                return self._place_after(sentence, after) and not sentence.is_unreal(place.end + n)
        return False

    def _place_after(self, sentence: Sentence, start: int, here: bool = False) -> bool:
        """Whether a place is named soon after: this one, or another."""
        said = " ".join(sentence.after(start, 6))
        named = mentioned(said, self._state, ("location",))
        return any((place == self._state.scene.location_id) == here for place in named)

    def _arriving(self) -> frozenset[str]:
        return self._verbs.get("move", frozenset()) | _verbs_of(
            "arrive", "step", "stumble", "find", "slip", "hurry", "run", "cross", "follow"
        )

    def _of_an_item(self, sentence: Sentence, entity: Entity, place: NamedAt) -> str:
        """Who holds a thing: the player's hand is where prose likes to put it."""
        state = self._state
        if entity.id in self._happened.touched or place.owns:
            return ""
        called = " ".join(sentence.tokens[place.start : place.end])
        same = [id for id in mentioned(called, state, ("item",)) if (PLAYER, id) in state.inventory]
        has = bool(same) or (PLAYER, entity.id) in state.inventory
        if not has and self._gets(sentence, place):
            return f"the player's character does not have {entity.name}"
        if has and self._loses(sentence, place):
            return f"the player's character still has {entity.name}"
        return ""

    def _loses(self, sentence: Sentence, place: NamedAt) -> bool:
        """Given away, dropped, taken from them, or simply no longer theirs."""
        if self._does(sentence, place, "give", "drop"):
            return True
        before, after = sentence.before(place.start, 5), sentence.after(place.end, 3)
        taking = self._verbs.get("take", frozenset()) | self._verbs.get("steal", frozenset())
        taken = any(lemma(word) in taking for word in before) and after[:1] == ["from"]
        without = before[:3] == ["you", "no", "longer"] or before[-4:-2] == ["no", "longer"]
        return without or (taken and after[1:2] in (["you"], ["your"]))

    def _gets(self, sentence: Sentence, place: NamedAt) -> bool:
        verbs = _verbs_of("have", "hold", "carry", "own", "keep", "open", "read")
        if self._does(sentence, place, "take", "steal", more=verbs):
            return True
        near = sentence.before(place.start, 5)
        given = self._verbs.get("give", frozenset()) | _verbs_of("slip", "press", "toss")
        for n, word in enumerate(near[:-1]):
            if near[n + 1] == "you" and lemma(word) in given:
                at = place.start - len(near) + n
                return is_close(near[n + 2 :]) and not sentence.is_unreal(at)
        after = sentence.after(place.end, 5)
        for n, word in enumerate(after[:-1]):
            own = after[n + 1] == "your" and after[n + 2 : n + 3]
            if word in ("in", "into") and own and singular(own[0]) in word_class("ones_own"):
                return not sentence.is_unreal(place.end + n)
        if after[1:2] == ["yours"]:
            return after[0] in BEING
        held = "your" in near and bool({"around", "round", "over"} & set(near))
        return held and not sentence.is_unreal(place.start)

    def _does(
        self,
        sentence: Sentence,
        place: NamedAt,
        *kinds: str,
        more: set[str] | frozenset[str] = frozenset(),
    ) -> bool:
        """Whether the player's character does something of those kinds to what stands there."""
        verbs = set(more).union(*(self._verbs.get(kind, frozenset()) for kind in kinds))
        near = sentence.before(place.start, 5)
        for n, word in enumerate(near):
            if word != "you":
                continue
            for step in (1, 2):
                at = n + step
                if at < len(near) and lemma(near[at]) in verbs and is_close(near[at + 1 :]):
                    denied = "no" in near[at + 1 :]  # `you have no knife`
                    return not (denied or sentence.is_unreal(place.start - len(near) + at))
        return False

    def _of_a_place(self, sentence: Sentence, entity: Entity, place: NamedAt) -> str:
        """Where the player's character is."""
        if entity.id == self._state.scene.location_id or place.owns:
            return ""
        near = sentence.before(place.start, 7)
        if "you" not in near:
            return ""
        said = near[near.index("you") + 1 :]
        while said and said[-1] in SMALL:
            said.pop()
        if not said or len(said) > 4:
            return ""
        going = said[-1] in AT | {"to"} and any(lemma(word) in self._arriving() for word in said)
        being = said[-1] in AT and said[0] in {"are", "stand", "sit", "wait", "wake"}
        enters = lemma(said[-1]) in _verbs_of("enter", "reach", "cross")
        start = place.start - len(near) + near.index("you") + 1
        unreal = sentence.is_unreal(start) or bool(set(said) & word_class("unreal"))
        if (going or being or enters) and not unreal:
            return f"the player's character is in {self._state.name(self._state.scene.location_id)}"
        return ""

    def _tells_as_done(
        self, sentence: Sentence, cast: list[tuple[Entity, NamedAt]], refused: BlockedAction
    ) -> bool:
        """Whether the sentence lets the player's character do what was refused."""
        kind = self._rules.action_type(refused.action)[0]
        verbs = self._verbs.get(kind, frozenset()) | {lemma(refused.action)}
        named = {entity.id for entity, _ in cast}
        told = words(refused.details)
        about = refused.target_id in named or (
            bool(told) and 2 * len(told & words(sentence.plain)) >= len(told)
        )
        if not about or "but" in sentence.tokens:
            return False
        for n, word in enumerate(sentence.tokens):
            near = sentence.after(n + 1, 2) if word == "you" else []
            for step, verb in enumerate(near):
                if lemma(verb) in verbs:
                    return not sentence.is_unreal(n + 1 + step)
        return False

    def _is_dead(self, id: str) -> bool:
        facts = (self._state.fact(id, name) for name in ("status", "condition", "state", "life"))
        dead = opposite_words(_ALIVE)
        return any(fact and str(fact.object.get("value")) in dead for fact in facts)


@cache
def _lemmas(name: str) -> frozenset[str]:
    """A class of words, each as what all its forms share."""
    return frozenset(map(lemma, word_class(name)))


@lru_cache(maxsize=2_000)
def _single_verbs(*verbs: str) -> frozenset[str]:
    return frozenset(lemma(verb) for verb in verbs if " " not in verb)


@cache
def _verbs_of(*verbs: str) -> frozenset[str]:
    """Verbs, each as what all its forms share."""
    return frozenset(map(lemma, verbs))


def _may_be_called(pronoun: str, entity: Entity) -> bool:
    """Whether one may be meant by a pronoun: who is known to be a she is no `he`."""
    own = set(str(entity.attrs.get("pronouns") or "").lower().replace("/", " ").split())
    return entity.type != "npc" or not own & {"he", "she"} or pronoun in own


def _kind(entity: Entity) -> str:
    return "npc" if entity.type == "npc" else "thing" if entity.type != "location" else "place"

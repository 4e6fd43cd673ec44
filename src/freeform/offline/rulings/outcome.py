"""A ruling read from a deed's own words: what a learned reader says becomes so of what is in sight.

The reader proposes; what is not in sight, not likely enough, or a matter of other deeds (giving,
asking, looking) is left as it was heard.
"""

from typing import Any

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.engine.world.names import words
from freeform.engine.world.state import PLAYER
from freeform.language.meaning.outcome import STATES, OutcomeEar
from freeform.language.words import lemmas
from freeform.offline.grammar import listed, turned, with_article
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.rulings.deed import Effects, become
from freeform.offline.rulings.deed_words import LONGEST_STATE, PLAIN, DeedWords
from freeform.offline.rulings.state_sentences import (
    YOU,
    holds_someone,
    is_silent,
    may_be_said,
    once,
    resisted,
    seen,
    so,
)
from freeform.offline.rulings.subjects import Sighted

LIKELY_KIND = 0.4
LIKELY_STATE = 0.3
"""The share of all that is said to be so from which on a state is taken."""
SECOND_STATE = 0.25
"""The same of one beside another."""
LIKELY_MOOD = 0.6
LIKELY_PROMISE = 0.97
LIKELY_WORDS = 0.75
"""How likely words alone must do something to someone."""
LIKELY_SAFE = 0.7
PLAIN_CHANGE = 0.6
"""How sure kind and verb must be to speak against another hearing (`amiss.py`). Of the 49 sets of
hearing each was left out once: .55 was chosen on the others every time, and lost nothing."""
_PLAINLY = 0.5
"""The share from which on a state speaks against a ruling that knows nothing of it."""
_SAID = 0.7
"""The share from which on words alone bring a state about."""
_MAY_BE = 0.05
"""The share from which on a state may be what becomes so, too."""
_MOST_STATES = 2
_MOST_PEOPLE = 3
_EVERYONE = frozenset({"everyone", "everybody", "everyone here", "everybody here"})
_ON_IT = frozenset({"on", "onto", "upon", "atop", "under", "beneath", "behind", "against"})
"""Words that say where one is, and to no place."""
_LONGEST_ID = 40
_AWHILE = 6
"""Turns for which a sign or a distraction holds."""
_CHANGES = ("change", "put", "take")
_MAKING = frozenset({"change", "put", "signal"})
_STANDING = frozenset({"built", "set", "set up", "in place", "rigged"})
"""States of what stays where it was made."""
_FLEETING = {"distract": "distracted", "signal": "signalled", "teach": "taught"}
"""What someone is for whom a deed of the kind was done."""


class ReadDeed(DeedWords):
    """One deed and what its words say of the outcome."""

    def __init__(
        self, hearing: Hearing, ear: OutcomeEar, chance: Chance, least: float = LIKELY_STATE
    ) -> None:
        """`least` is the share from which on a state is taken."""
        super().__init__(hearing, ear, chance)
        self._least = least

    @property
    def sure(self) -> float:
        """How likely the kind is what it seems."""
        return self._heard.kinds.get(self._kind, 0.0)

    @property
    def is_safe(self) -> bool:
        """Whether nothing can go wrong with it, and nobody minds."""
        risks, moods = self._heard.risks, self._heard.moods
        return risks.get("none", 0.0) >= LIKELY_SAFE and _likeliest(moods) != "worse"

    @property
    def gets_somewhere(self) -> bool:
        """Whether one is on, under or behind something by it that need not be a way: in sight, or
        such that nobody goes there."""
        oneself = _likeliest(self._heard.subjects) == "me" and self._puts
        where = self._heard.of("where")
        if not oneself or where is None:
            return False
        first = self._typed[where.start : where.end].lower().split()[0]
        plain = where.sure >= PLAIN and first in _ON_IT
        return bool(self._spot()) or plain

    @property
    def _puts(self) -> bool:
        """Whether something, or oneself, is somewhere else now: who climbs is changed, too."""
        oneself = _likeliest(self._heard.subjects) == "me" and self._kind in _CHANGES
        likely = self._heard.kinds.get("put", 0.0) >= LIKELY_STATE
        return self._kind == "put" or (oneself and likely)

    @property
    def takes(self) -> bool:
        """Whether something may be taken by it."""
        return self._heard.kinds.get("take", 0.0) >= _MAY_BE

    @property
    def stays(self) -> bool:
        """Whether nobody goes anywhere by it."""
        return not (self._kind == "put" and _likeliest(self._heard.subjects) == "me")

    @property
    def is_plainly_a_change(self) -> bool:
        """Whether kind and verb are sure enough to speak against what was heard, and nobody
        minds."""
        verb, moods = self._heard.of("verb"), self._heard.moods
        changing = sum(self._heard.kinds.get(kind, 0.0) for kind in (*_CHANGES, *_FLEETING))
        plain = verb is not None and min(changing, verb.sure) >= PLAIN_CHANGE
        minded = self._heard.risks.get("person", 0.0) > 1 - LIKELY_SAFE
        return plain and not minded and _likeliest(moods) != "worse"

    def promise(self) -> dict[str, Any] | None:
        """A word given, where the words plainly give one."""
        if self._kind != "promise" or self.sure < LIKELY_PROMISE:
            return None
        whom = self._person()
        said = self.text
        text = f"You gave {f'{whom.name} ' if whom else ''}your word: “{said}”"
        new = {"id": slug(said)[:_LONGEST_ID], "to": whom.id if whom else "", "text": text}
        effects: Effects = [{"promise": new}, *self._trust(whom)]
        return self._deed.simply("promise", effects, told=text) | {"minutes": 0}

    def said_to_someone(self) -> dict[str, Any] | None:
        """What someone is for words that plainly please them, or for a deed done by words:
        flattered, comforted, challenged."""
        whom = self._subject()
        state, share = next(iter(self._heard.states.items()), ("", 0.0))
        moods = self._heard.moods
        pleased = moods.get("better", 0.0) >= LIKELY_WORDS
        pleased = pleased or (self.is_told and _likeliest(moods) != "worse")
        plain = self._kind == "change" and self.sure >= LIKELY_WORDS and share >= _SAID
        if whom is None or whom.kind != "person" or not (pleased and plain):
            return None
        effects = [*become(whom, state, so(whom, [state])), *self._trust(whom)]
        told = self._deed.told_back() if self.is_told else ""
        line = f"{told} {seen(whom, [state], told or self.text, self._chance)}".strip()
        return {
            "reading": self.text,
            "on": {"success": {"effects": effects, "line": line}},
            "minutes": 0,
        }

    def ruling(self) -> dict[str, Any] | None:
        """What becomes so; None where that is not plain."""
        if self.sure < LIKELY_KIND:
            return None
        if self._kind in _FLEETING:
            given = self._done_to_someone(_FLEETING[self._kind])
            if given or self._kind != "signal":
                return given
        elif self._kind not in _CHANGES:
            return None
        if self._means_everyone():
            return self._all_changed()
        subject = self._subject()
        if subject is None and self._kind == "take":
            return self._found()
        if subject is None or (subject.kind == "person" and not self._may_be_done_to(subject)):
            return None
        if self._kind == "signal" and subject.kind not in ("thing", "scenery"):
            return None
        return self._changed(subject)

    def making(self) -> dict[str, Any] | None:
        """What is made is there afterwards: in one's hands, or here where it was built or put."""
        made = next(filter(self.is_any, self._heard.all_of("on")), None)
        name = self.named_by(made) if made else ""
        if not name or self._kind not in _MAKING or self.sure < LIKELY_KIND:
            made, name = None, self.made_by_verb()
        if not name:
            return None
        state, where = next(iter(self._heard.states), ""), self._heard.of("where")
        placed = where is not None and where.sure >= LIKELY_STATE
        placed = placed or (made is not None and self.is_put_somewhere(made))
        stands = state in _STANDING or self._kind == "put" or placed
        new = {"id": f"{self._deed.sight.here}/{slug(name)}", "name": name, "comes": "made"}
        held = {} if stands else {"held_by": PLAYER}
        state = self.done_by_verb() or "made"
        text = f"{with_article(name).capitalize()} is {state}."
        done = {"subject": new["id"], "condition": state, "text": text}
        described = self.described(made) if made else f"{name.capitalize()}, of your own making."
        effects: Effects = [{"appear": {**new, **held, "text": described}}]
        effects += [{"become": done}] if stands else []
        group = "stands" if stands else "so"
        told = self.plainly_told(made) if made else ""
        ruling = self._deed.simply("make", effects, group, it=with_article(name), told=told)
        # What serves in a fight or at a lock is made with dice: the check says what that is.
        failed = self._deed.simply("make", [], "failed", told=told)["on"]["success"]
        return {**ruling, "on": {**ruling["on"], "failure": failed}, "stat": "finesse"}

    @property
    def is_a_making(self) -> bool:
        """Whether its verb proposes one; of the verb that goes with anything, such as `make a
        joke`, the reader must find a thing."""
        thing = any(map(self.is_any, self._heard.all_of("on")))
        plain = self._kind == "change" and self.sure >= PLAIN_CHANGE and thing
        return bool(self.clauses_of("make")) and (plain or bool(self.made_by_verb()))

    def _found(self) -> dict[str, Any] | None:
        """Any common thing that one takes up: `grab a bowl`. What is of use in a fight or at a
        lock, or is somebody's secret, the check does not let be about."""
        taken = next(filter(self.is_any, self._heard.all_of("on")), None)
        name = self.named_by(taken) if taken else ""
        if taken is None or not name or taken.sure < PLAIN or self.sure < PLAIN:
            return None
        new = {"id": f"{self._deed.sight.here}/{slug(name)}", "name": name, "comes": "found"}
        effects: Effects = [{"appear": {**new, "held_by": PLAYER}}]
        return self._deed.simply("make", effects, "found", it=with_article(name))

    def _means_everyone(self) -> bool:
        on = self._heard.of("on")
        said = self._typed[on.start : on.end].lower() if on else ""
        return said in _EVERYONE and bool(self._deed.sight.people())

    def _all_changed(self) -> dict[str, Any] | None:
        """What becomes of everyone here, where they like it."""
        people = self._deed.sight.people()[:_MOST_PEOPLE]
        states = self._states(people[0])[:1]
        if not states or not all(self._trust(who) for who in people):
            return None
        effects: Effects = []
        for who in people:
            effects += [*become(who, states[0], so(who, states)), *self._trust(who)]
        everyone = Sighted("person", "", listed([who.name for who in people]))
        return self._ruled(effects, everyone, states, None)

    def _may_be_done_to(self, whom: Sighted) -> bool:
        """What is done to someone is welcome, plain and harmless, or against them so that dice
        decide; whatever else they may think of it is theirs to say."""
        against = _likeliest(self._heard.risks) == "person"
        share = next(iter(self._heard.states.values()), 0.0)
        harmless = self.is_safe and share >= _SAID
        return bool(self._trust(whom)) or harmless or (against and share >= _PLAINLY)

    def _changed(self, subject: Sighted) -> dict[str, Any] | None:
        if subject.kind in ("mine", "thing") and self.only_uses:
            return None  # what is used is a tool, and nothing becomes of it: `use the bolt cutters`
        states = self._states(subject)
        spot = self._spot() if self._puts else ""
        spot = "" if words(subject.name) & words(spot) else spot  # nothing is over itself
        if self._kind == "take" and subject.kind == "scenery":
            return self._taken(subject)
        effects: Effects = []
        if self._kind == "put" and not spot and (subject.kind == "mine" or subject.name == YOU):
            return None  # it is still one's own, and one may go there by other rules
        if spot and subject.kind in ("thing", "scenery", "mine"):
            text = so(subject, [spot])
            effects = [
                *subject.effects(),
                {"put": {"item": subject.id, "spot": spot, "text": text}},
            ]
        elif spot:
            states = [spot, *states][:_MOST_STATES]
        for state in states:
            effects += become(subject, state, so(subject, [state]))
        told = [spot, *states] if spot and subject.id != PLAYER else states
        if not effects:
            return None
        return self._ruled(once(effects), subject, told, self._person(subject))

    def _taken(self, thing: Sighted) -> dict[str, Any] | None:
        """Part of the place that one has in one's hands now, and goes where one goes."""
        held: Effects = [{"appear": {"id": thing.id, "name": thing.name, "held_by": PLAYER}}]
        just = {"subject": thing.id, "condition": "taken", "text": f"You have {thing.told} now."}
        taken: Effects = [{"become": {**just, "turns": 1}}]
        return self._ruled([*held, *taken], thing, ["taken"], self._person())

    def _done_to_someone(self, state: str) -> dict[str, Any] | None:
        whom = self._person() or self._subject(least=0.0)
        if whom is None or whom.kind in ("own", "mine"):
            return None
        if self._kind == "signal" and whom.kind != "person":
            return None  # a wall is knocked on; nobody is given a sign
        turns = 0 if state == "taught" else _AWHILE
        text = so(whom, [state])
        taught = self._after_what_is_changed() if state == "taught" else ""
        effects = become(whom, state, f"{text[:-1]}: {taught}." if taught else text, turns)
        return self._ruled(effects, whom, [state], whom if whom.kind == "person" else None)

    def _after_what_is_changed(self) -> str:
        """The rest of the deed, as the game master says it: of `teach the dog to sit`, to sit."""
        on = self._heard.of("on")
        return turned(self._typed[on.end :].strip(" .!")) if on else ""

    def _ruled(
        self, effects: Effects, subject: Sighted, states: list[str], whom: Sighted | None
    ) -> dict[str, Any] | None:
        """The ruling: the deed told back and what one sees of it; dice where it can go wrong.
        None where neither can be told."""
        effects = [*effects, *self._trust(whom)]
        told = self._deed.told_back()
        if not told and all(map(is_silent, states)):
            return None
        line = f"{told} {seen(subject, states, told, self._chance)}".strip()
        risk = _likeliest(self._heard.risks)
        on: dict[str, Any] = {"success": {"effects": effects, "line": line}}
        ruling: dict[str, Any] = {"reading": self.text, "on": on}
        harmless = risk == "none" or (risk == "hard" and whom is None)
        if harmless and not (whom and holds_someone(effects)):
            return ruling
        failed = f"{self._deed.told_back(tried=True)} {resisted(whom, subject, self._chance)}"
        on["failure"] = {"effects": [], "line": failed.strip()}
        return ruling | {
            "needs_roll": True,
            "stat": "charm" if whom else "finesse",
            "difficulty": 1,
        }

    def agrees_with(self, given: dict[str, Any]) -> bool:
        """Whether another ruling's conditions are among what its words may bring about; where the
        words say little, anything is. Dice are for what can go wrong."""
        likely = next(iter(self._heard.states.values()), 0.0)
        effects = given["on"]["success"]["effects"]
        became = [effect["become"] for effect in effects if "become" in effect]
        if self._is_of_another({new["subject"] for new in became}):
            return False
        conditions = {new["condition"] for new in became}
        may_be = [state for state, share in self._heard.states.items() if share >= _MAY_BE]
        read = set(lemmas(" ".join([*may_be, _FLEETING.get(self._kind, "")])))
        if not conditions or any(set(lemmas(condition)) & read for condition in conditions):
            return True
        return likely < _PLAINLY and not (given.get("needs_roll") and self.is_safe)

    def _is_of_another(self, subjects: set[str]) -> bool:
        """Whether it would change oneself where the words plainly change something else: `wrap the
        lamp in my scarf`."""
        named = self._kind in _CHANGES and self._heard.subjects.get("named", 0.0) >= _PLAINLY
        return named and subjects == {PLAYER}

    def _trust(self, whom: Sighted | None) -> Effects:
        """What the one concerned thinks of it."""
        moods = self._heard.moods
        if whom is None or whom.kind != "person":
            return []
        for mood, delta in (("better", 1), ("worse", -1)):
            if moods.get(mood, 0.0) >= LIKELY_MOOD:
                return [{"trust": {"who": whom.id, "delta": delta}}]
        return []

    def _states(self, subject: Sighted) -> list[str]:
        """What was done to it, by the verb, and the likeliest states; no more than a ruling may
        bring about."""
        done = self._done() if subject.name != YOU else ""
        said_of_people = subject.kind != "person" or done in STATES
        states = [done] if done and said_of_people and may_be_said(done, subject) else []
        for state, share in self._heard.states.items():
            enough = share >= (SECOND_STATE if states else self._least)
            new = not any(set(lemmas(state)) & set(lemmas(other)) for other in states)
            if enough and new and may_be_said(state, subject):
                states.append(state)
        return [state for state in states if len(state) <= LONGEST_STATE][:_MOST_STATES]

    def _subject(self, least: float = _PLAINLY) -> Sighted | None:
        """What is changed, if it is in sight; where the surest is not, another so sure."""
        subject = _likeliest(self._heard.subjects)
        if subject == "me" and self._kind != "take":
            return Sighted("own", PLAYER, YOU)
        if subject != "named":
            return None
        for number, span in enumerate(self._heard.all_of("on")):
            if self._is_bare_pronoun(span) or (number and span.sure < least):
                continue
            head = self._head(span)
            found = self._deed.sight.person(head) or self._deed.sight.of(head)
            if found and found.kind == "own" and not found.id:
                return Sighted("own", PLAYER, found.name)
            if found:
                return found
        return None

    def _person(self, subject: Sighted | None = None) -> Sighted | None:
        """Whom it concerns."""
        if subject and subject.kind == "person":
            return subject
        for role in ("who", "on"):
            found = self._deed.sight.person(self._run(self._heard.of(role)))
            if found:
                return found
        return None


def _likeliest(chances: dict[str, float]) -> str:
    return max(chances, key=lambda name: chances[name]) if chances else ""

"""A ruling read from a deed's own words: what a learned reader says becomes so of what is in sight.

The reader proposes; what is not in sight, not likely enough, or a matter of other deeds (giving,
asking, looking) is left as it was heard.
"""

from typing import Any

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.engine.rulings.reach import guarded_words
from freeform.engine.world.state import PLAYER
from freeform.language.forms import base_form, is_plural, participle
from freeform.language.meaning.outcome import OutcomeEar, OutcomeSpan
from freeform.language.words import lemmas, word_class
from freeform.offline.grammar import as_told, listed, turned
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.referee.families import SPEECH
from freeform.offline.rulings.clause import DeedClause, WordRun
from freeform.offline.rulings.deed import Deed, Effects, become
from freeform.offline.rulings.subjects import Sighted

LIKELY_KIND = 0.4
LIKELY_STATE = 0.3
"""The share of all that is said to be so from which on a state is taken."""
SECOND_STATE = 0.15
"""The same of one beside another."""
LIKELY_MOOD = 0.6
LIKELY_PROMISE = 0.97
LIKELY_WORDS = 0.75
"""How likely words alone must do something to someone."""
LIKELY_SAFE = 0.7
_PLAINLY = 0.5
"""The share from which on a state speaks against a ruling that knows nothing of it."""
_SAID = 0.7
"""The share from which on words alone bring a state about."""
_MAY_BE = 0.05
"""The share from which on a state may be what becomes so, too."""
_PLAIN = 0.6
"""How sure verb and object must be for the verb to say what was done."""
_MOST_STATES = 2
_RESTING = {"onto": "on", "into": "in", "upon": "on"}
_GOING = frozenset({"to", "toward", "towards", "from", "through", "off"})
"""Words that say where something goes, and not where it is."""
_IT = frozenset({"it", "them", "this", "that"})
_LONGEST_STATE, _LONGEST_ID = 24, 40
_YOU = "you"
_AWHILE = 6
"""Turns for which a sign or a distraction holds."""
_CHANGES = ("change", "put", "take")
_FLEETING = {"distract": "distracted", "signal": "signalled", "teach": "taught"}
"""What someone is for whom a deed of the kind was done."""


class ReadDeed:
    """One deed and what its words say of the outcome."""

    def __init__(
        self, hearing: Hearing, ear: OutcomeEar, chance: Chance, least: float = LIKELY_STATE
    ) -> None:
        """`least` is the share from which on a state is taken."""
        self._least = least
        whole = WordRun(0, len(hearing.typed.tokens))
        nothing = WordRun(whole.last, whole.last)
        clause = DeedClause(hearing, "", "", nothing, (), whole, nothing)
        self._deed = Deed(clause, chance)
        self._heard = ear.read_outcome(hearing.typed.text)
        self._kind = _likeliest(self._heard.kinds)

    @property
    def text(self) -> str:
        """The deed as it was typed."""
        return self._deed.clause.text

    @property
    def _typed(self) -> str:
        """All that was typed: what stretches point into."""
        return self._deed.clause.hearing.typed.text

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
    def stays(self) -> bool:
        """Whether nobody goes anywhere by it."""
        return not (self._kind == "put" and _likeliest(self._heard.subjects) == "me")

    @property
    def is_told(self) -> bool:
        """Whether the words tell a deed and are not said themselves: `bet Orla a coin`."""
        hearing, verb = self._deed.clause.hearing, self._run(self._heard.of("verb"))
        tokens = hearing.typed.tokens
        if verb is None or any(token.kind == "quote" for token in tokens):
            return False
        first = 1 if tokens[0].plain == "i" else 0
        known = hearing.verbs.at(hearing.typed, first, len(tokens))
        return verb.first == first and (known is None or known.action not in SPEECH)

    def promise(self) -> dict[str, Any] | None:
        """A word given, where the words plainly give one."""
        if self._kind != "promise" or self.sure < LIKELY_PROMISE:
            return None
        whom = self._person()
        said = self.text
        text = f"You gave {f'{whom.name} ' if whom else ''}your word: “{said}”"
        new = {"id": slug(said)[:_LONGEST_ID], "to": whom.id if whom else "", "text": text}
        effects: Effects = [{"promise": new}, *self._trust(whom)]
        return self._deed.simply("promise", effects) | {"minutes": 0}

    def said_to_someone(self) -> dict[str, Any] | None:
        """What someone is for words that plainly please them: challenged, flattered, comforted."""
        whom = self._subject()
        state, share = next(iter(self._heard.states.items()), ("", 0.0))
        pleased = self._heard.moods.get("better", 0.0) >= LIKELY_WORDS
        plain = self._kind == "change" and self.sure >= LIKELY_WORDS and share >= _SAID
        if whom is None or whom.kind != "person" or not (pleased and plain):
            return None
        effects = [*become(whom, state, _so(whom, [state])), *self._trust(whom)]
        told = (as_told(self.text) or self._in_short()) if self.is_told else ""
        line = f"{told} {_so(whom, [state])}".strip()
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
            return self._done_to_someone(_FLEETING[self._kind])
        if self._kind not in _CHANGES:
            return None
        subject = self._subject()
        if subject is None or (subject.kind == "person" and not self._may_be_done_to(subject)):
            return None
        return self._changed(subject)

    def _may_be_done_to(self, whom: Sighted) -> bool:
        """What is done to someone is welcome, or against them so that dice decide; whatever else
        they may think of it is theirs to say."""
        against = _likeliest(self._heard.risks) == "person"
        plain = next(iter(self._heard.states.values()), 0.0) >= _PLAINLY
        return bool(self._trust(whom)) or (against and plain)

    def _changed(self, subject: Sighted) -> dict[str, Any] | None:
        states = self._states(subject)
        spot = self._spot() if self._kind == "put" else ""
        if self._kind == "take" and subject.kind == "scenery":
            return self._taken(subject)
        effects: Effects = []
        if self._kind == "put" and not spot and (subject.kind == "mine" or subject.name == _YOU):
            return None  # it is still one's own, and one may go there by other rules
        if spot and subject.kind in ("thing", "scenery", "mine"):
            text = _so(subject, [spot])
            effects = [
                *subject.effects(),
                {"put": {"item": subject.id, "spot": spot, "text": text}},
            ]
        elif spot:
            states = [spot, *states][:_MOST_STATES]
        for state in states:
            effects += become(subject, state, _so(subject, [state]))
        told = [spot, *states] if spot and subject.id != PLAYER else states
        if not effects:
            return None
        return self._ruled(_once(effects), _so(subject, told), self._person(subject))

    def _taken(self, thing: Sighted) -> dict[str, Any]:
        """Part of the place that one has in one's hands now."""
        text = f"You have {thing.told} now."
        return self._ruled(become(thing, "taken", text), text, self._person())

    def _done_to_someone(self, state: str) -> dict[str, Any] | None:
        whom = self._person() or self._subject()
        if whom is None or whom.kind in ("own", "mine"):
            return None
        turns = 0 if state == "taught" else _AWHILE
        effects = become(whom, state, _so(whom, [state]), turns)
        return self._ruled(effects, _so(whom, [state]), whom if whom.kind == "person" else None)

    def _ruled(self, effects: Effects, so: str, whom: Sighted | None) -> dict[str, Any]:
        reading = self.text
        effects = [*effects, *self._trust(whom)]
        line = f"{as_told(reading) or self._in_short()} {so}".strip()
        risk = _likeliest(self._heard.risks)
        on: dict[str, Any] = {"success": {"effects": effects, "line": line}}
        ruling: dict[str, Any] = {"reading": reading, "on": on}
        if risk == "none" or (risk == "hard" and whom is None):
            return ruling
        on["failure"] = {"effects": [], "line": "It does not go as you meant it to."}
        return ruling | {
            "needs_roll": True,
            "stat": "charm" if whom else "finesse",
            "difficulty": 1,
        }

    def _in_short(self) -> str:
        """The heart of a long deed told back: from its verb to what is changed."""
        verb, on = self._heard.of("verb"), self._heard.of("on")
        if verb is None or on is None or on.start < verb.end:
            return ""
        heart = self._typed[verb.start : on.end]
        return "" if _is_cut(heart) else as_told(heart)

    def agrees_with(self, given: dict[str, Any]) -> bool:
        """Whether another ruling's conditions are among what its words may bring about; where the
        words say little, anything is. Dice are for what can go wrong."""
        likely = next(iter(self._heard.states.values()), 0.0)
        effects = given["on"]["success"]["effects"]
        conditions = {effect["become"]["condition"] for effect in effects if "become" in effect}
        may_be = [state for state, share in self._heard.states.items() if share >= _MAY_BE]
        read = set(lemmas(" ".join([*may_be, _FLEETING.get(self._kind, "")])))
        if not conditions or any(set(lemmas(condition)) & read for condition in conditions):
            return True
        return likely < _PLAINLY and not (given.get("needs_roll") and self.is_safe)

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
        done = self._done() if subject.name != _YOU else ""
        states = [done] if done and _may_be_said(done, subject) else []
        for state, share in self._heard.states.items():
            enough = share >= (SECOND_STATE if states else self._least)
            new = not any(set(lemmas(state)) & set(lemmas(other)) for other in states)
            if enough and new and _may_be_said(state, subject):
                states.append(state)
        return [state for state in states if len(state) <= _LONGEST_STATE][:_MOST_STATES]

    def _done(self) -> str:
        """The verb's participle, where what is changed stands right behind the verb."""
        verb, on = self._heard.of("verb"), self._heard.of("on")
        if verb is None or on is None or on.start < verb.end or min(verb.sure, on.sure) < _PLAIN:
            return ""
        between = self._typed[verb.end : on.start].lower().split()
        particle = [word for word in between if word in word_class("deed_particles")]
        rest = [word for word in between if word not in particle]
        done, *more = self._typed[verb.start : verb.end].lower().split()
        plain = done.isalpha() and base_form(done) not in word_class("light_verbs")
        if not plain or any(word not in word_class("determiners") for word in rest):
            return ""
        return " ".join([participle(done), *more, *particle[:1]])

    def _subject(self) -> Sighted | None:
        """What is changed, if it is in sight."""
        subject = _likeliest(self._heard.subjects)
        if subject == "me" and self._kind != "take":
            return Sighted("own", PLAYER, _YOU)
        if subject != "named":
            return None
        for span in self._heard.all_of("on"):
            if self._is_bare_pronoun(span):
                continue
            found = self._deed.sight.person(self._run(span)) or self._deed.sight.of(self._run(span))
            if found and found.kind == "own" and not found.id:
                return Sighted("own", PLAYER, found.name)
            if found:
                return found
        return None

    def _is_bare_pronoun(self, span: OutcomeSpan) -> bool:
        """`it`, where nothing before it in the same words says what."""
        before = [other for other in self._heard.all_of("on") if other.end <= span.start]
        return self._typed[span.start : span.end].lower() in _IT and not before

    def _person(self, subject: Sighted | None = None) -> Sighted | None:
        """Whom it concerns."""
        if subject and subject.kind == "person":
            return subject
        for role in ("who", "on"):
            found = self._deed.sight.person(self._run(self._heard.of(role)))
            if found:
                return found
        return None

    def _spot(self) -> str:
        """Where it is afterwards, as the game master says it: somewhere in sight, and on no way
        out."""
        span = self._heard.of("where")
        there = self._deed.sight.of(self._run(span))
        if span is None or there is None or there.kind not in ("scenery", "thing"):
            return ""
        first, *rest = turned(self._typed[span.start : span.end]).split()
        spot = " ".join([_RESTING.get(first.lower(), first), *rest])
        fits = rest and not _is_cut(spot) and len(spot) <= _LONGEST_STATE
        return spot if fits and first.lower() not in _GOING else ""

    def _run(self, span: OutcomeSpan | None) -> WordRun | None:
        """The tokens of a stretch."""
        if span is None:
            return None
        tokens = self._deed.clause.hearing.typed.tokens
        within = [
            at for at, one in enumerate(tokens) if one.start < span.end and span.start < one.end
        ]
        return WordRun(within[0], within[-1] + 1) if within else None


def _likeliest(chances: dict[str, float]) -> str:
    return max(chances, key=lambda name: chances[name]) if chances else ""


def _is_cut(words: str) -> bool:
    """Whether a stretch ends before its noun."""
    last = words.split()[-1].lower()
    return last in word_class("determiners") or last in word_class("deed_places")


def _may_be_said(state: str, subject: Sighted) -> bool:
    """Whether a ruling may bring a state about: no lock is opened by it, and nobody is `on`."""
    of_things = state in word_class("deed_particles") and subject.kind in ("own", "person")
    return not of_things and state not in guarded_words()


def _so(subject: Sighted, states: list[str]) -> str:
    """The sentence that says what is so."""
    name = subject.told
    many = subject.kind != "person" and is_plural(name)
    are = "are" if name == _YOU or many else "is"
    return f"{name[:1].upper()}{name[1:]} {are} {listed(states)}."


def _once(effects: Effects) -> Effects:
    """Each effect once: what is lifted out of the scenery for one state is there for the next."""
    kept: Effects = []
    for effect in effects:
        if effect not in kept:
            kept.append(effect)
    return kept

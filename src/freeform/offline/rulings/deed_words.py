"""The words of a deed and the stretches a reader found in them: its verb, what it is done to, and
where that is afterwards."""

from functools import cached_property

from freeform.core.chance import Chance
from freeform.core.text import shorten
from freeform.engine.world.state import PLAYER
from freeform.language.forms import base_form, participle
from freeform.language.meaning.outcome import OutcomeEar, OutcomeHeard, OutcomeSpan
from freeform.language.words import word_class
from freeform.offline.grammar import turned
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.referee.families import SPEECH
from freeform.offline.rulings.clause import DeedClause, WordRun, deed_clauses
from freeform.offline.rulings.deed import Deed
from freeform.offline.rulings.money import any_thing
from freeform.offline.rulings.state_sentences import is_cut

PLAIN = 0.6
"""How sure verb and object must be for the verb to say what was done."""
LONGEST_STATE = 24
_RESTING = {"onto": "on", "into": "in", "upon": "on"}
_GOING = frozenset({"to", "toward", "towards", "from", "through", "off"})
"""Words that say where something goes, and not where it is."""
_IT = frozenset({"it", "them", "this", "that"})
_NO_PLACE = frozenset({"with", "for", "from", "as", "by", "to", "off"})
"""What stands behind a thing and says nothing of where it is."""
_LONGEST_NAME, _LONGEST_TEXT = 3, 120


class DeedWords:
    """One deed as it was typed and read."""

    def __init__(self, hearing: Hearing, ear: OutcomeEar, chance: Chance) -> None:
        whole = WordRun(0, len(hearing.typed.tokens))
        nothing = WordRun(whole.last, whole.last)
        clause = DeedClause(hearing, "", "", nothing, (), whole, nothing)
        self._deed, self._chance = Deed(clause, chance, ear), chance
        self._ear = ear

    @cached_property
    def _heard(self) -> OutcomeHeard:
        """What the reader says of the outcome: asked for when something hangs on it."""
        return self._ear.read_outcome(self._typed)

    @cached_property
    def _kind(self) -> str:
        return max(self._heard.kinds, key=self._heard.kinds.__getitem__, default="")

    @property
    def text(self) -> str:
        """The deed as it was typed."""
        return self._deed.clause.text

    @property
    def _typed(self) -> str:
        """All that was typed: what stretches point into."""
        return self._deed.clause.hearing.typed.text

    def clauses_of(self, kind: str) -> list[Deed]:
        """Its clauses whose verb proposes a kind of deed."""
        hearing = self._deed.clause.hearing
        deeds = (Deed(clause, self._chance) for clause in deed_clauses(hearing))
        return [deed for deed in deeds if deed.is_of(kind)]

    def made_by_verb(self) -> str:
        """The name of what a verb makes that means nothing else; '' for any other."""
        things = (
            any_thing(deed, deed.clause.object)
            for deed in self.clauses_of("make")
            if deed.clause.verb not in word_class("light_verbs")
        )
        return next((str(thing["name"]) for thing in things if thing), "")

    @property
    def is_told(self) -> bool:
        """Whether the words tell a deed and are not said themselves: `bet Orla a coin`."""
        return self.begins_with_none_of(SPEECH)

    def begins_with_none_of(self, actions: frozenset[str]) -> bool:
        """Whether the words begin with the deed's own verb, no clause of them begins with a verb
        that the rules know as one of those actions, and nothing is quoted."""
        hearing = self._deed.clause.hearing
        tokens = hearing.typed.tokens
        if not tokens or any(token.kind == "quote" for token in tokens):
            return False
        first = 1 if tokens[0].plain == "i" else 0
        clauses = {first, *(clause.whole.first for clause in deed_clauses(hearing))}
        known = [hearing.verbs.at(hearing.typed, at, len(tokens)) for at in sorted(clauses)]
        if any(one and one.action in actions for one in known):
            return False
        verb = self._run(self._heard.of("verb"))
        return verb is not None and verb.first == first

    @property
    def only_uses(self) -> bool:
        """Whether the verb says no more than that something is used."""
        verb = self._heard.of("verb")
        said = self._typed[verb.start : verb.end].lower() if verb else ""
        return base_form(said) == "use"

    @property
    def _places(self) -> bool:
        """Whether it is most likely a putting somewhere."""
        kinds = self._heard.kinds
        return bool(kinds) and max(kinds, key=lambda kind: kinds[kind]) == "put"

    def _done(self) -> str:
        """The verb's participle, where what is changed stands right behind the verb."""
        verb, on = self._heard.of("verb"), self._heard.of("on")
        if verb is None or on is None or on.start < verb.end or min(verb.sure, on.sure) < PLAIN:
            return ""
        if self._places and self._heard.of("where") is None:
            return ""
        between = self._typed[verb.end : on.start].lower().split()
        particle = [word for word in between if word in word_class("deed_particles")]
        rest = [word for word in between if word not in particle]
        done, *more = self._typed[verb.start : verb.end].lower().split()
        plain = done.isalpha() and base_form(done) not in word_class("light_verbs")
        known = all(word in word_class("deed_particles") for word in more)  # no `sprinkle ash`
        if not (plain and known) or any(word not in word_class("determiners") for word in rest):
            return ""
        return " ".join([participle(done), *more, *particle[:1]])

    def _head(self, span: OutcomeSpan) -> WordRun | None:
        """What a stretch names first: of `a candle on the bar`, the candle."""
        run = self._run(span)
        if run is None:
            return None
        said = self._deed.clause.plain_words(run)
        small = word_class("determiners") | word_class("deed_places")
        first = next((at for at, word in enumerate(said) if word not in small), len(said))
        for at in range(first + 1, len(said)):
            if said[at] in word_class("deed_places") and said[at] != "of":
                return WordRun(run.first, run.first + at)
        return run

    def is_any(self, span: OutcomeSpan) -> bool:
        """Whether it is any of its kind, and none that was there before: `a torch`."""
        first = self._typed[span.start : span.end].lower().split()[:1]
        return bool(set(first) & word_class("any_of_a_kind"))

    def named_by(self, span: OutcomeSpan) -> str:
        """What a stretch calls a thing, without what points at it or joins it to the rest."""
        run = self._head(span)
        said = self._deed.clause.plain_words(run) if run else []
        ends = word_class("deed_places") | word_class("deed_ends") | {"of"}
        kept = [word for word in said if word not in word_class("determiners")]
        cut = next((at for at, word in enumerate(kept) if word in ends or not word.isalpha()), None)
        return " ".join(kept[:cut]) if len(kept[:cut]) <= _LONGEST_NAME else ""

    def done_by_verb(self) -> str:
        """What something is that was done by the verb alone: built, carved."""
        verb = self._heard.of("verb")
        said = self._typed[verb.start : verb.end].lower() if verb else ""
        return participle(base_form(said)) if said.isalpha() else ""

    def is_put_somewhere(self, on: OutcomeSpan) -> bool:
        """Whether a place stands right behind the thing, and no verb of making before it: `wedge a
        coin in the clockwork` leaves it there."""
        behind = self._typed[on.end :].split()[:1]
        placed = bool(behind) and behind[0].lower() in word_class("deed_places") - _NO_PLACE
        return placed and not self.clauses_of("make")

    def described(self, on: OutcomeSpan) -> str:
        """What was made, as it was said: `A note saying CLOSED, of your own making.`"""
        said = turned(self._typed[on.start :].partition(".")[0].strip(" ,;:!"))
        return f"{said[:1].upper()}{shorten(said[1:], _LONGEST_TEXT)}, of your own making."

    def plainly_told(self, on: OutcomeSpan) -> str:
        """The deed in short: its verb and what it is done to."""
        verb = self._heard.of("verb")
        said = base_form(self._typed[verb.start : verb.end].lower()) if verb else "make"
        return f"You {said} {turned(self._typed[on.start : on.end])}."

    @property
    def can_be_told(self) -> bool:
        """Whether it is told back as something one does: no question, no exclamation."""
        return bool(self._deed.told_back())

    def may_use(self, id: str) -> bool:
        """Whether it is a thing of one's own that the words name, or somebody wrote what comes of
        using it."""
        hearing = self._deed.clause.hearing
        named = any(mention.best().id == id for mention in hearing.mentions)
        rows = hearing.packet.inventory
        held = any(row.get("item_id") == id and row.get("owner_id") == PLAYER for row in rows)
        return (named and held) or any(offer.target_id == id for offer in hearing.offers)

    def _is_bare_pronoun(self, span: OutcomeSpan) -> bool:
        """`it`, where nothing before it in the same words says what."""
        before = [other for other in self._heard.all_of("on") if other.end <= span.start]
        return self._typed[span.start : span.end].lower() in _IT and not before

    def _spot(self) -> str:
        """Where it is afterwards, as the game master says it: somewhere in sight, and on no way
        out."""
        span = self._heard.of("where")
        there = self._deed.sight.of(self._run(span))
        if span is None or there is None or there.kind not in ("scenery", "thing"):
            return ""
        first, *rest = turned(self._typed[span.start : span.end]).split()
        spot = " ".join([_RESTING.get(first.lower(), first), *rest])
        small = word_class("deed_places") | word_class("deed_particles")
        placed = first.lower() in small
        fits = placed and rest and not is_cut(spot) and len(spot) <= LONGEST_STATE
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

"""What someone makes of what they are told: which fact it is, if any, what that is to them, and how
they take it. What nobody can check is taken warily; what they keep back themselves stings.

    words ─> what is done by them (news, accusation, offer, request, apology …)
          ─> the fact they state, of those the player knows or the listener keeps
          ─> theirs: shaken, stung · known to them · touching them · news · a mere claim
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from freeform.engine.authored.scenario import Knowledge, Withheld
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import KNOWING, is_yes_or_no
from freeform.engine.minds.reply import who_might_know
from freeform.engine.world.names import is_named, words
from freeform.engine.world.state import PLAYER, Fact
from freeform.language.inflection import lemma

SURE, PLAINLY = 0.45, 0.8
"""How likely words must be of a kind to be taken as such, else they are a claim; and a question, to
accuse."""
STATED = 0.36
"""How well words must fit a fact to state it: half by meaning, half by the words they share."""
TOLD_OF = "told_of:"
"""What someone has learnt from the player, as the first word of its predicate."""
NEWS, ACCUSED, ASKED, CLAIM = "news", "accuse", "ask", "claim"
_PLAIN = ("sorry", "thanks", "mine", "small", "threat")
"""What is answered by how someone stands to the speaker alone."""


@dataclass(frozen=True)
class TakenAs:
    """How someone takes what they are told."""

    answer: SpokenAnswer
    fact: str = ""
    """The id of the fact that was stated."""
    kept: Withheld | None = None
    """What they keep back of it themselves."""
    known: Knowledge | None = None
    """What they have to say of it themselves."""
    wins: bool = False
    """It was worth something to them to learn it."""


def done_by(mind: AskedMind) -> str:
    """What is done by telling them that; a claim where nothing is sure."""
    sense = mind.asked.rules.sense
    said = mind.asked.text if mind.asked.is_reported else mind.asked.bare
    kinds = sense.told_as(said) if sense else {}
    likeliest = max(kinds, key=lambda kind: kinds[kind], default=CLAIM)
    if likeliest == ACCUSED and not mind.asked.is_to_them:
        return NEWS  # `somebody did this with a knife` accuses another
    return likeliest if kinds.get(likeliest, 0.0) >= SURE else CLAIM


def accuses(mind: AskedMind) -> bool:
    """Whether a question for a yes or a no says that they did it: `was it you?`"""
    sense = mind.asked.rules.sense
    if sense is None or not is_yes_or_no(mind.asked.bare):
        return False
    is_sure = sense.told_as(mind.asked.bare).get(ACCUSED, 0.0) >= PLAINLY
    return is_sure and mind.asked.kinds.get(KNOWING, 0.0) < SURE


def take(mind: AskedMind) -> TakenAs:
    """How they take it."""
    kind = done_by(mind)
    stated = StatedFact(mind)
    if kind in (NEWS, CLAIM, ACCUSED, "threat") and stated.fact is not None:
        return _taken(stated)
    if kind == ACCUSED:
        return TakenAs(SpokenAnswer(ACCUSED, "kept" if mind.kept else "open"))
    if kind == "offer":
        return TakenAs(SpokenAnswer("offer", "kept" if mind.kept else "open"))
    if kind == "request":
        return TakenAs(SpokenAnswer("favour", "warm" if mind.stance == "warm" else "plain"))
    if kind in _PLAIN:
        return TakenAs(SpokenAnswer(kind, mind.stance if kind == "sorry" else ""))
    return TakenAs(SpokenAnswer(NEWS if kind == NEWS else CLAIM, "claim", _matter(mind, kind)))


def _taken(stated: "StatedFact") -> TakenAs:
    """How they take a fact that is put to them."""
    mind, fact = stated.mind, stated.fact
    assert fact is not None
    if mind.state.value(mind.who, f"{TOLD_OF}{fact.id}"):
        return TakenAs(SpokenAnswer(NEWS, "again"), fact.id)
    is_proved = fact.visibility == "known"
    kept = next((kept for kept in mind.kept if fact.id in kept.reveals), None)
    if kept is not None:
        return TakenAs(SpokenAnswer("own", "shaken" if is_proved else "stung"), fact.id, kept)
    if fact.subject_id == mind.who:
        return TakenAs(SpokenAnswer("own", "owned"), fact.id)
    known = next((k for k in mind.person.knows if fact.id in k.reveals), None)
    if known is not None:
        return TakenAs(SpokenAnswer(NEWS, "shared"), fact.id, known=known)
    text = str(fact.object.get("text") or "")
    how = "touched" if is_named(mind.who, text, mind.state) else "fresh"
    return TakenAs(SpokenAnswer(NEWS, how, _matter(mind)), fact.id, wins=True)


def _matter(mind: AskedMind, kind: str = NEWS) -> dict[str, str]:
    """What they take up of it: whom or what it names, the words themselves where they can be said
    as they stand, and of news who might know."""
    says = {"echo": mind.asked.echo} if mind.asked.echo else {}
    about = mind.heard_of
    if about:
        says["about"] = about
    pointer = who_might_know(mind) if kind == NEWS else ""
    return {**says, "pointer": pointer} if pointer else says


@dataclass(frozen=True)
class StatedFact:
    """Which fact words state, of those the player has learnt in play and those the listener keeps
    back; what everybody knew from the start is no finding."""

    mind: AskedMind

    @cached_property
    def fact(self) -> Fact | None:
        """The fact; None where the words state none that is known."""
        sense = self.mind.asked.rules.sense
        facts = list(self._candidates())
        if sense is None or not facts:
            return None
        texts = [str(fact.object["text"]) for fact in facts]
        near = sense.near(self._said, texts)
        fits = [
            (round((close + self._shared(fact)) / 2, 3), fact.id)
            for close, fact in zip(near, facts, strict=False)
            if self._shared(fact)
        ]
        fit, best = max(fits, default=(0.0, ""))
        return self.mind.state.facts[best] if fit >= STATED else None

    @cached_property
    def _said(self) -> str:
        """The words, with the listener's name for `you`."""
        return f"{self.mind.asked.text} {self.mind.state.name(self.mind.who)}"

    def _candidates(self) -> Iterator[Fact]:
        own = {id for kept in self.mind.kept for id in kept.reveals}
        for fact in self.mind.state.facts.values():
            is_found = fact.visibility == "known" and fact.discovered_turn is not None
            is_open = is_found or fact.id in own
            if is_open and fact.subject_id != PLAYER and fact.object.get("text"):
                yield fact

    def _shared(self, fact: Fact) -> float:
        """How much of what was said is in the fact, or in what is asked about it; a name alone is
        no statement."""
        said = frozenset(map(lemma, self.mind.asked.telling))
        names = frozenset(map(lemma, words(" ".join(self._names))))
        found = words(str(fact.object["text"])) | self._topics(fact.id)
        shared = said & frozenset(map(lemma, found))
        return len(shared) / len(said) if shared - names else 0.0

    @cached_property
    def _names(self) -> list[str]:
        return [self.mind.state.name(id) for id in self.mind.asked.about]

    def _topics(self, fact: str) -> frozenset[str]:
        """The words by which people are asked for a fact, and where it is found."""
        scenario = self.mind.asked.rules.scenario
        named = list[str]()
        for person in scenario.people.values():
            for known in (*person.knows, *person.withholds):
                named += known.topics if fact in known.reveals else []
        for found in scenario.discoverables:
            reveals = (effect.reveal for effect in found.effects)
            named += [*found.words, *found.content] if fact in reveals else []
        for place in scenario.places.values():
            for detail in place.details:
                named += [detail.name, *detail.aliases] if fact in detail.reveals else []
        return words(" ".join(named))

"""What someone makes of what they are told: which fact it is, if any, what that is to them, and how
they take it. What nobody can check is taken warily; what they keep back themselves stings.

    words ─> what is done by them (news, accusation, offer, request, apology …)
          ─> the fact they state, of those the player knows or the listener keeps
          ─> known to them · touching them · news · a mere claim
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from freeform.engine.authored.scenario import Knowledge
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import KNOWING, is_of_what_they_did, is_yes_or_no
from freeform.engine.minds.reply import who_might_know
from freeform.engine.world.names import is_named, words
from freeform.engine.world.state import PLAYER, Fact
from freeform.language.forms import is_over
from freeform.language.inflection import lemma

SURE, PLAINLY = 0.45, 0.8
"""How likely words must be of a kind to be taken as such, else they are a claim; and a question, to
accuse."""
STATED = 0.36
"""How well words must fit a fact to state it: half by meaning, half by the words they share."""
TOLD_OF = "told_of:"
"""What someone has learnt from the player, as the first word of its predicate."""
NEWS, ACCUSED, ASKED, CLAIM, OFFER = "news", "accuse", "ask", "claim", "offer"
_OFFERED, _INSULTED = 0.65, 0.6
"""How likely a question must be to offer something; and words, to insult."""
_MAY_CHARGE = 0.3
"""How likely words that say what they did must be to accuse, where they touch what was hidden."""
_PLAIN = ("sorry", "thanks", "mine", "small", "threat")
"""What is answered by how someone stands to the speaker alone."""


@dataclass(frozen=True)
class TakenAs:
    """How someone takes what they are told."""

    answer: SpokenAnswer
    fact: str = ""
    """The id of the fact that was stated."""
    known: Knowledge | None = None
    """What they have to say of it themselves."""
    wins: bool = False
    """It was worth something to them to learn it."""


def done_by(mind: AskedMind) -> str:
    """What is done by telling them that; a claim where nothing is sure."""
    sense = mind.asked.rules.sense
    asked = mind.asked
    kinds = sense.told_as(asked.text if asked.is_reported else asked.nameless) if sense else {}
    likeliest = max(kinds, key=lambda kind: kinds[kind], default=CLAIM)
    if likeliest == ACCUSED and not mind.asked.is_to_them:
        return NEWS  # `somebody did this with a knife` accuses another
    if likeliest == NEWS and says_they_did(asked.bare):
        return ACCUSED
    sure = _INSULTED if likeliest == "insult" else SURE
    if likeliest == ACCUSED and says_they_did(asked.bare) and not mind.touched:
        sure = PLAINLY  # `you drank a lot` is no matter of the story
    return likeliest if kinds.get(likeliest, 0.0) >= sure else CLAIM


def says_they_did(said: str) -> bool:
    """Whether words say of the one who hears them what they did: `you wrote it to stop him`."""
    first = [word.lower() for word in said.split()[:2]]
    return len(first) > 1 and first[0] == "you" and is_over(first[1])


def charges(mind: AskedMind) -> bool:
    """Whether they are told to their face that they did something of what was hidden."""
    sense = mind.asked.rules.sense
    if sense is None or not mind.touched or not says_they_did(mind.asked.bare):
        return False
    return sense.told_as(mind.asked.bare).get(ACCUSED, 0.0) >= _MAY_CHARGE


def accuses(mind: AskedMind) -> bool:
    """Whether a question for a yes or a no says that they did it: `was it you?`"""
    sense = mind.asked.rules.sense
    if sense is None or not is_yes_or_no(mind.asked.bare):
        return False
    is_sure = sense.told_as(mind.asked.bare).get(ACCUSED, 0.0) >= PLAINLY
    of_them = is_of_what_they_did(mind.asked.bare)
    return is_sure and (of_them or mind.asked.kinds.get(KNOWING, 0.0) < SURE)


def offers(mind: AskedMind) -> bool:
    """Whether a question is an offer all the same, or asks for one: `if I find him, will you tell
    me?`, `what would it take?`"""
    sense = mind.asked.rules.sense
    kinds = sense.told_as(mind.asked.bare) if sense else {}
    if mind.asked.kinds.get("price", 0.0) >= SURE and not mind.kept:
        return False  # `what would it take?` asks for nothing they have
    asks_price = mind.asked.kinds.get("price", 0.0) >= PLAINLY
    return kinds.get(OFFER, 0.0) >= _OFFERED or asks_price


def plainly(mind: AskedMind) -> str:
    """What is done by words that end as a question and are none: `I take it back. Peace?`"""
    sense = mind.asked.rules.sense
    kinds = sense.told_as(mind.asked.nameless) if sense else {}
    likeliest = max(kinds, key=lambda kind: kinds[kind], default=ASKED)
    return likeliest if kinds.get(likeliest, 0.0) >= PLAINLY else ""


def take(mind: AskedMind) -> TakenAs:
    """How they take it."""
    kind = done_by(mind)
    stated = StatedFact(mind)
    if kind in (NEWS, CLAIM, ACCUSED, "threat") and stated.fact is not None:
        return _taken(stated)
    if kind == ACCUSED:
        return TakenAs(SpokenAnswer(ACCUSED, "kept" if is_guilty(mind) else "open"))
    if kind == "request":
        return TakenAs(SpokenAnswer("favour", "warm" if mind.stance == "warm" else "plain"))
    if kind in _PLAIN:
        return TakenAs(SpokenAnswer(kind, mind.stance if kind == "sorry" else ""))
    return TakenAs(SpokenAnswer(NEWS if kind == NEWS else CLAIM, "claim", _matter(mind, kind)))


def is_guilty(mind: AskedMind) -> bool:
    """Whether they keep back something of their own."""
    own = (fact for kept in mind.kept for fact in kept.reveals)
    facts = mind.state.facts
    return any(id in facts and facts[id].subject_id == mind.who for id in own)


def _taken(stated: "StatedFact") -> TakenAs:
    """How they take a fact that is put to them."""
    mind, fact = stated.mind, stated.fact
    assert fact is not None
    if mind.state.value(mind.who, f"{TOLD_OF}{fact.id}"):
        return TakenAs(SpokenAnswer(NEWS, "again"), fact.id)
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

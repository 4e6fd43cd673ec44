"""Which of the things someone knows or keeps back answers a question: by its words, held against
its meaning; or by its meaning alone, with a margin. What is near nothing is answered by nothing.

    a topic's words were said ─┬─ as a phrase, a name, or most of the question ─> it is meant
                               └─ a stray word ─> only if its meaning is near too
    no topic's words were said ─> the nearest by meaning, if it is near enough and apart from others
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from freeform.engine.authored.scenario import Knowledge
from freeform.engine.minds.question import KNOWING, AskedOfSomeone
from freeform.engine.world.names import names_of, overlap, words
from freeform.engine.world.state import GameState

K = TypeVar("K", bound=Knowledge)
NEAR, APART = 0.54, 0.12
"""How near a thing must be by meaning alone, and how much nearer than the middle of what else the
person could say."""
FAR_APART = 0.08
"""So much less near will do where nothing else is within twice as much."""
NOT_FAR = 0.3
"""How near a thing must be whose word was said by the way."""
BEARS = 0.4
"""How near a thing must be that bears on a matter and does not answer it."""
PERSONAL = 0.45
"""How likely a question must be after something else than knowledge for NEAR to be raised."""
_STRICTER = 0.16
_OF_THEMSELVES = frozenset({KNOWING, "self", "past", "view", "where", "doing"})
"""Kinds of question that something someone knows may well answer."""
_MOST = 0.5
_ABOUT = "what about "


@dataclass(frozen=True)
class TopicFit:
    """How well something someone knows fits a question."""

    said: int
    """How many words of its topics were said."""
    plainly: bool
    """They were said as what the question is about."""
    near: float
    """How near its meaning is; 0 where nothing can tell."""


def texts_of(known: Knowledge, state: GameState) -> list[str]:
    """What a thing someone knows is about, in words: its topics, its lines, the facts in it."""
    facts = (state.facts[id] for id in known.reveals if id in state.facts)
    revealed = [str(fact.object.get("text") or "") for fact in facts]
    phrases = [f"{_ABOUT}{topic}" if len(topic.split()) < 4 else topic for topic in known.topics]
    return [text for text in (*phrases, known.says[0].strip(), *revealed) if text]


def matches(asked: AskedOfSomeone, options: Sequence[K]) -> list[TopicFit]:
    """Each option's fit, in order."""
    sense = asked.rules.sense
    texts = [texts_of(option, asked.state) for option in options]
    flat = [text for some in texts for text in some]
    near = sense.near(asked.text, flat) if sense and flat else []
    found: list[TopicFit] = []
    first = 0
    for option, some in zip(options, texts, strict=True):
        own = near[first : first + len(some)]
        first += len(some)
        said = overlap(asked.said, option.topics)
        plainly = bool(said) and (not near or _is_plain(asked, option))
        if near and not plainly:
            own = _without_said(own, some, asked)
            own = own if _speaks_of_named(asked, some) and not option.effects else []
        found.append(TopicFit(said, plainly, max(own, default=0.0)))
    return found


def _without_said(
    near: Sequence[float], texts: Sequence[str], asked: AskedOfSomeone
) -> list[float]:
    """How near the texts are that were not themselves said: a stray word is near to itself."""
    heard = words(asked.said)
    return [
        close
        for close, text in zip(near, texts, strict=True)
        if not words(text.removeprefix(_ABOUT)) <= heard
    ]


def _speaks_of_named(asked: AskedOfSomeone, texts: Sequence[str]) -> bool:
    """Whether someone or something is spoken of that the question names, if it names any."""
    said = words(" ".join(texts))
    names: list[str] = []
    for id in asked.about:
        names += names_of(asked.state.entities[id])
    return not names or any(words(name) <= said for name in names)


def choose(
    asked: AskedOfSomeone,
    options: Sequence[K],
    told: Sequence[bool],
    beside: Sequence[Knowledge] = (),
) -> K | None:
    """The option that answers; of equals what was not told yet. None where nothing does. `beside`
    is what else they could say: what is chosen must stand apart from that too."""
    fits = matches(asked, options)
    rest = [fit.near for fit in matches(asked, beside)]
    best: K | None = None
    most = (0.0, 0.0, False)
    for number, (option, fit, again) in enumerate(zip(options, fits, told, strict=True)):
        others = [*rest, *(other.near for at, other in enumerate(fits) if at != number)]
        if not _answers(fit, others, asked):
            continue
        worth = (float(fit.said) if fit.plainly else 0.0, round(fit.near, 1), not again)
        if best is None or worth > most:
            best, most = option, worth
    return best


def _answers(fit: TopicFit, others: Sequence[float], asked: AskedOfSomeone) -> bool:
    """Whether it may be told: `others` are how near the rest is that the person could say."""
    if fit.plainly:
        return True
    if asked.kind == "self" and not asked.telling:  # `who are you?` has one answer
        return False
    wanted = NEAR
    if _is_personal(asked):
        wanted += _STRICTER
    if fit.said and not _is_personal(asked):
        return fit.near >= NOT_FAR
    if fit.near >= wanted:
        return fit.near - (median(others) if others else 0.0) >= APART
    second = max(others, default=0.0)
    return fit.near >= wanted - FAR_APART and fit.near - second >= 2 * FAR_APART


def _is_personal(asked: AskedOfSomeone) -> bool:
    """Whether it is after something else than what a person knows."""
    kind = asked.kind
    return kind not in _OF_THEMSELVES and asked.kinds.get(kind, 0.0) >= PERSONAL


def _is_plain(asked: AskedOfSomeone, option: Knowledge) -> bool:
    """Whether its words were said as what the question is about: a phrase of several, the name of
    someone or something, or most of what was said."""
    heard, telling = words(asked.said), asked.telling
    covered: set[str] = set()
    for topic in option.topics:
        parts = words(topic)
        if parts and parts <= heard:
            covered |= parts
            if len(parts) > 1:
                return True
    own = words(" ".join(names_of(asked.state.entities[asked.who])))
    covered -= own
    if not covered:
        return False
    named = frozenset().union(
        *(words(" ".join(names_of(asked.state.entities[id]))) for id in asked.about)
    )
    if not _is_personal(asked) and covered & named:
        return True
    if _is_personal(asked) and not covered & named:
        return bool(telling) and telling <= covered  # `what did you see`, of what they saw
    return len(covered & telling) >= _MOST * len(telling)


def bearing(asked: AskedOfSomeone, options: Sequence[K]) -> K | None:
    """The option that bears on a matter, though it need not answer: it speaks of whom or what was
    named, or is near by meaning. The nearest of them; what changes the world is told for no less
    than its own question."""
    sense = asked.rules.sense
    texts = [" ".join(texts_of(option, asked.state)) for option in options]
    near = sense.near(asked.text, texts) if sense and texts else []
    best: K | None = None
    most = BEARS
    for option, text, close in zip(options, texts, near, strict=False):
        named = bool(asked.about) and _speaks_of_named(asked, [text])
        worth = close + (BEARS if named else 0.0)
        if worth >= most and not option.effects:
            best, most = option, worth
    return best


def bears_out(asked: AskedOfSomeone, option: Knowledge) -> bool:
    """Whether an option is what someone says to just that, and not only to a word of it: several
    words of one topic were said, or its own lines are near."""
    names = frozenset().union(*(words(asked.state.name(id)) for id in asked.about))
    heard = asked.telling
    for topic in option.topics:
        parts = words(topic) - names
        if len(words(topic)) > 1 and parts and words(topic) <= heard:
            return True
    sense = asked.rules.sense
    near = sense.near(asked.text, list(option.says)) if sense else []
    return max(near, default=0.0) >= NEAR

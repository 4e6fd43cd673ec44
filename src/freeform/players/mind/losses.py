"""What a round took from the party: the story's end, and people who died. Noticed from what the
engine says became so, or from what a game master says."""

import re
from collections.abc import Sequence

from freeform.engine.world.state import GameState
from freeform.language.forms import is_adverb
from freeform.language.sentences import sentences
from freeform.language.words import word_class
from freeform.players.model import RoundRecord, Ruling

_DEAD = frozenset("dead died dies die drowned drowns killed slain murdered deceased corpse".split())
_THE_END = re.compile(
    r"(?:^|[.!?]\s+)(?:the end|(?:and )?(?:so|here|thus|that is how) (?:ends )?(?:the|this|our) (?:story|tale|adventure)"
    r"(?: ends| is over)?|(?:the|this|our) (?:story|tale|adventure|campaign) (?:ends|is over)(?: here)?)[.!]?\s*$",
    re.I,
)


def ending_in(rulings: Sequence[Ruling]) -> str:
    """The title of the ending that the story has come to; '' while it goes on."""
    for ruling in rulings:
        for event in ruling.events:
            if event.get("type") == "ending":
                return str(event.get("title") or event.get("id") or "The end")
        if ruling.by == "human" and _THE_END.search(ruling.text.strip()):
            return "The end"
    return ""


def lost_between(before: GameState, now: GameState) -> list[str]:
    """Names of people of whom something deadly has become so in the meantime."""
    lost = []
    for id, entity in now.entities.items():
        if entity.type not in ("npc", "pc"):
            continue
        known = {fact.id: fact for fact in before.facts_of(id)}
        for fact in now.facts_of(id):
            if fact != known.get(fact.id) and _tells_of_death(entity.name, fact.object):
                lost.append(entity.name)
                break
    return lost


def told_dead(rulings: Sequence[Ruling], names: Sequence[str]) -> list[str]:
    """Whom of these a human game master's words have let die."""
    said = [s for ruling in rulings if ruling.by == "human" for s in sentences(ruling.text)]
    return [name for name in names if any(_is_of(name, s) and _dies(name, s) for s in said)]


def still_dead(rounds: Sequence[RoundRecord]) -> set[str]:
    """Who has died in these rounds and was not told to be alive since: a game master may
    contradict herself, and the last word counts."""
    dead = set[str]()
    for record in rounds:
        said = [s for one in record.rulings.values() for s in sentences(one.text)]
        dead -= {name for name in dead if any(_is_of(name, s) and _lives(s) for s in said)}
        dead |= set(record.lost)
    return dead


def _is_of(name: str, sentence: str) -> bool:
    """Whether a sentence speaks of somebody, by any part of the name but a title."""
    heard = set(_heard(sentence))
    return any(part.strip('"“”').lower() in heard for part in name.split() if len(part) > _SHORT)


def _dies(name: str, sentence: str) -> bool:
    """Whether the sentence says it of them: nothing but little words stand between."""
    if not _tells_of_death(name, {"text": sentence}):
        return False
    heard, own = _heard(sentence), {part.strip('"“”').lower() for part in name.split()}
    little = word_class("auxiliaries") | word_class("being")
    for n, word in enumerate(heard):
        if word in own:
            rest = [w for w in heard[n + 1 :] if w not in little and not is_adverb(w)]
            if rest and rest[0] in _DEAD - {"corpse"}:
                return True
    return False


def _lives(sentence: str) -> bool:
    heard = set(_heard(sentence))
    return bool(heard & _ALIVE) or bool(heard & _DEAD and heard & _DENIED)


def _heard(sentence: str) -> list[str]:
    return [word.strip(".,;:!?\"“”'") for word in sentence.lower().split()]


_ALIVE = frozenset("alive lives living breathes breathing survived survives unhurt".split())
_SHORT = 2


def _tells_of_death(name: str, told: dict[str, object]) -> bool:
    """Whether a fact about somebody says that he is dead: its value does, or a sentence that denies
    nothing, after his name where it has that. `The dead man is not Jin` tells of no such thing."""
    if str(told.get("value", "")).lower() in _DEAD:
        return True
    for sentence in sentences(str(told.get("text", ""))):
        heard = _heard(sentence)
        deaths = [n for n, word in enumerate(heard) if word in _DEAD]
        own = [n for n, word in enumerate(heard) if word in name.lower().split()]
        if deaths and not _DENIED & set(heard) and (not own or own[0] < deaths[-1]):
            return True
    return False


_DENIED = frozenset(("not", "never", "no", "nobody", "isn't", "wasn't"))

"""What a round took from the party: the story's end, and people who died. Noticed from what the
engine says became so, or from what a game master says."""

import re
from collections.abc import Sequence

from freeform.engine.world.state import GameState
from freeform.language.sentences import sentences
from freeform.players.model import Ruling

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


def _tells_of_death(name: str, told: dict[str, object]) -> bool:
    """Whether a fact about somebody says that he is dead: its value does, or a sentence that denies
    nothing, after his name where it has that. `The dead man is not Jin` tells of no such thing."""
    if str(told.get("value", "")).lower() in _DEAD:
        return True
    for sentence in sentences(str(told.get("text", ""))):
        heard = [word.strip(".,;:!?\"'") for word in sentence.lower().split()]
        deaths = [n for n, word in enumerate(heard) if word in _DEAD]
        own = [n for n, word in enumerate(heard) if word in name.lower().split()]
        if deaths and not _DENIED & set(heard) and (not own or own[0] < deaths[-1]):
            return True
    return False


_DENIED = frozenset(("not", "never", "no", "nobody", "isn't", "wasn't"))

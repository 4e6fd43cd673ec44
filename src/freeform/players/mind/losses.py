"""What a round took from the party: the story's end, and people who died. Noticed from what the
engine says became so, or from what a game master says."""

import re
from collections.abc import Sequence

from freeform.engine.world.state import GameState
from freeform.language.words import words
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
            if fact != known.get(fact.id) and _tells_of_death(fact.object):
                lost.append(entity.name)
                break
    return lost


def _tells_of_death(told: dict[str, object]) -> bool:
    said = f"{told.get('value', '')} {told.get('text', '')}"
    return bool(_DEAD & set(words(said)))

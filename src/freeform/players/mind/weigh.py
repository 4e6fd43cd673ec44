"""What a deed is worth to a player: what it expects to come of it and what it may cost, by features
that hold in any story. The weights are learnt from parties that did whatever
(`training/deeds/fit.py`, card `models/deeds.md`)."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from freeform.players.mind.topics import weighty
from freeform.players.model import Option

VERBS = (
    "ask", "look", "search", "read", "go", "take", "show", "give", "use", "open", "unlock", "pick", "knock", "break",
    "help", "free", "talk", "persuade", "threaten", "wait", "think", "ring", "turn", "pull", "climb", "press",
)  # fmt: skip


@dataclass(frozen=True)
class MindSight:
    """What the features of an option are read against: words of questions, of clues, of dangers, of
    one's own goals."""

    questions: Collection[str]
    clues: Collection[str]
    dangers: Collection[str]
    danger: float
    """How near the nearest danger is."""
    people: Collection[str] = ()
    warned: Collection[str] = ()
    """Sorts of deeds that went badly here lately."""


def features(option: Option, sight: MindSight) -> list[str]:
    """What can be said of an option in any story."""
    verb = option.text.split(" ", 1)[0].lower()
    verb = verb if verb in VERBS else "other"
    if verb == "search" and option.who.startswith("in "):
        verb = "rummage"
    words = weighty(f"{option.who} {option.topic}") or weighty(option.text)
    found = [verb, "any"]
    on_question, on_clue = bool(words & set(sight.questions)), bool(words & set(sight.clues))
    if on_question:
        found += ["question", f"{verb}+question"]
    if on_clue:
        found += ["clue", f"{verb}+clue"]
    if words & set(sight.dangers):
        found += ["danger", f"{verb}+danger"]
    if option.tried:
        found += ["again", f"{verb}+again"]
    if option.new:
        found.append("new")
    if option.topic == "key":
        found.append("key")
    if option.topic == "carried":
        found.append("carried")
    return found


@lru_cache(maxsize=1)
def _weights() -> dict[str, tuple[float, float]]:
    data = json.loads(files("freeform.models").joinpath("deeds.json").read_text(encoding="utf-8"))
    return {name: (row[0], row[1]) for name, row in data["features"].items()}


def expected(option: Option, sight: MindSight) -> tuple[float, float]:
    """What one may expect of it, and what it may cost."""
    weights = _weights()
    rows = [weights[name] for name in features(option, sight) if name in weights]
    return sum(row[0] for row in rows), max(0.0, sum(row[1] for row in rows))

"""The one short question where readings are near each other, and the answer to it."""

from collections.abc import Mapping, Sequence

from freeform.core.text import plain_form
from freeform.engine.world.model import InterpreterOutput, ProposedAction, Reading
from freeform.offline.grammar import turned, with_article
from freeform.offline.interpreter.words import read

_WEIGHT = ("talk", "ask", "persuade", "deceive", "threaten")
"""Of several speeches in a row, what they are for: the later in this list, the more."""
_AS_DONE = {
    "talk": "speak to {name}",
    "ask": "ask {name}",
    "persuade": "try to win {name} over",
    "deceive": "try to fool {name}",
    "threaten": "threaten {name}",
    "look": "look at {name}",
    "search": "search {name}",
    "move": "go to {name}",
    "flee": "run",
    "follow": "follow {name}",
    "take": "take {name}",
    "steal": "steal from {name}",
    "give": "give something to {name}",
    "show": "show something to {name}",
    "drop": "leave {name} here",
    "use": "use {name}",
    "open": "open {name}",
    "close": "close {name}",
    "unlock": "get {name} unlocked",
    "break": "break {name}",
    "attack": "attack {name}",
    "help": "help {name}",
    "hide": "keep out of sight",
    "wait": "wait a while",
    "brave": "risk it",
    "look_around": "look around",
    "plan": "only say so for now",
    "ooc": "ask it out of character",
}
"""How a reading is put to the player."""
_NOT_FOLLOWED = (
    "I did not follow that. I hear English, in your own words: what do you do, say or ask? "
    "(With a language model set I hear other languages too.)"
)
_BARE = frozenset({"flee", "hide", "wait", "brave", "plan", "ooc"})
_FIRST = {"first": 0, "1": 0, "former": 0, "second": 1, "2": 1, "latter": 1, "third": 2, "3": 2}


def ask(
    heard: InterpreterOutput, readings: Sequence[ProposedAction], names: Mapping[str, str]
) -> InterpreterOutput:
    """The same input, answered with a question that names two or three readings."""
    offered: dict[str, Reading] = {}
    for action in readings:
        done = as_done(action, names)
        text = f"{done[:1].upper()}{done[1:]}"
        offered.setdefault(text, Reading(text=text, action=sure(action)))
    kept = list(offered.values())[:3]
    if len(kept) < 2:
        question = "I did not quite follow that. What do you do?"
    else:
        said = [f"{reading.text[:1].lower()}{reading.text[1:]}" for reading in kept]
        question = f"Do you {', '.join(said[:-1])}, or {said[-1]}?"
    return heard.model_copy(update={"question": question, "readings": kept})


def not_followed(heard: InterpreterOutput) -> InterpreterOutput:
    """The honest answer where not one word is known."""
    return heard.model_copy(update={"question": _NOT_FOLLOWED})


def sure(action: ProposedAction) -> ProposedAction:
    """An action that the player has chosen."""
    return action.model_copy(update={"confidence": 1.0})


def as_done(action: ProposedAction, names: Mapping[str, str]) -> str:
    """An action in a few words, as something the player does."""
    pattern = _AS_DONE.get(action.action, "")
    name = names.get(action.target_id, "")
    if pattern and (name or action.action in _BARE):
        return pattern.format(name=with_article(name))
    if action.action == "look":
        return _AS_DONE["look_around"]
    words = action.details.split(";")[0].strip(" .!?")
    for subject in ("I ", "i ", "I'm ", "we "):
        words = words.removeprefix(subject)
    return turned(words) or "do nothing yet"


def chosen(text: str, readings: Sequence[Reading]) -> ProposedAction | None:
    """The reading that an answer picks: by its words, its number, or the one name it says."""
    said = plain_form(text).strip(" .!?")
    for reading in readings:
        if plain_form(reading.text) == said:
            return reading.action
    words = [token.plain for token in read(text).tokens if token.kind == "word"]
    if not words or len(words) > 4:
        return None
    for word in words:
        place = _FIRST.get(word)
        if place is not None and place < len(readings):
            return readings[place].action
    named = [reading for reading in readings if _names_it(words, reading, readings)]
    return named[0].action if len(named) == 1 else None


def _names_it(words: Sequence[str], reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether an answer says a word that only this reading has."""
    others = {
        word
        for other in readings
        if other is not reading
        for word in plain_form(other.text).split()
    }
    return bool((set(plain_form(reading.text).split()) - others) & set(words))


def joined_speech(actions: list[ProposedAction]) -> list[ProposedAction]:
    """What is said to one person in one breath is one speech; two questions stay two."""
    joined: list[ProposedAction] = []
    for action in actions:
        before = joined[-1] if joined else None
        if before is None or not _goes_on(before, action):
            joined.append(action)
            continue
        strongest = max((before, action), key=lambda one: _WEIGHT.index(one.action))
        details = _both(before.details, action.details)
        joined[-1] = strongest.model_copy(update={"details": details})
    return joined


def _both(first: str, second: str) -> str:
    """Two speeches as one; once where the one holds the other."""
    if first in second or second in first:
        return max(first, second, key=len)
    return f"{first} {second}".strip()


def _goes_on(before: ProposedAction, action: ProposedAction) -> bool:
    speech = before.action in _WEIGHT and action.action in _WEIGHT
    questions = before.action == "ask" and action.action == "ask"
    return speech and not questions and before.target_id == action.target_id

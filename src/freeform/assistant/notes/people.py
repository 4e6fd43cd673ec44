"""Who is met in notes: names that stand as people do, beside those that notes of their own call
people."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from freeform.assistant.notes.model import Note

_BEFORE = re.compile(r"(\w+)\W+$")
_PLACED = frozenset("in at near under over into inside outside to from towards on by".split())
_LED = _PLACED | {"the", "a", "an", "of", "our", "this", "that"}
"""What stands before a place or a thing, and seldom before somebody."""
MOSTLY = 0.5


def people_in(notes: Sequence[Note], chosen: Collection[int], but: Collection[str]) -> list[str]:
    """The people whom these notes name, as often as they do. `but`: names of those who ask."""
    known = {
        name for note in notes if note.about == "npc" for name in (note.title, *note.names[:1])
    }
    things = {note.title for note in notes if note.about == "location"}
    own = {word.lower() for name in but for word in name.split()}
    found: Counter[str] = Counter()
    for at in chosen:
        for name in notes[at].names:
            if name in known or _stands_as_person(name, notes, things):
                found[name] += 1
    names = [name for name, _ in found.most_common() if not own & set(name.lower().split())]
    return _longest(names)


def _stands_as_person(name: str, notes: Sequence[Note], things: Collection[str]) -> bool:
    """Whether a name is written as a person's: seldom after an article or a word of place."""
    if name in things or not name[:1].isupper() or name.isupper():
        return False
    led, seen = 0, 0
    for note in notes:
        for hit in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", note.text):
            before = _BEFORE.search(note.text[: hit.start()])
            seen += 1
            led += bool(before and before[1].lower() in _LED)
    return seen > 0 and led <= MOSTLY * seen


def _longest(names: Sequence[str]) -> list[str]:
    """Each person once, by the longest of the names: `Ysolde` is `Ysolde Marr`."""
    kept = []
    for name in names:
        others = [other for other in names if other != name]
        if not any(set(name.split()) < set(other.split()) for other in others):
            kept.append(name)
    return kept

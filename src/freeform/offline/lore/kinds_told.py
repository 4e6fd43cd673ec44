"""What kind of thing a name is that no sign tells: by a learned head, where it is sure."""

import re
from collections.abc import Mapping, Sequence

from freeform.language.meaning.names import NameKinds
from freeform.offline.lore.kinds_seen import listed_together
from freeform.offline.lore.mentions import NamedThing, NameForms

SURE = 0.8
"""Of names told with such a chance 93 in 100 people and 90 in 100 factions were right, one writer's
by the others' weights."""
MOST_SENTENCES = 40
"""So many sentences of a piece of a page are looked at."""
_LETTERS = {"person": "n", "faction": "f"}
"""A place that is only told by a word or two may lie anywhere: its kind helps nobody."""
_UNKNOWN = "uk"
_BEGINS = re.compile(
    r"([A-Z][\w'’-]+)\s+(?:(?:[a-z]+ly\s+)?[a-z]*[^\Ws]s[\s,]|and\s+[A-Z][\w'’-]+\s+[a-z])"
)
"""A single thing that does something, or a pair: `Vashnia leads their archers`."""


def strange_words(said: Sequence[str], text: str, kinds: NameKinds) -> frozenset[str]:
    """The words that begin a sentence, stand nowhere in small letters and are none of the
    language's own."""
    begun = {found[1] for sentence in said if (found := _BEGINS.match(sentence))}
    small = set(re.findall(r"(?<!\w)[a-z][\w'’-]*", text))
    return frozenset(
        word for word in begun if word.lower() not in small and not kinds.knows(word.lower())
    )


def kinds_told(
    said: Sequence[str], lexicon: NameForms, kinds: NameKinds
) -> dict[NamedThing, NamedThing]:
    """The names of unknown kind for which a learned one is likely enough; those of one list are
    told together, for they are of one kind."""
    unknown: dict[str, NamedThing] = {}
    groups: list[list[str]] = []
    telling: list[str] = []
    for sentence in said:
        slotted, named = lexicon.slotted(sentence)
        new = {each.name: each for each in named if each.kind in _UNKNOWN}
        unknown |= new
        telling += [sentence] if new and len(telling) < MOST_SENTENCES else []
        for group in listed_together(slotted, named):
            groups.append([each.name for each in group if each.kind in _UNKNOWN])
    told = kinds.kinds(list(unknown), telling) if unknown else {}
    alone = set(told) - {name for group in groups for name in group}
    found: dict[NamedThing, NamedThing] = {}
    for names in [*groups, *([name] for name in sorted(alone))]:
        kind = _likely([told[name] for name in names if name in told])
        found |= {unknown[name]: NamedThing(name, kind) for name in names if kind}
    return found


def _likely(chances: Sequence[Mapping[str, float]]) -> str:
    """The letter of the kind that names have together, '' where none is likely enough."""
    for kind, letter in _LETTERS.items():
        if chances and sum(each[kind] for each in chances) / len(chances) >= SURE:
            return letter
    return ""

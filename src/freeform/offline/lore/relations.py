"""The learned reader: what kind of thing an unknown name is, and which relations a sentence tells
of two names. It says only what it is sure of."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from freeform.lore.model import Kind
from freeform.offline.lore.features import SlottedTokens, name_features, pair_features, pairs
from freeform.offline.lore.learned import (
    HEADS,
    NAME_KINDS,
    UNKNOWN,
    LinearTable,
    Scores,
    fits,
    shipped_weights,
)
from freeform.offline.lore.mentions import NamedThing
from freeform.offline.lore.shapes import person_signs

Told = tuple[Kind, NamedThing, str, str]
"""Kind of the subject, subject, predicate, value."""
_NO_KIND = "uk"
_PERSON = NAME_KINDS.index("n")
SIGNED = 0.6
"""From which chance on a name of which something is said that is said of people is a person's. Of
writers left out: 50 of 51 so taken, where the sign alone is right for 68 of 132."""


def guessed_kinds(
    sentences: Iterable[tuple[str, Sequence[NamedThing]]],
) -> dict[NamedThing, NamedThing]:
    """The names whose kind nobody knew, with the one their own words and those around them speak
    for, wherever they stand in the text."""
    weights = shipped_weights()
    heard: dict[NamedThing, list[Scores]] = defaultdict(list)
    signed: set[NamedThing] = set()
    for slotted, named in sentences:
        tokens = SlottedTokens(slotted)
        for slot in tokens.slots:
            mention = named[slot.number]
            if mention.kind in _NO_KIND:
                features = name_features(tokens, slot, mention.name)
                heard[mention].append(weights.kinds.chances(features))
        for sign in person_signs():
            signed |= {named[int(found["s"])] for found in sign.finditer(slotted)}
    found: dict[NamedThing, NamedThing] = {}
    for mention, chances in heard.items():
        mean = np.mean(np.array(chances), axis=0)
        best = int(mean.argmax())
        if mention in signed and mean[_PERSON] >= SIGNED:
            found[mention] = replace(mention, kind=NAME_KINDS[_PERSON])
        elif mean[best] >= weights.sure["kind"]:
            found[mention] = replace(mention, kind=NAME_KINDS[best], guessed=True)
    return found


def relations_told(slotted: str, named: Sequence[NamedThing]) -> Iterator[Told]:
    """What a sentence tells of the names in its slots, whose kinds are known."""
    weights = shipped_weights()
    tokens = SlottedTokens(slotted)
    known = {mention.name: mention for mention in named}
    rows: list[tuple[tuple[str, str], tuple[str, str], list[str]]] = []
    for subject, object in pairs(tokens):
        names = (named[subject.number].name, named[object.number].name)
        if names[0] != names[1] and UNKNOWN not in (subject.kind, object.kind):
            features = pair_features(tokens, subject, object)
            rows.append((names, (subject.kind, object.kind), features))
    for (one, head, other), chance in chances_told(weights.heads, rows).items():
        if chance >= weights.sure["relation"]:
            yield from _as_facts(head, known[one], known[other])


def chances_told(
    heads: LinearTable, rows: Iterable[tuple[tuple[str, str], tuple[str, str], Sequence[str]]]
) -> dict[tuple[str, str, str], float]:
    """How likely each relation of two names is, by all the places where both stand: rows of two
    names, their kinds, and features. What holds both ways is read from both ends."""
    best: dict[tuple[str, str, str], float] = {}
    for (one, other), kinds, features in rows:
        open_to = [
            (number, name)
            for number, (name, head) in enumerate(HEADS.items())
            if fits(head, *kinds)
        ]
        chances = heads.chances(features) if open_to else ()
        for number, name in open_to:
            key = (one, name, other)
            best[key] = max(best.get(key, 0.0), float(chances[number]))
    for (one, name, other), chance in list(best.items()):
        back = best.get((other, name, one))
        if HEADS[name].both_ways and back is not None and one < other:
            best[one, name, other] = best[other, name, one] = (chance + back) / 2
    return best


_AS_FACTS: dict[tuple[str, str, str], tuple[tuple[Kind, str], ...]] = {
    ("inside", "p", "zp"): (("lore", "zone"),),
    ("at", "nc", "zp"): (("npc", "zone"),),
    ("based", "f", "z"): (("zone", "<factions"), ("faction", "homeworld")),
    ("based", "f", "p"): (("faction", "homeworld"),),
    ("controls", "f", "z"): (("zone", "<factions"),),
    ("leads", "n", "f"): (("faction", "<leader"),),
    ("member", "n", "f"): (("npc", "faction"),),
    ("member", "f", "f"): (("faction", "parent"),),
    ("kin", "n", "n"): (("npc", "relation"),),
    ("allied", "n", "n"): (("npc", "relation"),),
    ("hostile", "n", "n"): (("npc", "relation"),),
    ("allied", "f", "f"): (("faction", "allied"),),
    ("hostile", "f", "f"): (("faction", "hostile"),),
    ("owned", "i", "nf"): (("narrative_item", "wielder"),),
}
"""A head and the kinds it holds between, in the words of the ledger; `<` turns the two round."""
_CALLED = {"kin": "kin", "allied": "ally", "hostile": "enemy"}


def _as_facts(head: str, one: NamedThing, other: NamedThing) -> Iterator[Told]:
    for (name, subjects, objects), facts in _AS_FACTS.items():
        if name != head or one.kind not in subjects or other.kind not in objects:
            continue
        for kind, predicate in facts:
            if predicate.startswith("<"):
                yield kind, other, predicate[1:], one.name
            elif predicate == "relation":
                yield kind, one, predicate, f"{_CALLED[head]}: {other.name}"
            else:
                yield kind, one, predicate, other.name

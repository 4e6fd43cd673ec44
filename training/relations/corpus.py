"""Reads the sentences of invented wikis as the rows a reader of relations is taught with."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from freeform.language.sentences import sentences
from freeform.offline.lore.features import SlottedTokens, name_features, pair_features, pairs
from freeform.offline.lore.learned import HEADS, NAME_KINDS, fits
from freeform.offline.lore.mentions import NamedThing, NameForms
from freeform.offline.lore.references import TalkSoFar, with_references
from freeform.offline.lore.shapes import abstain

FOLDER = Path(__file__).parent
LETTER = dict(
    zip(("place", "person", "faction", "event", "item", "creature"), NAME_KINDS, strict=True)
)
NOBODY = NamedThing("")


@dataclass
class WikiText:
    """One text with what it says."""

    writer: str
    text: str
    kinds: dict[str, str]
    says: set[tuple[str, str, str]]
    denies: set[tuple[str, str, str]]


@dataclass
class PairRow:
    """Two names of one sentence; `told` are the relations of the first to the second, `skipped`
    those that this sentence may or may not tell."""

    text: WikiText
    names: tuple[str, str]
    features: list[str]
    kinds: tuple[str, str]
    told: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)


def read_corpus(folder: Path = FOLDER) -> list[WikiText]:
    """All texts of all writers."""
    found: list[WikiText] = []
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.strip():
                found.append(_text(file.stem, json.loads(line)))
    return found


def _text(writer: str, line: dict) -> WikiText:
    kinds = {bare(name): LETTER[kind] for name, kind in line["names"]}
    return WikiText(
        writer=writer,
        text=line["text"],
        kinds=kinds,
        says=_by_heads(line["says"], kinds),
        denies=_by_heads(line["denies"], kinds),
    )


def _by_heads(triples: list[list[str]], kinds: dict[str, str]) -> set[tuple[str, str, str]]:
    """What a text says, in the relations that are read."""
    found: set[tuple[str, str, str]] = set()
    for name, relation, other in triples:
        one, two = bare(name), bare(other)
        for title, head in HEADS.items():
            if relation in head.means and fits(head, kinds[one], kinds[two]):
                found.add((one, title, two))
                if head.both_ways:
                    found.add((two, title, one))
    return found


def bare(name: str) -> str:
    """A name without its article."""
    first, _, rest = name.partition(" ")
    return rest if rest and first.lower() in ("the", "a", "an") else name


def slotted_sentences(
    text: WikiText, kinds: dict[str, str]
) -> Iterator[tuple[str, str, list[NamedThing]]]:
    """The sentences, each as it stands and with slots for the text's own names, pronouns among
    them."""
    forms = NameForms.known([NamedThing(name, kind) for name, kind in kinds.items()])
    talk = TalkSoFar(own=NOBODY, topic=NOBODY)
    for sentence in sentences(text.text):
        slotted, named = forms.slotted(sentence)
        full, everyone = with_references(slotted, named, talk)
        talk.heard(slotted, named)
        yield sentence, full, everyone


def pair_rows(text: WikiText) -> list[PairRow]:
    """Every pair of names of a sentence that does not seem to deny or suppose."""
    found: list[PairRow] = []
    nearest: dict[tuple[str, str], tuple[int, int]] = {}
    for sentence, slotted, named in slotted_sentences(text, text.kinds):
        if abstain().search(sentence):
            continue
        tokens = SlottedTokens(slotted)
        for subject, object in pairs(tokens):
            names = (named[subject.number].name, named[object.number].name)
            if names[0] == names[1]:
                continue
            far = abs(subject.at - object.at)
            best = nearest.get(names)
            if best is None or far < best[0]:
                nearest[names] = (far, len(found))
            features = pair_features(tokens, subject, object)
            found.append(PairRow(text, names, features, (subject.kind, object.kind)))
    for number, row in enumerate(found):
        told = {r for a, r, b in text.says if (a, b) == row.names}
        if nearest[row.names][1] == number:
            row.told = told
        else:
            row.skipped = told
    return found


def name_rows(text: WikiText, chance: random.Random) -> Iterator[tuple[list[str], str]]:
    """Every name where it stands, without its kind, and what it is."""
    kinds = {name: "u" if chance.random() < 0.5 else kind for name, kind in text.kinds.items()}
    for _, slotted, named in slotted_sentences(text, kinds):
        tokens = SlottedTokens(slotted)
        for slot in tokens.slots:
            name = named[slot.number].name
            if name in text.kinds:
                yield name_features(tokens, slot, name), text.kinds[name]

"""Says what common nouns name, a place, a person or a body of people: models/noun_kinds.json.

    PYTHONPATH=src python training/nouns/fit.py FOLDER [--write]

FOLDER holds WordNet 3.0's database (`data.noun`, `index.noun`, `cntlist.rev`; Debian: wordnet-base).
A noun is what most of its meanings are, each counted as often as WordNet's readers met it. Prints
how its words agree with those of `vocabulary.yaml`, which it never sees.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from freeform.language.meaning.natures import NOUN_KINDS, SHARE
from freeform.lore.read.vocabulary import vocabulary

MODEL = Path(__file__).parents[2] / "src/freeform/models/noun_kinds.json"
ARTIFACT, GROUP, LOCATION, OBJECT, PERSON = 6, 14, 15, 17, 18
"""Files of WordNet that its meanings are kept in."""
ABOVE: dict[str, tuple[tuple[int, str], ...]] = {
    "": ((LOCATION, "side extremity boundary line end top bottom center"), (OBJECT, "layer"), (ARTIFACT, "opening")),
    "place": (
        (LOCATION, "geographical_area district region tract geographic_point topographic_point post"),
        (OBJECT, "land geological_formation body_of_water celestial_body stream"),
        (ARTIFACT, "building building_complex defensive_structure establishment housing memorial tower bridge room"),
        (ARTIFACT, "excavation facility way mound ruin shelter"),
        (GROUP, "biome vegetation settlement community municipality village"),
    ),
    "faction": ((GROUP, "organization social_group"),),
}  # fmt: skip
"""What stands above all meanings of a kind; the first that fits counts."""


class NounMeaning(NamedTuple):
    """One meaning of some nouns."""

    file: int
    words: dict[str, int]
    above: list[str]
    one: bool
    """Whether it is a single thing: the Alps are no kind of place."""


class WordNet:
    """The nouns of its database."""

    def __init__(self, folder: Path) -> None:
        self.meanings = dict(_meanings(folder / "data.noun"))
        self.index = dict(_index(folder / "index.noun"))
        self.met: dict[tuple[str, int, int], int] = {}
        for line in (folder / "cntlist.rev").read_text("utf-8").splitlines():
            key, _, count = line.split()
            word, _, rest = key.partition("%")
            kind, file, number = rest.split(":")[:3]
            if kind == "1":
                self.met[word, int(file), int(number)] = int(count)
        self.heads = {kind: set(self._heads(rows)) for kind, rows in ABOVE.items()}
        self.kind = cache(self._kind)

    def _heads(self, rows: tuple[tuple[int, str], ...]) -> Iterator[str]:
        for file, words in rows:
            for word in words.split():
                yield from (id for id in self.index[word] if self.meanings[id].file == file)

    def above(self, id: str) -> set[str]:
        """A meaning and all above it."""
        found, open_ = set[str](), [id]
        while open_:
            at = open_.pop()
            if at not in found:
                found.add(at)
                open_ += self.meanings[at].above
        return found

    def _kind(self, id: str) -> str:
        if self.meanings[id].file == PERSON:
            return "person"
        above = self.above(id)
        return next((kind for kind, heads in self.heads.items() if heads & above), "")

    def shares(self, word: str) -> dict[str, float]:
        """How much of what a noun means is of each kind."""
        counted: dict[str, float] = defaultdict(float)
        for rank, id in enumerate(self.index[word], start=1):
            meaning = self.meanings[id]
            if not meaning.one and word in meaning.words:
                met = self.met.get((word, meaning.file, meaning.words[word]), 0)
                counted[self.kind(id)] += met + 1 / rank
        whole = sum(counted.values())
        return {kind: count / whole for kind, count in counted.items()}

    def told(self, word: str) -> str:
        """The kind of a noun; '' where no kind has enough of it."""
        shares = self.shares(word) if word in self.index else {}
        return next((k for k in NOUN_KINDS if shares.get(k, 0.0) >= SHARE), "")


def _meanings(file: Path) -> Iterator[tuple[str, NounMeaning]]:
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("  "):
            continue
        parts = line.split("|")[0].split()
        many = int(parts[3], 16)
        # As they are written: what has a capital is a name.
        words = {parts[4 + 2 * n]: int(parts[5 + 2 * n], 16) for n in range(many)}
        rest = parts[5 + 2 * many :]
        links = [rest[n : n + 4] for n in range(0, len(rest) - 3, 4)]
        above = [to for sign, to, _, _ in links if sign in ("@", "@i")]
        one = any(sign == "@i" for sign, *_ in links)
        yield parts[0], NounMeaning(int(parts[1]), words, above, one)


def _index(file: Path) -> Iterator[tuple[str, list[str]]]:
    for line in file.read_text("utf-8").splitlines():
        if not line.startswith("  "):
            parts = line.split()
            yield parts[0], parts[-int(parts[2]) :]


def print_figures(net: WordNet) -> None:
    """What the reader's own table of words says of the same nouns."""
    means = {"zone": "place", "npc": "person", "faction": "faction"}
    known: dict[str, str] = {}
    for kind, words in vocabulary().kinds.items():
        for word in words:
            known.setdefault(word, means.get(kind, ""))
    known |= dict.fromkeys(vocabulary().places, "place")
    for kind in NOUN_KINDS:
        own = [word for word, one in known.items() if one == kind and word in net.index]
        said = [word for word in known if net.told(word) == kind]
        right = [word for word in own if net.told(word) == kind]
        print(f"{kind}: {len(right)} of {len(own)} told; right {len(right)} of {len(said)}")
        print("  not so there:", ", ".join(word for word in said if word not in right))


def main() -> None:
    """Reads WordNet, prints the figures, and writes the table."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("folder", type=Path)
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    net = WordNet(given.folder)
    print_figures(net)
    table: dict[str, list[str]] = {kind: [] for kind in NOUN_KINDS}
    for word in sorted(net.index):
        kind = net.told(word) if re.fullmatch(r"[a-z]{3,}", word) else ""
        if kind:
            table[kind].append(word)
    print({kind: len(words) for kind, words in table.items()})
    if given.write:
        told = {kind: " ".join(words) for kind, words in table.items()}
        MODEL.write_text(json.dumps(told, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()

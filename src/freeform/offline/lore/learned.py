"""The small models of the learned reader: one weight for each class and hashed feature, read from
their file when first asked."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

FILE_NAME = "relations.npz"
NAME_KINDS = "pnfeic"
"""The letters of what a name may be: place, person, faction, event, item, creature."""
Scores = NDArray[np.floating[Any]]


class Head(NamedTuple):
    """A relation that is told by itself: the kinds it may hold between, and the relations of the
    corpus that mean it."""

    subjects: str
    objects: str
    means: tuple[str, ...]
    both_ways: bool = False


HEADS: dict[str, Head] = {
    "inside": Head("p", "p", ("located_in",)),
    "at": Head("nc", "p", ("located_in", "role_at")),
    "based": Head("f", "p", ("located_in",)),
    "connects": Head("p", "p", ("connects_to",), both_ways=True),
    "controls": Head("nf", "p", ("controls",)),
    "leads": Head("n", "f", ("leads",)),
    "member": Head("nf", "f", ("member_of", "part_of_people", "leads")),
    "kin": Head("n", "n", ("kin_of",), both_ways=True),
    "allied": Head("nf", "nf", ("allied_with",), both_ways=True),
    "hostile": Head("nf", "nf", ("hostile_to",), both_ways=True),
    "owned": Head("i", "nf", ("owned_by",)),
}
UNKNOWN = "u"


def fits(head: Head, subject: str, object: str) -> bool:
    """Whether names of these kinds may stand so; one whose kind is unknown may."""
    return subject in head.subjects + UNKNOWN and object in head.objects + UNKNOWN


class LinearTable(NamedTuple):
    """Weights (bucket, class), a bias for each class."""

    weights: Scores
    bias: Scores

    def chances(self, features: Sequence[str]) -> Scores:
        """How likely each class is, each by itself."""
        scores = self.weights[hashed(features, len(self.weights))].sum(axis=0) + self.bias
        return np.asarray(np.exp(-np.logaddexp(0, -scores)))


class ReaderWeights(NamedTuple):
    """All that was learnt. `sure`: from which chance on a relation, or the kind of a name, is
    told."""

    heads: LinearTable
    kinds: LinearTable
    sure: dict[str, float]


def hashed(features: Sequence[str], buckets: int) -> list[int]:
    """The buckets of features, each once."""
    return sorted({crc32(feature.encode()) % buckets for feature in features})


@cache
def shipped_weights() -> ReaderWeights:
    """Those that come with the program."""
    return load_weights(Path(str(files("freeform") / "models" / FILE_NAME)))


def load_weights(file: Path) -> ReaderWeights:
    """From a file that `training/relations/fit.py` wrote."""
    with np.load(file, allow_pickle=False) as kept:
        heads = LinearTable(_table(kept["heads"], kept["heads.scale"]), kept["heads.bias"])
        kinds = LinearTable(_table(kept["kinds"], kept["kinds.scale"]), kept["kinds.bias"])
        sure = dict(zip(kept["sure.names"].tolist(), kept["sure"].tolist(), strict=True))
    return ReaderWeights(heads, kinds, sure)


def _table(whole: Any, scale: Any) -> Scores:
    return np.asarray(whole.astype(np.float32) * scale)

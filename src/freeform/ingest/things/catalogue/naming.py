"""Names the kind of a catalogue, last of all, with a probability; or leaves it unnamed.

Weights are learnt over books by `training/kinds/fit.py`, which leaves out one book at a time to say
how well they do on a book they never saw (`src/freeform/models/kinds.md`).
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from freeform.ingest.things.catalogue.evidence import NAMED, shape_features, tied_features
from freeform.ingest.things.catalogue.schemas import MemberGroup
from freeform.ingest.things.kinds import Kind

UNNAMED = "unnamed"
#: How likely a catalogue must be to list things, and how likely the best kind if it does.
SURE, CLEAR = 0.5, 0.5


@cache
def _weights() -> dict[str, Any]:
    text = files("freeform.models").joinpath("kinds.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def probabilities(catalogue: MemberGroup) -> dict[str, float]:
    """How likely each kind is, `unnamed` among them."""
    weights = _weights()
    shape = (*shape_features(catalogue), 1.0)
    scores = {name: _product(weights["shape"][name], shape) for name in (*NAMED, UNNAMED)}
    for kind in NAMED:
        scores[kind] += _product(weights["tied"], tied_features(catalogue, kind))
    most = max(scores.values())
    parts = {name: math.exp(score - most) for name, score in scores.items()}
    total = sum(parts.values())
    return {name: part / total for name, part in parts.items()}


def _product(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(weights, features, strict=True))


def kind_of(catalogue: MemberGroup) -> tuple[Kind | None, float]:
    """The kind with how likely it is where the catalogue lists things; None when nothing is likely
    enough, with the probability that it lists things at all. Two questions: whether it lists
    things, and if so, of what kind. The books that taught it do not say all that they list, so
    that `unnamed` weighs more than it should."""
    likely = probabilities(catalogue)
    best = max(NAMED, key=lambda kind: likely[kind])
    lists = 1.0 - likely[UNNAMED]
    if lists < SURE or likely[best] < CLEAR * lists:
        return None, lists
    return best, _calibrated(likely, best)


def _calibrated(likely: Mapping[str, float], best: Kind) -> float:
    """How often a kind that is this likely is the right one: weights fitted to few books are less
    sure than they are right, and books they never saw say by how much."""
    power = 1.0 / float(_weights()["temperature"])
    parts = {kind: math.pow(likely[kind], power) for kind in NAMED}
    return parts[best] / sum(parts.values())

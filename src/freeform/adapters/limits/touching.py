"""How near a sentence and a topic lie to pairs of which people said whether they touch: what a
line is held by first, at next to no cost."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from freeform.adapters.ear.decode import sigmoid
from freeform.adapters.encoder.table import Floats
from freeform.language.meaning.sense import Vector

FILE_NAME = "touches.npz"
PLAINLY = 0.95
"""The share of plain sentences of scenes that have less of a topic than is taken for plain."""
_TOPICS = 512
"""Topics of which is remembered what each written sentence counts for them."""


def shipped_pairs() -> Path:
    """Where the written pairs lie in the program."""
    return Path(str(files("freeform") / "models" / FILE_NAME))


def likeness(rows: Floats, others: Floats, narrow: float) -> Floats:
    """How alike vectors of length 1 are: 1 for the same, the less the narrower it is looked at."""
    return np.asarray(np.exp(narrow * (rows @ others.T - 1)), dtype=np.float32)


class TouchedTopics:
    """The written pairs by their vectors, and what each of them counts."""

    def __init__(self, file: Path) -> None:
        with np.load(file, allow_pickle=False) as kept:
            self._sentences = _restored(kept["sentences"])
            self._topics = _restored(kept["topics"])
            self._at, self._about = kept["at"].astype(np.int64), kept["about"].astype(np.int64)
            self._counts = kept["counts"].astype(np.float32)
            self._narrow, self._narrow_topic, self._any, self._mean = map(float, kept["shape"])
            plain = _restored(kept["plain"])
            self._alone, self._together = kept["alone"], kept["together"]
            self.unsure = float(kept["unsure"])
            """From this chance on both texts are read together as well."""
        self._plain = likeness(plain, self._sentences, self._narrow)
        every = likeness(self._topics, self._topics, self._narrow_topic).mean(axis=0)
        self._counts_for_any = self._counted_by(every)
        self._counted = lru_cache(maxsize=_TOPICS)(self._of_topic)

    def rows(self, sentences: Sequence[Vector], topics: Sequence[Vector]) -> Floats:
        """Each sentence beside each topic (sentence, topic, 3): what it has of those that touch;
        what plain sentences have of that topic at most; what the sentence has of any topic."""
        alike = likeness(np.array(sentences, dtype=np.float32), self._sentences, self._narrow)
        known = [self._counted(topic) for topic in topics]
        made = np.empty((len(sentences), len(topics), 3), dtype=np.float32)
        made[..., 0] = alike @ np.stack([counts for counts, _ in known], axis=1) + self._mean
        made[..., 1] = [plainly for _, plainly in known]
        made[..., 2] = (alike @ self._counts_for_any + self._mean)[:, None]
        return made

    def chances(self, rows: Floats) -> Floats:
        """What those numbers alone make likely."""
        return np.asarray(sigmoid(rows @ self._alone[:-1] + self._alone[-1]))

    def joined(self, rows: Floats, heard: Floats) -> Floats:
        """The same with what the ear says of both texts read together."""
        weights = self._together
        return np.asarray(sigmoid(rows @ weights[:-2] + weights[-2] * heard + weights[-1]))

    def _of_topic(self, topic: Vector) -> tuple[Floats, float]:
        """What nearness to each written sentence counts for a topic; what plain ones have of it."""
        beside = np.array([topic], dtype=np.float32)
        counts = self._counted_by(likeness(beside, self._topics, self._narrow_topic)[0])
        return counts, float(np.quantile(self._plain @ counts, PLAINLY)) + self._mean

    def _counted_by(self, alike: Floats) -> Floats:
        worth = (alike + self._any)[self._about] * self._counts
        added = np.bincount(self._at, weights=worth, minlength=len(self._sentences))
        return np.asarray(added, dtype=np.float32)


def _restored(rows: np.ndarray) -> Floats:
    """int8 rows as vectors of length 1 again."""
    wide = rows.astype(np.float32)
    return np.asarray(wide / np.linalg.norm(wide, axis=1, keepdims=True))

"""Learns what touches a topic from written pairs, and weighs it with the reader of limits: models/touches.npz.

    PYTHONPATH=src:training python training/touches/fit.py [--write]

Kernel ridge over pairs: a new pair is judged by the written ones whose sentence and whose topic it is like. From a small
chance on the reader of limits (train.py) reads both together. The few numbers that make scores chances are fitted on the
blind set of 2026-11-18, which neither has seen, in five folds over its topics, beside plain sentences of scenes.
"""

import argparse
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from corpus import BLIND, HELD_SET, HERE, SUITE, Topic, as_topics, listed, plain_sentences, written

from freeform.adapters.ear.learned import shipped_ear
from freeform.adapters.ear.learned import shipped_file as ear_file
from freeform.adapters.limits.learned import shipped_file
from freeform.adapters.limits.loaded import LoadedLimits
from freeform.adapters.limits.touching import TouchedTopics, likeness, shipped_pairs
from freeform.language.limit_words import limit_phrases, topic_words

NARROW, NARROW_TOPIC, ANY, EASE = 1.5, 3.0, 0.05, 0.1
"""How narrowly sentences and topics are looked at; what a pair counts for any topic; the ridge."""
OTHERS, FORMS, PLAIN, FAR = 2, 2, 400, 0.35
"""Topics far from its own that a sentence is held against; phrasings of its own; plain sentences."""
ROUNDS, FOLDS = 60, 5
UNSURE = 0.08
"""From this chance on both are read together."""
PLAINS, QUIET, EACH = 200, 300, 2
"""Plain sentences that a topic is held against for good; those that calibrate, by so many topics."""
LEVELS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
Pair = tuple[str, str, bool]


def as_pairs(topics: list[Topic]) -> list[Pair]:
    """Every sentence beside the first name of its topic."""
    made = []
    for topic in topics:
        for sentences, touches in ((topic.touching, True), (topic.harmless, False)):
            made += [(sentence, topic.names[0], touches) for sentence in sentences]
    return made


def vectors(texts: list[str]) -> dict[str, np.ndarray]:
    ours = sorted(set(texts))
    return dict(zip(ours, np.array(shipped_ear().vectors(ours), dtype=np.float32), strict=True))


def far_from(names: list[str], every: list[list[str]], known: dict) -> list[list[str]]:
    """The other topics that are none of these in other words."""
    ours = np.array([known[name] for name in names])
    return [o for o in every if (ours @ np.array([known[n] for n in o]).T).max() < FAR]


def of_blocks(luck: random.Random) -> list[Pair]:
    """The blocks as pairs: some phrasings of the topic, and a few topics far from it."""
    made, every = [], written()
    named = [topic.names for topic in every]
    known = vectors([name for names in named for name in names])
    for topic in every:
        far = far_from(topic.names, named, known)
        for sentences, touches in ((topic.touching, True), (topic.harmless, False)):
            for sentence in sentences:
                some = luck.sample(topic.names, min(FORMS, len(topic.names)))
                made += [(sentence, name, touches) for name in some]
                drawn = [luck.choice(luck.choice(far)) for _ in range(OTHERS)]
                made += [(sentence, name, False) for name in drawn]
    return made


def of_lists(luck: random.Random) -> list[Pair]:
    """Sentences with all they touch of 150 topics, and one that they do not; plain ones of scenes."""
    (topics, rows), made = listed(), []
    for sentence, touched in rows:
        made += [(sentence, topic, True) for topic in sorted(touched)]
        made.append((sentence, luck.choice([t for t in topics if t not in touched]), False))
    names = [name for topic in written() for name in topic.names]
    return made + [(sentence, luck.choice(names), False) for sentence in plain_ones()[:PLAIN]]


def plain_ones() -> list[str]:
    """Sentences of scenes, in an order that is always the same."""
    plain = plain_sentences()
    return random.Random(2).sample(plain, len(plain))


class Fit:
    """What each of the pairs counts."""

    def __init__(self, pairs: list[Pair]) -> None:
        pairs = [(sentence, topic_words(topic), right) for sentence, topic, right in pairs]
        self.sentences = sorted({pair[0] for pair in pairs})
        self.topics = sorted({pair[1] for pair in pairs})
        known = vectors(self.sentences + self.topics)
        self.rows = np.array([known[sentence] for sentence in self.sentences])
        self.columns = np.array([known[topic] for topic in self.topics])
        place = {text: n for n, text in enumerate(self.sentences)}
        about = {text: n for n, text in enumerate(self.topics)}
        self.at = np.array([place[pair[0]] for pair in pairs])
        self.about = np.array([about[pair[1]] for pair in pairs])
        wanted = np.array([1.0 if pair[2] else -1.0 for pair in pairs], dtype=np.float32)
        self.mean = float(wanted.mean())
        self.counts = self._solved(wanted - self.mean)

    def _solved(self, wanted: np.ndarray) -> np.ndarray:
        """By conjugate gradients."""
        alike = likeness(self.rows, self.rows, NARROW)
        beside = likeness(self.columns, self.columns, NARROW_TOPIC) + np.float32(ANY)
        kernel = np.empty((len(wanted), len(wanted)), dtype=np.float32)
        for n, (row, column) in enumerate(zip(self.at, self.about, strict=True)):
            kernel[n] = alike[row][self.at] * beside[column][self.about]
        counts, left = np.zeros_like(wanted), wanted.copy()
        way, size = left.copy(), float(left @ left)
        for _ in range(ROUNDS):
            moved = kernel @ way + EASE * way
            step = size / float(way @ moved)
            counts, left = counts + step * way, left - step * moved
            size, before = float(left @ left), size
            way = left + size / before * way
        return counts

    def kept(self, alone: np.ndarray, together: np.ndarray, file: Path) -> None:
        """Writes it down."""
        plain = plain_ones()[PLAIN : PLAIN + PLAINS]
        np.savez_compressed(
            file,
            sentences=small(self.rows),
            topics=small(self.columns),
            plain=small(np.array(list(vectors(plain).values()))),
            at=self.at.astype("u2"),
            about=self.about.astype("u2"),
            counts=self.counts.astype("f2"),
            shape=np.array([NARROW, NARROW_TOPIC, ANY, self.mean], dtype="f4"),
            alone=alone.astype("f4"),
            together=together.astype("f4"),
            unsure=np.float32(UNSURE),
        )


def small(rows: np.ndarray) -> np.ndarray:
    """As int8."""
    return np.rint(127 * rows / np.abs(rows).max(1, keepdims=True)).astype("i1")


def numbers(file: Path, pairs: list[Pair]) -> np.ndarray:
    """What the program makes of pairs before anything is weighed."""
    known, ear = TouchedTopics(file), shipped_ear()
    made = []
    for sentence, topic, _ in pairs:
        both = ear.vectors([sentence]), ear.vectors([topic_words(topic)])
        made.append(known.rows(*both)[0, 0])
    return np.array(made)


def logistic(rows: np.ndarray, right: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """Weights of the columns, and what is added."""
    middle, reach = rows.mean(0), rows.std(0)
    wide = np.c_[(rows - middle) / reach, np.ones(len(rows))]
    weights = np.zeros(wide.shape[1])
    for _ in range(3_000):
        wrong = 1 / (1 + np.exp(-wide @ weights)) - right
        weights -= 0.3 * wide.T @ (worth * wrong) / worth.sum()
    scaled = weights[:-1] / reach
    return np.append(scaled, weights[-1] - scaled @ middle)


def chance(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))


def told(name: str, chances: np.ndarray, right: np.ndarray) -> None:
    order = np.argsort(np.argsort(chances))
    yes = int(right.sum())
    area = (order[right].sum() - yes * (yes - 1) / 2) / (yes * (len(right) - yes))
    print(f"{name}: {len(right)} pairs, area under the curve {area:.3f}")
    for least in LEVELS:
        missed, alarms = (chances[right] < least).mean(), (chances[~right] >= least).mean()
        print(f"  from {least}: missed {missed:.3f}, false alarms {alarms:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    luck = random.Random(1)
    pairs = as_topics(HERE / "pairs.jsonl", BLIND / "2026-11-16.jsonl", SUITE / "development.jsonl")
    ours = as_pairs(pairs) + of_lists(luck) + of_blocks(luck)
    print(f"{len(ours)} pairs, {sum(pair[2] for pair in ours)} touch")
    held = as_pairs(as_topics(HELD_SET))
    topics = sorted({pair[1] for pair in held})
    count = len(held)
    for sentence in plain_ones()[PLAIN + PLAINS : PLAIN + PLAINS + QUIET]:
        held += [(sentence, topic, False) for topic in luck.sample(topics, EACH)]
    right = np.array([pair[2] for pair in held])
    named = np.array([limit_phrases((pair[1],)).found_in(pair[0]) for pair in held])
    written_down = np.arange(len(held)) < count
    worth = np.where(written_down, 1.0, count / (len(held) - count))
    fit = Fit(ours)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "touches.npz"
        fit.kept(np.zeros(4), np.zeros(5), file)
        alone = numbers(file, held)
    heard = LoadedLimits(shipped_file().read_bytes(), ear_file().read_bytes()).scores(
        [pair[:2] for pair in held]
    )
    fold = np.array([topics.index(pair[1]) % FOLDS for pair in held])
    both = np.zeros((2, len(held)))
    wide = (alone, np.c_[alone, heard])
    for way, rows in enumerate(wide):
        for n in range(FOLDS):
            learnt = fold != n
            weights = logistic(rows[learnt], right[learnt], worth[learnt])
            both[way, ~learnt] = chance(rows[~learnt], weights)
    sieved = both[0] >= UNSURE
    chances = np.where(sieved, both[1], np.minimum(both[0], UNSURE))
    for name, some in (("a word of the topic in it", named), ("none in it", ~named)):
        told(name, chances[some & written_down], right[some & written_down])
    alike = 1 / (1 + np.exp(-heard[written_down]))
    told("the reader alone", alike, right[written_down])
    print(f"sieved away of those that touch: {(~sieved[right]).mean():.3f}")
    quiet = ~written_down
    for least in LEVELS:
        print(f"  plain sentences from {least}: {(chances[quiet] >= least).mean():.4f}")
    print(f"read together: {sieved[quiet].mean():.3f} of plain pairs")
    if args.write:
        weights = [logistic(rows, right, worth) for rows in wide]
        fit.kept(*weights, shipped_pairs())
        print(f"{shipped_pairs().name}: {shipped_pairs().stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

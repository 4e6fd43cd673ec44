"""Learns what touches a topic from written pairs: models/touches.npz.

    PYTHONPATH=src:training python training/touches/fit.py [--write]

Kernel ridge over pairs: a new pair is judged by the written ones whose sentence and whose topic it is
like. Figures are of the blind set of 2026-11-16 and the development set, which the first fit never sees; their
topics, in five folds, also fit the few numbers that make scores chances, beside plain sentences of scenes. The file that is written learns from
them too.
"""

import argparse
import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from freeform.adapters.ear.graph import TOPIC, TOUCHES
from freeform.adapters.ear.learned import shipped_ear
from freeform.adapters.ear.touching import TouchedTopics, likeness, shipped_pairs
from freeform.language.limit_words import limit_phrases, topic_words

HERE = Path(__file__).parent
SUITE = HERE.parents[1] / "src" / "freeform" / "evals" / "suites" / "safety"
NARROW, NARROW_TOPIC, ANY, EASE = 1.5, 3.0, 0.05, 0.1
"""How narrowly sentences and topics are looked at; what a pair counts for any topic; the ridge."""
OTHERS, FORMS, PLAIN, FAR = 3, 2, 400, 0.35
"""Topics far from its own that a sentence is held against; phrasings of its own; plain sentences."""
ROUNDS, FOLDS = 60, 5
UNSURE = 0.5
"""From this chance on the ear reads both together."""
PLAINS, QUIET, EACH = 200, 300, 2
"""Plain sentences that a topic is held against for good; those that calibrate, by so many topics."""
LEVELS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
Pair = tuple[str, str, bool]


def lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def as_pairs(file: Path) -> list[Pair]:
    """Rows with a sentence, a topic and whether it touches."""
    return [(row["sentence"], row["topic"], row["touches"]) for row in lines(file)]


def blocks() -> list[tuple[list[str], list[tuple[str, bool]]]]:
    """`written/*.txt`: a topic in several phrasings, sentences that touch it and that do not."""
    found: list[tuple[list[str], list[tuple[str, bool]]]] = []
    for file in sorted((HERE / "written").glob("*.txt")):
        for line in filter(None, file.read_text(encoding="utf-8").splitlines()):
            mark, text = line[0], line[2:].strip()
            if mark == "#":
                found.append(([name.strip() for name in text.split(";")], []))
            else:
                found[-1][1].append((text, mark == "+"))
    return found


def vectors(texts: list[str]) -> dict[str, np.ndarray]:
    ours = sorted(set(texts))
    return dict(zip(ours, np.array(shipped_ear().vectors(ours), dtype=np.float32), strict=True))


def far_from(names: list[str], every: list[list[str]], known: dict) -> list[list[str]]:
    """The other topics that are none of these in other words."""
    ours = np.array([known[name] for name in names])
    return [o for o in every if (ours @ np.array([known[n] for n in o]).T).max() < FAR]


def written(luck: random.Random) -> list[Pair]:
    """The blocks as pairs."""
    made, every = [], blocks()
    named = [names for names, _ in every]
    known = vectors([name for names in named for name in names])
    for names, rows in every:
        far = far_from(names, named, known)
        for sentence, touches in rows:
            some = luck.sample(names, min(FORMS, len(names)))
            made += [(sentence, name, touches) for name in some]
            drawn = [luck.choice(luck.choice(far)) for _ in range(OTHERS)]
            made += [(sentence, name, False) for name in drawn]
    return made


def listed(luck: random.Random) -> list[Pair]:
    """Sentences with all they touch of 150 topics, and one that they do not; plain ones of scenes."""
    topics, made = (HERE / "topics.txt").read_text(encoding="utf-8").splitlines(), []
    for row in lines(HERE / "sentences.jsonl"):
        others = [topic for topic in topics if topic not in row["touches"]]
        made += [(row["sentence"], topic, True) for topic in row["touches"]]
        made.append((row["sentence"], luck.choice(others), False))
    names = [name for names, _ in blocks() for name in names]
    return made + [(sentence, luck.choice(names), False) for sentence in plain_ones()[:PLAIN]]


def plain_ones() -> list[str]:
    """Sentences of scenes, in an order that is always the same."""
    plain = []
    for file in sorted((HERE.parent / "answers").glob("*.jsonl")):
        plain += [sentence for row in lines(file) for sentence in row["sentences"]]
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
    ours = as_pairs(HERE / "pairs.jsonl") + listed(luck) + written(luck)
    print(f"{len(ours)} pairs, {sum(pair[2] for pair in ours)} touch")
    held = as_pairs(SUITE / "blind" / "2026-11-16.jsonl") + as_pairs(SUITE / "development.jsonl")
    topics = sorted({pair[1] for pair in held})
    count = len(held)
    for sentence in plain_ones()[PLAIN + PLAINS : PLAIN + PLAINS + QUIET]:
        held += [(sentence, topic, False) for topic in luck.sample(topics, EACH)]
    right = np.array([pair[2] for pair in held])
    named = np.array([limit_phrases((pair[1],)).found_in(pair[0]) for pair in held])
    written_down = np.arange(len(held)) < count
    worth = np.where(written_down, 1.0, count / (len(held) - count))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "touches.npz"
        Fit(ours).kept(np.zeros(4), np.zeros(5), file)
        alone = numbers(file, held)
    ear = shipped_ear()._model.ready()
    heard = ear._pairs([pair[:2] for pair in held], TOPIC)[:, TOUCHES]
    fold = np.array([topics.index(pair[1]) % FOLDS for pair in held])
    both = np.zeros((2, len(held)))
    wide = (alone, np.c_[alone, heard])
    for way, rows in enumerate(wide):
        for n in range(FOLDS):
            learnt = fold != n
            weights = logistic(rows[learnt], right[learnt], worth[learnt])
            both[way, ~learnt] = chance(rows[~learnt], weights)
    chances = np.where(both[0] >= UNSURE, both[1], both[0])
    told("a word of the topic in it", chances[named & written_down], right[named & written_down])
    told("none in it", chances[~named & written_down], right[~named & written_down])
    quiet = ~written_down
    for least in LEVELS:
        print(f"  plain sentences from {least}: {(chances[quiet] >= least).mean():.4f}")
    print(f"read together: {(both[0][quiet] >= UNSURE).mean():.3f} of plain pairs")
    if args.write:
        weights = [logistic(rows, right, worth) for rows in wide]
        Fit(ours + held[:count]).kept(*weights, shipped_pairs())
        print(f"{shipped_pairs().name}: {shipped_pairs().stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

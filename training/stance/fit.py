"""Learns where words stand to a proposal: models/stance.json.

    python training/stance/fit.py --data ../shared/data [--write]

Two sources. `lines.yaml`: lines with their stance, joined with one another and with plain ones.
DeliData's training half (`evals.suites.consensus.is_tuning`), which has no stances: a message that
comes after a choice was put forward by somebody else was said by a person whose own final answer is
known. If it is that choice they did not disagree, if it is another they did not agree; so each such
message has two possible stances, and the model shares its weight between them. Nothing of
DeliData's text is written but single words and pairs of words said in five chats or more.
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import yaml

from freeform.evals.suites.consensus import CardReader, answer_key, is_tuning, load_chats
from freeform.players.words.stances import features

HERE = Path(__file__).parent
MODEL = HERE.parents[1] / "src/freeform/models/stance.json"
COST, STEPS, RATE = 1e-4, 160, 0.06
DISTANT = 0.12
"""What a message of unknown stance counts beside a line of a known one."""
ALONE = 3.0
"""What a written line counts by itself; half beside another."""
BRIEF = 4
"""A message of so few words, by one who ends with that choice, is a yes."""
LEAST = 4
A, D, N = 0, 1, 2
Row = tuple[list[str], tuple[int, ...], float]


def written_rows(seed: int = 1) -> list[Row]:
    """The lines, alone and joined: an opening counts whatever is said after it."""
    table = yaml.safe_load((HERE / "lines.yaml").read_text(encoding="utf-8"))
    chance = random.Random(seed)
    rows: list[Row] = []
    for name, stance in (("agree", A), ("disagree", D), ("neutral", N), ("conditional", A)):
        for line in table[name]:
            rows.append((features(line), (stance,), ALONE))
            rows.append((features(f"{line}. {chance.choice(table['plain'])}"), (stance,), 0.5))
            rows.append((features(f"{chance.choice(table['plain'])} {line}."), (stance,), 0.5))
            if stance != N:
                both = f"{line}. {chance.choice(table[name])}."
                rows.append((features(both), (stance,), 0.5))
    rows += [(features(line), (N,), 0.5) for line in table["plain"]]
    rows += [(features(name), (N,), ALONE) for name in table["names"]]
    return rows


def distant_rows(data: Path) -> list[Row]:
    """Messages of the training half, each with the stances it may have."""
    chats, answers = load_chats(data)
    rows: list[Row] = []
    for id, chat in chats.items():
        if not is_tuning(id):
            continue
        reader, choice, owner = CardReader(text for _, text in chat), "", ""
        for who, text in chat:
            named, decided = reader(text)
            if named and decided >= 0:
                choice, owner = named, who
            elif choice and who != owner:
                same = answer_key(answers[who]) == choice
                brief = len(text.split()) <= BRIEF
                possible = ((A,) if brief else (A, N)) if same else (D, N)
                rows.append((features(text), possible, DISTANT))
    return rows


def fit(rows: list[Row], seed: int = 1) -> tuple[list[str], np.ndarray]:
    """Regression over partial labels: the weight of a row is shared by what is possible for it."""
    counts = Counter(name for found, _, _ in rows for name in set(found))
    names = sorted(name for name, number in counts.items() if number >= LEAST)
    at = {name: n for n, name in enumerate(names)}
    x = np.zeros((len(rows), len(names) + 1), dtype=np.float32)
    x[:, -1] = 1.0
    allowed = np.zeros((len(rows), 3), dtype=np.float32)
    weight = np.array([row[2] for row in rows], dtype=np.float32)
    for n, (found, stances, _) in enumerate(rows):
        for name in found:
            if name in at:
                x[n, at[name]] = 1.0
        allowed[n, list(stances)] = 1.0
    weight = weight / weight.sum()
    w = np.random.default_rng(seed).normal(0, 0.01, (len(names) + 1, 3)).astype(np.float32)
    moment, square = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, STEPS + 1):
        scores = x @ w
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        q = p * allowed
        q /= q.sum(axis=1, keepdims=True)
        slope = x.T @ ((p - q) * weight[:, None]) + COST * w
        moment = 0.9 * moment + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        w -= RATE * (moment / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return names, w


def held_lines(rows: list[Row], distant: list[Row], folds: int = 3) -> float:
    """How often a written line is read rightly by a model that had no part of its fold."""
    right = total = 0
    single = [n for n, row in enumerate(rows) if row[2] == ALONE]
    order = random.Random(3).sample(single, len(single))
    for fold in range(folds):
        out = set(order[fold::folds])
        kept = [row for n, row in enumerate(rows) if not any(n - k in out for k in range(4))]
        names, w = fit(kept + distant)
        at = {name: n for n, name in enumerate(names)}
        for n in out:
            scores = w[-1] + sum((w[at[f]] for f in set(rows[n][0]) if f in at), np.zeros(3))
            right += int(scores.argmax()) == rows[n][1][0]
            total += 1
    return right / total


def main() -> None:
    """Fits, prints what lines left out are read as, and writes the weights."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--data", type=Path, required=True)
    told.add_argument("--write", action="store_true")
    told.add_argument("--check", action="store_true", help="also read lines that were left out")
    args = told.parse_args()
    written, distant = written_rows(), distant_rows(args.data)
    print(f"{len(written)} written rows, {len(distant)} messages")
    if args.check:
        alone, both = held_lines(written, []), held_lines(written, distant)
        print(f"lines left out, three folds: written alone {alone:.3f}, with messages {both:.3f}")
    names, w = fit(written + distant)
    if args.write:
        rows = {name: [round(float(v), 2) for v in w[n]] for n, name in enumerate(names)}
        kept = {name: row for name, row in rows.items() if max(row) - min(row) >= 0.1}
        document = {"features": kept, "bias": [round(float(v), 3) for v in w[-1]]}
        MODEL.write_text(json.dumps(document, separators=(",", ":"), sort_keys=True) + "\n")
        print(f"{len(kept)} features, {MODEL.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()

"""Learns what sayings come to in one situation or another: models/sayings.npz and those beside it.

    python training/asked/fit_parts.py [--write] [sayings] [along] [situation]

A softmax for each file beside this that is named in `FILES`, over what `fit.py` has for a text (its
vector, the ear's last layer, its words); run after `fit.py --write`. Figures are of sayings left out.
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import yaml
from fit import LEAST, MODEL, heard, kind_weights, left_out, restored, said_of, vocabulary

from freeform.adapters.ear.sense import piece_means, unit
from freeform.adapters.encoder.table import Floats
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.likeness import SLOT, example_texts
from freeform.language.meaning.sense import asking_words

HERE = Path(__file__).parent
FILES = {"sayings": ("foes", "feats"), "along": ("along",), "situation": ("situation",)}
ADDED, MOST_ADDED = "feats", 450
"""The part whose last kind gets deeds of `training/outcomes` besides."""
ASKED, OTHER = "situation", "other"
"""The part that learns from the examples of questions and remarks, too, and what else is asked."""
FILLED = ("the lamp", "her brother", "the old mill", "the key")
"""What is spoken of where an example has a gap."""


def learnt(part: str, kept: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The weights of a part, by what sayings are known to come to."""
    told = yaml.safe_load((HERE / f"{part}.yaml").read_text(encoding="utf-8"))
    names = list(told)
    if part == ADDED:
        told[names[-1]] += outcomes()[:MOST_ADDED]
    if part == ASKED:
        for kind, texts in examples("questions").items():
            told[kind if kind in told else OTHER] += texts
        told |= examples("table_talk")
        names = list(told)
    pairs = [(number, text) for number, name in enumerate(names) for text in told[name]]
    texts = [text for _, text in pairs]
    known, rows = rows_of(texts, kept)
    order = np.random.default_rng(1).permutation(len(texts))
    kinds = np.array([number for number, _ in pairs])[order]
    print(part, len(texts), "sayings:", left_out(rows[order], kinds))
    weights, more = kind_weights(rows[order], kinds)
    return {
        f"{part}.kinds": np.array(names),
        f"{part}.words": np.array(known),
        part: weights.astype(np.float16),
        f"{part}.more": more.astype(np.float32),
    }


def outcomes() -> list[str]:
    """Deeds that somebody could do, in some order."""
    found: list[str] = []
    for file in sorted((HERE.parent / "outcomes").glob("*.jsonl")):
        lines = file.read_text(encoding="utf-8").splitlines()
        found += [json.loads(line)["deed"] for line in lines]
    random.Random(1).shuffle(found)
    return found


def examples(table: str) -> dict[str, list[str]]:
    """The examples of a table, gaps filled, by their kind; a day is asked for like an hour."""
    found: dict[str, list[str]] = {}
    for number, (kind, text) in enumerate(example_texts(table)):
        named = FILLED[number % len(FILLED)]
        found.setdefault("hour" if kind == "day" else kind, []).append(text.replace(SLOT, named))
    return found


def rows_of(texts: list[str], kept: dict[str, np.ndarray]) -> tuple[list[str], Floats]:
    """The words that count, and what each text is told by."""
    pieces, worth = restored("pieces", kept), kept["worth"].astype(np.float32)
    vectors = unit(piece_means(texts, WordPiece(vocabulary()), pieces, worth) + kept["shift"])
    layers = unit(heard(texts) @ restored("layers", kept) + kept["layers.shift"])
    counted = Counter(word for text in texts for word in asking_words(text))
    known = sorted(word for word, times in counted.items() if times >= LEAST)
    return known, np.hstack([vectors, layers, said_of(texts, known)])


def main() -> None:
    """Learns, measures, writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("files", nargs="*", choices=[*FILES, []], help="all without")
    args = parser.parse_args()
    with np.load(MODEL, allow_pickle=False) as found:
        kept = dict(found)
    for name in args.files or FILES:
        made: dict[str, np.ndarray] = {}
        for part in FILES[name]:
            made |= learnt(part, kept)
        if args.write:
            file = MODEL.with_name(f"{name}.npz")
            np.savez_compressed(file, **made)
            print(file.name, file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()

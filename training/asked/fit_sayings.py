"""Learns what is done by telling someone something: the part `told` of models/sense.npz.

    python training/asked/fit_sayings.py [--write]

A softmax over what `fit.py` has for a text (its vector, the ear's last layer, its words), learnt
from `sayings.yaml`; run after `fit.py --write`, which makes that file anew. Figures are of sayings
left out.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
import yaml
from fit import LEAST, MODEL, heard, kind_weights, left_out, restored, said_of, vocabulary

from freeform.adapters.ear.sense import piece_means, unit
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.meaning.sense import TOLD_KINDS, asking_words

SAYINGS = Path(__file__).parent / "sayings.yaml"


def main() -> None:
    """Learns, measures, writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    told = yaml.safe_load(SAYINGS.read_text(encoding="utf-8"))
    pairs = [(kind, text) for kind in TOLD_KINDS for text in told[kind]]
    texts = [text for _, text in pairs]
    kinds = np.array([TOLD_KINDS.index(kind) for kind, _ in pairs])
    with np.load(MODEL, allow_pickle=False) as found:
        kept = dict(found)
    pieces, worth = restored("pieces", kept), kept["worth"].astype(np.float32)
    vectors = unit(piece_means(texts, WordPiece(vocabulary()), pieces, worth) + kept["shift"])
    layers = unit(heard(texts) @ restored("layers", kept) + kept["layers.shift"])
    counted = Counter(word for text in texts for word in asking_words(text))
    known = sorted(word for word, times in counted.items() if times >= LEAST)
    order = np.random.default_rng(1).permutation(len(texts))
    rows = np.hstack([vectors, layers, said_of(texts, known)])[order]
    print(len(texts), "sayings:", left_out(rows, kinds[order]))
    weights, more = kind_weights(rows, kinds[order])
    if args.write:
        kept |= {"told": weights.astype(np.float16), "told.more": more.astype(np.float32)}
        np.savez_compressed(MODEL, **{**kept, "told.words": np.array(known)})
        print(MODEL.name, MODEL.stat().st_size, "bytes")


if __name__ == "__main__":
    main()

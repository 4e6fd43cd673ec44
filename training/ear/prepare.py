"""Makes what training starts from: all-MiniLM-L6's weights for the words we keep, and those words."""

import argparse
import json
from pathlib import Path

import numpy as np
from corpus import read_corpus
from minilm import arranged, kept_words
from outcomes import read_outcomes
from pairs import read_moments, read_pairs
from premises import read_premises

from freeform.adapters.ear.graph import LONGEST
from freeform.adapters.ear.learned import shipped_file
from freeform.adapters.embeddings.weights import read_safetensors
from freeform.adapters.encoder.protobuf import notes

KEPT = 9_000
"""Word pieces: what fits 15 MB together with six layers of int8."""


def texts_of(corpus: list[Path], root: Path) -> list[str]:
    """What players typed, the pairs, the moments, premises, outcomes, the scenes, and the words the game knows."""
    texts = [example.text for example in read_corpus(*corpus)]
    for pair in read_pairs(root / "training" / "touches"):
        texts += [pair.sentence, pair.topic]
    for moment in read_moments(root / "training" / "answers"):
        texts += [*moment.sentences, *(question.text for question in moment.questions)]
    texts += [premise.text for premise in read_premises(root / "training" / "premises")]
    texts += [outcome.deed for outcome in read_outcomes(root / "training" / "outcomes")]
    scenes = json.loads((root / "training" / "ear" / "corpus" / "scenes.json").read_text("utf-8"))
    texts += [entity["name"] for scene in scenes.values() for entity in scene["entities"]]
    cues = root / "src" / "freeform" / "language" / "cues"
    return texts + [file.read_text("utf-8") for file in sorted(cues.glob("*.yaml"))]


def shipped_words() -> list[str]:
    """The word pieces of the shipped ear: what was learnt of their numbers beside it stays true."""
    return notes(shipped_file().read_bytes())["vocabulary"].split("\n")


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.safetensors, vocab.txt")
    parser.add_argument("--corpus", type=Path, nargs="+", default=[here / "corpus"])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--same-words", action="store_true", help="those of the shipped ear")
    args = parser.parse_args()
    listed = (args.model / "vocab.txt").read_text(encoding="utf-8").splitlines()
    if args.same_words:
        kept = [listed.index(word) for word in shipped_words()]
    else:
        kept = kept_words(listed, texts_of(args.corpus, here.parents[1]), KEPT)
    start = arranged(read_safetensors(args.model / "model.safetensors"), kept, LONGEST)
    args.out.mkdir(parents=True, exist_ok=True)
    np.savez(args.out / "start.npz", **{n: t.astype(np.float16) for n, t in start.items()})
    words = "\n".join(listed[at] for at in kept)
    (args.out / "vocab.txt").write_text(words + "\n", encoding="utf-8")
    print(f"{len(kept)} words")


if __name__ == "__main__":
    main()

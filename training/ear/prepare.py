"""Makes what training starts from: all-MiniLM-L6's weights for the words we keep, and those words."""

import argparse
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
from corpus import read_corpus
from outcomes import read_outcomes
from pairs import read_moments, read_pairs
from premises import read_premises

from freeform.adapters.ear.graph import LONGEST
from freeform.adapters.embeddings.weights import read_safetensors

KEPT = 9_000
"""Word pieces: what fits 15 MB together with six layers of int8."""
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
FIRST_WORD = 1_996
"""Where the list's words begin, the commonest first."""
PARTS = {
    "mix": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm1": "attention.output.LayerNorm",
    "norm2": "output.LayerNorm",
}


def kept_words(listed: list[str], texts: list[str]) -> list[int]:
    """Marks, letters and their continuations, what the texts hold, then the commonest of the list."""
    place = {word: at for at, word in enumerate(listed)}
    letters = [at for at, w in enumerate(listed) if re.fullmatch(r"(##)?[\x21-\x7e’‘“”–—…]", w)]
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(re.findall(r"[a-z]+|[0-9]+", text.lower()))
    seen = [place[word] for word, _ in counts.most_common() if word in place]
    plain = re.compile(r"(##)?[a-z0-9']+")
    common = [at for at in range(FIRST_WORD, len(listed)) if plain.fullmatch(listed[at])]
    marks = [place[mark] for mark in SPECIAL]
    order = dict.fromkeys([*marks, *letters, *seen, *common])
    return sorted(list(order)[:KEPT])


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


def arranged(raw: dict[str, np.ndarray], kept: list[int]) -> dict[str, np.ndarray]:
    """The tensors under the names that `model.EarModel` gives them."""
    raw = {name.removeprefix("bert."): tensor for name, tensor in raw.items()}
    kind = raw["embeddings.token_type_embeddings.weight"][0]
    made = {
        "words.weight": raw["embeddings.word_embeddings.weight"][kept],
        "places.weight": raw["embeddings.position_embeddings.weight"][:LONGEST] + kind,
        "norm.weight": raw["embeddings.LayerNorm.weight"],
        "norm.bias": raw["embeddings.LayerNorm.bias"],
    }
    for layer in range(6):
        theirs, ours = f"encoder.layer.{layer}.", f"layers.{layer}."
        for end in ("weight", "bias"):
            looks = [raw[f"{theirs}attention.self.{p}.{end}"] for p in ("query", "key", "value")]
            made[f"{ours}look.{end}"] = np.concatenate(looks)
            for name, part in PARTS.items():
                made[f"{ours}{name}.{end}"] = raw[f"{theirs}{part}.{end}"]
    return made


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="model.safetensors, vocab.txt")
    parser.add_argument("--corpus", type=Path, nargs="+", default=[here / "corpus"])
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    listed = (args.model / "vocab.txt").read_text(encoding="utf-8").splitlines()
    kept = kept_words(listed, texts_of(args.corpus, here.parents[1]))
    start = arranged(read_safetensors(args.model / "model.safetensors"), kept)
    args.out.mkdir(parents=True, exist_ok=True)
    np.savez(args.out / "start.npz", **{n: t.astype(np.float16) for n, t in start.items()})
    words = "\n".join(listed[at] for at in kept)
    (args.out / "vocab.txt").write_text(words + "\n", encoding="utf-8")
    print(f"{len(kept)} words")


if __name__ == "__main__":
    main()

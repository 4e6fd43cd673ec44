"""How a model file hears inputs it never learnt from, and the numbers that make its chances match there.

    PYTHONPATH=src:training python training/ear/beside.py --model OUT/ear.onnx --corpus FOLDER [--out tuning.json]

For a model of all inputs, of which no fold was held back: the inputs of the newest strangers.
"""

import argparse
import json
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np
from calibrate import Held, cut_of, judged, tuned
from corpus import FOLDS, Example, folds_of, read_corpus
from figures import Score

from freeform.adapters.ear.decode import Scores, by_words, heard_in
from freeform.adapters.ear.graph import LONGEST
from freeform.adapters.ear.learned import shipped_file
from freeform.adapters.ear.tuning import Tuning
from freeform.adapters.encoder.headed import headed_runner
from freeform.adapters.encoder.protobuf import notes
from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.language.ear import KINDS


def heard_by(model: bytes, examples: list[Example]) -> list[Held]:
    """What the model says of every input, by folds over scenes."""
    words = WordPiece(notes(model)["vocabulary"].split("\n"))
    run, folds = headed_runner(model), folds_of([example.scene for example in examples])
    found = []
    for example in examples:
        pieces = words.pieces(example.text, signs_apart=True)[: LONGEST - 2]
        kinds = np.zeros((1, len(pieces) + 2), dtype=np.int64)
        for start, end, kind in example.named:
            for at, piece in enumerate(pieces, start=1):
                if start < piece.end and piece.start < end:
                    kinds[0, at] = KINDS.index(kind) + 1
        ids = np.array([[words.start, *(piece.number for piece in pieces), words.end]])
        tokens, texts = run(ids, kinds, np.ones(ids.shape, dtype=np.float32))
        places = [(piece.start, piece.end) for piece in pieces]
        rows, places = by_words(tokens[0, 1:-1], places, example.text)
        found.append(Held(example, Scores(rows, texts[0]), places, folds[example.scene], []))
    return found


def as_shipped(held: list[Held], tuning: Tuning) -> Score:
    """The figures with these numbers."""
    score = Score()
    for one in held:
        score.add(one.example, heard_in(one.scores, one.places, tuning))
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=shipped_file())
    parser.add_argument("--corpus", type=Path, nargs="+", required=True)
    parser.add_argument("--tuning", type=Path, default=Path(__file__).parent / "tuning.json")
    parser.add_argument("--out", type=Path, default=None)
    args = parser.parse_args()
    held = heard_by(args.model.read_bytes(), read_corpus(*args.corpus))
    given = json.loads(args.tuning.read_text(encoding="utf-8"))
    known = {field.name for field in fields(Tuning)}
    shipped = Tuning(
        **{n: tuple(v) if isinstance(v, list) else v for n, v in given.items() if n in known}
    )
    print(f"{len(held)} inputs in {len({one.example.scene for one in held})} scenes, {FOLDS} folds")
    print("with the numbers there are:", json.dumps(as_shipped(held, shipped).figures()))
    cut = cut_of(held, shipped)
    print("with numbers of the other scenes:", json.dumps(judged(held, cut).figures()))
    if args.out:
        numbers = given | asdict(tuned(held, cut))
        args.out.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

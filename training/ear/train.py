"""READ THIS FIRST. Trains the ear: a minute on a graphics card, hours on a processor. Needs PyTorch, only here.

python training/ear/prepare.py --model FOLDER --out START       once: weights and words to start from
python training/ear/train.py --start START --out OUT --fold 2   one fold: scores of the scenes held back
python training/ear/train.py --start START --out OUT            everything: the model that is shipped
"""

import argparse
import random
from collections.abc import Iterable, Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from batches import Row, outcome_row, pair_row, premise_row, row_of, side_by_side
from corpus import Example, folds_of, read_corpus
from drawing import Drawing
from encoder import NEW
from loss import loss_of
from model import EarModel
from outcomes import Outcome, read_outcomes
from pairs import Moment, Pair, read_moments, read_pairs
from premises import Premise, read_premises

from freeform.adapters.ear.graph import ANSWERS, QUESTION, TOUCHES, build
from freeform.adapters.encoder.wordpiece import WordPiece

FAST = 5
"""How much faster the parts learn that all-MiniLM-L6 has not."""
WARM, LEAST = 0.06, 0.02


def train(drawing: Drawing, start: dict[str, np.ndarray], args: argparse.Namespace) -> EarModel:
    """An ear that heard the examples so many times."""
    # Batches are drawn by other processes, begun before this one holds a graphics card.
    with get_context("fork").Pool(2, _keep, (drawing,)) as pool:
        epochs = pool.imap(_epoch, range(args.epochs))
        return _trained(epochs, args.epochs * drawing.steps, start, args)


_DRAWINGS: list[Drawing] = []
"""In a process that draws: what it draws from, kept from the fork, since it cannot be sent."""


def _keep(drawing: Drawing) -> None:
    _DRAWINGS.append(drawing)


def _epoch(number: int) -> list[dict[str, np.ndarray]]:
    return _DRAWINGS[0].epoch(number)


def _trained(
    epochs: Iterable[list[dict[str, np.ndarray]]],
    steps: int,
    start: dict[str, np.ndarray],
    args: argparse.Namespace,
) -> EarModel:
    torch.manual_seed(args.seed)
    ear = EarModel(len(start["words.weight"]))
    ear.begin_from(start)
    ear.to(args.device).train()
    ear.words.weight.requires_grad_(False)
    named = [(name, p) for name, p in ear.named_parameters() if p.requires_grad]
    body = [p for name, p in named if not name.startswith(NEW)]
    new = [p for name, p in named if name.startswith(NEW)]
    groups = [{"params": body, "lr": args.rate}, {"params": new, "lr": FAST * args.rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=args.device != "cpu")
    plan = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(1.0, (step + 1) / (WARM * steps)) * max(LEAST, 1 - step / steps),
    )
    half = torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.device != "cpu")
    for batch in (batch for batches in epochs for batch in batches):
        with half:
            loss = loss_of(ear, _on(batch, args.device))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(ear.parameters(), 1.0)
        optimizer.step()
        plan.step()
    return ear.eval()


def _on(batch: dict[str, np.ndarray], device: str) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(values).to(device) for name, values in batch.items()}


@torch.no_grad()
def scores_of(
    ear: EarModel, rows: Sequence[Row], device: str
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """For each row the scores of its tokens, without the marks at both ends, and of its text."""
    tokens: list[np.ndarray] = []
    texts: list[np.ndarray] = []
    for first in range(0, len(rows), 64):
        some = rows[first : first + 64]
        batch = _on(side_by_side(some), device)
        token, text = ear(batch["ids"], batch["kinds"], batch["mask"])
        for n, row in enumerate(some):
            tokens.append(token[n, 1 : len(row.ids) - 1].float().cpu().numpy())
            texts.append(text[n].float().cpu().numpy())
    return tokens, texts


class Fold:
    """What is held back: scenes, moments, topics, and some sentences of the other topics."""

    def __init__(
        self,
        number: int,
        examples: Sequence[Example],
        pairs: Sequence[Pair],
        moments: Sequence[Moment],
        premises: Sequence[Premise],
        outcomes: Sequence[Outcome],
    ) -> None:
        scenes = folds_of([example.scene for example in examples])
        topics = folds_of([pair.topic for pair in pairs])
        self.number = number
        self.held = [n for n, e in enumerate(examples) if scenes[e.scene] == number]
        self.new_topics = [n for n, p in enumerate(pairs) if topics[p.topic] == number]
        self.new_sentences = [
            n for n, p in enumerate(pairs) if topics[p.topic] != number and n % 10 == number
        ]
        at = folds_of([moment.id for moment in moments])
        self.new_moments = [moment for moment in moments if at[moment.id] == number]
        self.rest_moments = [moment for moment in moments if at[moment.id] != number]
        of_premise = folds_of([premise.id for premise in premises])
        self.new_premises = [p for p in premises if of_premise[p.id] == number]
        self.rest_premises = [p for p in premises if of_premise[p.id] != number]
        of_outcome = folds_of([outcome.hand for outcome in outcomes])
        self.new_outcomes = [o for o in outcomes if of_outcome[o.hand] == number]
        self.rest_outcomes = [o for o in outcomes if of_outcome[o.hand] != number]
        self.rest = [e for e in examples if scenes[e.scene] != number]
        held_pairs = {*self.new_topics, *self.new_sentences}
        self.rest_pairs = [p for n, p in enumerate(pairs) if n not in held_pairs]

    def keep_share(self, share: float) -> None:
        """Only some of the scenes and topics, to see how much more of them helps."""
        scenes = self._some({example.scene for example in self.rest}, share)
        topics = self._some({pair.topic for pair in self.rest_pairs}, share)
        self.rest = [example for example in self.rest if example.scene in scenes]
        self.rest_pairs = [pair for pair in self.rest_pairs if pair.topic in topics]

    def _some(self, names: set[str], share: float) -> set[str]:
        ordered = sorted(names)
        return set(random.Random(self.number).sample(ordered, round(share * len(ordered))))


def held_scores(
    ear: EarModel, fold: Fold, examples: Sequence[Example], pairs: Sequence[Pair], words: WordPiece
) -> dict[str, np.ndarray]:
    """What the ear says of all that was held back; inputs with and without what they name."""
    device = str(ear.words.weight.device)
    made = {
        "held": np.array(fold.held),
        "new_topics": np.array(fold.new_topics),
        "new_sentences": np.array(fold.new_sentences),
    }
    for name in ("named", "bare"):
        there = [examples[n] for n in fold.held]
        rows = [row_of(e, words, e.named if name == "named" else ()) for e in there]
        tokens, texts = scores_of(ear, rows, device)
        made[f"{name}_lengths"] = np.array([len(row) for row in tokens])
        made[f"{name}_tokens"] = np.concatenate(tokens).astype(np.float16)
        made[f"{name}_texts"] = np.stack(texts).astype(np.float16)
    for name in ("new_topics", "new_sentences"):
        rows = [pair_row(words, pairs[n]) for n in made[name]]
        made[f"{name}_touch"] = np.stack(scores_of(ear, rows, device)[1])[:, TOUCHES]
    rows = [premise_row(words, premise) for premise in fold.new_premises]
    tokens, texts = scores_of(ear, rows, device)
    made["premise_lengths"] = np.array([len(row) for row in tokens])
    made["premise_tokens"] = np.concatenate(tokens).astype(np.float16)
    made["premise_texts"] = np.stack(texts).astype(np.float16)
    rows = [outcome_row(words, outcome) for outcome in fold.new_outcomes]
    tokens, texts = scores_of(ear, rows, device)
    made["outcome_lengths"] = np.array([len(row) for row in tokens])
    made["outcome_tokens"] = np.concatenate(tokens).astype(np.float16)
    made["outcome_texts"] = np.stack(texts).astype(np.float16)
    beside = beside_all(fold.new_moments)
    if beside:
        rows = [pair_row(words, pair) for pair in beside]
        made["answers"] = np.stack(scores_of(ear, rows, device)[1])[:, ANSWERS]
    return made


def beside_all(moments: Sequence[Moment]) -> list[Pair]:
    """Every question of these moments beside every sentence of its moment, in order."""
    made: list[Pair] = []
    for moment in moments:
        for question in moment.questions:
            for n, sentence in enumerate(moment.sentences):
                made.append(Pair(sentence, question.text, n in question.by, 1.0, QUESTION))
    return made


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, nargs="+", default=[here / "corpus"])
    parser.add_argument("--pairs", type=Path, default=here.parent / "touches")
    parser.add_argument("--moments", type=Path, default=here.parent / "answers")
    parser.add_argument("--premises", type=Path, default=here.parent / "premises")
    parser.add_argument("--outcomes", type=Path, default=here.parent / "outcomes")
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of what is not held back")
    parser.add_argument("--alone", action="store_true", help="without the pairs")
    parser.add_argument("--fold", type=int, default=None)
    parser.add_argument("--export", action="store_true", help="the fold's model, too")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    start = dict(np.load(args.start / "start.npz"))
    vocabulary = (args.start / "vocab.txt").read_text(encoding="utf-8")
    words = WordPiece(vocabulary.splitlines())
    examples = read_corpus(*args.corpus)
    pairs, moments = read_pairs(args.pairs), read_moments(args.moments)
    premises, outcomes = read_premises(args.premises), read_outcomes(args.outcomes)
    args.out.mkdir(parents=True, exist_ok=True)
    if args.fold is None:
        drawing = Drawing(examples, pairs, moments, premises, outcomes, words, args.seed)
        ear = train(drawing, start, args)
        args.export = True
        file = args.out / "ear.onnx"
    else:
        fold = Fold(args.fold, examples, pairs, moments, premises, outcomes)
        fold.keep_share(args.share)
        rest_pairs = [] if args.alone else fold.rest_pairs
        rest_moments = [] if args.alone else fold.rest_moments
        drawing = Drawing(
            fold.rest,
            rest_pairs,
            rest_moments,
            fold.rest_premises,
            fold.rest_outcomes,
            words,
            args.seed,
        )
        ear = train(drawing, start, args)
        scores = held_scores(ear, fold, examples, pairs, words)
        np.savez_compressed(args.out / f"fold{args.fold}.npz", **scores)
        file = args.out / f"fold{args.fold}.onnx"
        print(f"fold {args.fold}: {len(fold.rest)} inputs, {len(rest_pairs)} pairs", flush=True)
    if args.export:
        notes = {"vocabulary": vocabulary.rstrip("\n"), "tuning": "{}"}
        file.write_bytes(build(ear.table(), notes))


if __name__ == "__main__":
    main()

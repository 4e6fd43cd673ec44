"""READ THIS FIRST. Trains the ear and says how well it hears scenes it never saw. Needs PyTorch, only here.

python training/ear/prepare.py --model FOLDER --out START       once: weights and words to start from
python training/ear/train.py --start START --out OUT            five folds over scenes, then figures
python training/ear/train.py --start START --out OUT --fold 2   one of them, to run side by side
"""

import argparse
import json
import math
import random
from pathlib import Path

import numpy as np
import torch
from batches import batch_of, row_of
from corpus import Example, read_corpus
from hearing import Score, hear
from model import PER_TOKEN, Ear
from tokenizers import BertWordPieceTokenizer
from torch.nn import functional

SIZE, FOLDS = 32, 5
RARE = 3.0
"""How much more a yes counts than a no, where there are few."""


def loss_of(ear: Ear, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """What is wrong of acts, families, flags, spans and the whole, added up."""
    token, whole = ear(batch["ids"], batch["mask"])
    begins, family, flags, tags = token.float().split(PER_TOKEN, -1)
    real = batch["real"]
    rare = torch.tensor(RARE, device=begins.device)
    yes_no = functional.binary_cross_entropy_with_logits
    loss = yes_no(begins[..., 0][real], batch["begins"][real], pos_weight=rare)
    loss = loss + yes_no(flags[real], batch["flags"][real], pos_weight=rare)
    loss = loss + functional.cross_entropy(tags.flatten(0, 1), batch["tags"].flatten())
    loss = loss + 1.5 * functional.cross_entropy(
        family.flatten(0, 1), batch["family"].flatten(), label_smoothing=0.05
    )
    return loss + 8 * yes_no(whole.float(), batch["whole"], pos_weight=rare)


def train(
    examples: list[Example],
    start: dict[str, np.ndarray],
    words: BertWordPieceTokenizer,
    args: argparse.Namespace,
) -> Ear:  # fmt: skip — four things that belong on one line each would hide the shortness
    """An ear that heard the examples so many times."""
    torch.manual_seed(args.seed)
    luck = random.Random(args.seed)
    ear = Ear(len(start["words.weight"]))
    ear.begin_from(start)
    ear.to(args.device).train()
    ear.words.weight.requires_grad_(False)
    heads = [*ear.token.parameters(), *ear.whole.parameters()]
    body = [p for n, p in ear.named_parameters() if p.requires_grad and "." in n]
    body = [p for p in body if all(p is not head for head in heads)]
    groups = [{"params": body, "lr": args.rate}, {"params": heads, "lr": 5 * args.rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = args.epochs * math.ceil(len(examples) / SIZE)
    warm = 0.06 * steps
    plan = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / warm) * max(0.02, 1 - step / steps)
    )
    half = torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.device != "cpu")
    for _ in range(args.epochs):
        order = luck.sample(examples, len(examples))
        for first in range(0, len(order), SIZE):
            rows = [row_of(example, words, luck) for example in order[first : first + SIZE]]
            with half:
                loss = loss_of(ear, batch_of(rows, args.device))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(ear.parameters(), 1.0)
            optimizer.step()
            plan.step()
    return ear.eval()


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, nargs="+", default=[here / "corpus"])
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fold", type=int, default=None)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    start = dict(np.load(args.start / "start.npz"))
    words = BertWordPieceTokenizer(str(args.start / "vocab.txt"), lowercase=True)
    examples = read_corpus(*args.corpus)
    scenes = sorted({example.scene for example in examples})
    random.Random(7).shuffle(scenes)
    args.out.mkdir(parents=True, exist_ok=True)
    for fold in range(FOLDS) if args.fold is None else [args.fold]:
        held = set(scenes[fold::FOLDS])
        ear = train([e for e in examples if e.scene not in held], start, words, args)
        score = Score()
        for example in examples:
            if example.scene in held:
                score.add(example, hear(ear, words, example.text, args.device))
        figures = {"fold": fold, **score.figures()}
        print(json.dumps(figures), flush=True)
        (args.out / f"fold{fold}.json").write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()

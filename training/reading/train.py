"""READ THIS FIRST. Trains the reader: minutes on a graphics card. Needs PyTorch, only here.

PYTHONPATH=src:training python training/reading/prepare.py --model FOLDER --public FOLDER --out START
PYTHONPATH=src:training python training/reading/train.py --start START --out OUT --hold q03 q08
PYTHONPATH=src:training python training/reading/train.py --start START --out OUT         the model that is shipped

With `--harder` the reader it starts from (`prepare.py --go-on`) first says which passages it would take wrongly, and
those stand beside the right one.
"""

import argparse
import json
from collections.abc import Iterable
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from drawing import BESIDE, PARTS, Drawing, Texts, side_by_side
from encoder import NEW, HeadedEncoder
from torch.nn import functional

from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.adapters.reader.graph import LONGEST, PASSAGE, PER_TEXT, PER_TOKEN, build

FAST = 5
"""How much faster the parts learn that all-MiniLM-L6 has not."""
WARM, LEAST = 0.06, 0.02
INSIDE = 2.0
"""What the parts of answers weigh beside where they begin and end."""
SHUT = -1e4
HARDER = 10
"""Passages that a reader takes for an answer first, and wrongly."""


def loss_of(reader: HeadedEncoder, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Whether it answers; where answers begin and end, and what is inside them, where it does."""
    token, text = reader(batch["ids"], batch["kinds"], batch["mask"])
    token, text = token.float(), text.float()
    answers = batch["answers"]
    loss = functional.binary_cross_entropy_with_logits(text[:, 0], answers)
    loss = loss + _before_others(text[:, 0], answers)
    some = answers > 0
    if not bool(some.any()):
        return loss
    told = batch["told"][some]
    for at, name in enumerate(("begins", "ends")):
        scores = token[some][..., at].masked_fill(~told, SHUT)
        right = scores.masked_fill(batch[name][some] == 0, SHUT)
        loss = loss + (scores.logsumexp(1) - right.logsumexp(1)).mean() / 2
    inside = functional.binary_cross_entropy_with_logits(
        token[some][..., 2], batch["inside"][some].float(), reduction="none"
    )
    return loss + INSIDE * (inside * told).sum() / told.sum()


def _before_others(scores: torch.Tensor, answers: torch.Tensor) -> torch.Tensor:
    """How far the row that answers stands before those beside it."""
    groups, first = scores.view(-1, 1 + BESIDE), answers.view(-1, 1 + BESIDE)[:, 0] > 0
    if not bool(first.any()):
        return scores.sum() * 0
    return (groups[first].logsumexp(1) - groups[first][:, 0]).mean()


def begun(start: dict[str, np.ndarray], device: str) -> HeadedEncoder:
    """A reader with the weights that training starts from."""
    reader = HeadedEncoder(len(start["words.weight"]), LONGEST, PASSAGE + 1, (PER_TOKEN, PER_TEXT))
    reader.begin_from(start)
    return reader.to(device).eval()


def train(
    parts: Iterable[list[dict[str, np.ndarray]]],
    steps: int,
    start: dict[str, np.ndarray],
    args: argparse.Namespace,
) -> HeadedEncoder:
    """A reader that read the rows so many times."""
    torch.manual_seed(args.seed)
    reader = begun(start, args.device).train()
    named = list(reader.named_parameters())
    body = [p for name, p in named if not name.startswith(NEW)]
    new = [p for name, p in named if name.startswith(NEW)]
    groups = [{"params": body, "lr": args.rate}, {"params": new, "lr": FAST * args.rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=args.device != "cpu")
    plan = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (WARM * steps)) * max(LEAST, 1 - step / steps)
    )
    half = torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.device != "cpu")
    for batches in parts:
        total = torch.zeros((), device=args.device)
        for batch in batches:
            with half:
                loss = loss_of(reader, _on(batch, args.device))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            plan.step()
            total += loss.detach()
        print(f"loss {total.item() / len(batches):.3f}", flush=True)
    return reader.eval()


def _on(batch: dict[str, np.ndarray], device: str) -> dict[str, torch.Tensor]:
    placed = {name: torch.from_numpy(values).to(device) for name, values in batch.items()}
    return placed | {name: placed[name].long() for name in ("ids", "kinds")}


@torch.no_grad()
def held_rows(
    reader: HeadedEncoder, drawing: Drawing, device: str
) -> list[dict[str, float | bool]]:
    """For each question held back, all passages of its table: the score of the best, whether that
    answers, and how many of the words are right; for one that nothing answers, the score alone."""
    texts, rows = drawing.texts, []
    passages = _passages_of(texts)
    for question in drawing.chosen:
        found = texts.spans[question]
        among = passages[texts.group_of[question]]
        batch = _on(_each(drawing, question, among), device)
        token, text = reader(batch["ids"], batch["kinds"], batch["mask"])
        best = int(text[:, 0].argmax())
        inside = (token[best, :, 2] > 0) & batch["told"][best]
        want = batch["inside"][best] > 0
        both = float((inside & want).sum())
        shared = 2 * both / max(1.0, float(inside.sum() + want.sum()))
        right = among[best] in found
        rows.append(
            {"score": float(text[best, 0]), "known": bool(found), "right": right, "words": shared}
        )
    return rows


@torch.no_grad()
def harder(reader: HeadedEncoder, drawing: Drawing, device: str) -> None:
    """Puts what a reader takes wrongly beside each of our questions, before what shares words."""
    texts = drawing.texts
    passages = _passages_of(texts)
    half = torch.autocast(device, dtype=torch.bfloat16, enabled=device != "cpu")
    for question in drawing.ours:
        among = passages[texts.group_of[question]]
        spared = {*texts.spans[question], *texts.either[question]}
        among = [passage for passage in among if passage not in spared]
        batch = _on(_each(drawing, question, among), device)
        with half:
            scores = reader(batch["ids"], batch["kinds"], batch["mask"])[1][:, 0]
        first = [among[n] for n in scores.argsort(descending=True)[:HARDER].tolist()]
        texts.near[question] = list(dict.fromkeys([*first, *texts.near[question][:HARDER]]))


def _each(drawing: Drawing, question: int, among: list[int]) -> dict[str, np.ndarray]:
    """Whole passages, each beside a question."""
    texts = drawing.texts
    found = texts.spans[question]
    rows = [drawing.row(question, p, (0, len(texts.passages[p])), found.get(p, [])) for p in among]
    return side_by_side(rows)


def _passages_of(texts: Texts) -> dict[int, list[int]]:
    """The passages of each of our groups: those that answer or nearly answer its questions."""
    found: dict[int, set[int]] = {}
    for question, group in enumerate(texts.group_of):
        if texts.is_ours(question):
            found.setdefault(group, set()).update(texts.spans[question], texts.near[question])
    return {group: sorted(passages) for group, passages in found.items()}


_held: list[Drawing] = []
"""What each process draws from: it comes with the fork, for it cannot be sent."""


def _keep(drawing: Drawing) -> None:
    _held.append(drawing)


def _part(number: int) -> list[dict[str, np.ndarray]]:
    return _held[0].part(number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=5, help="0: only judges what it starts from")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hold", nargs="*", default=[], help="tables that are kept from it")
    parser.add_argument("--harder", action="store_true", help="beside what a reader takes wrongly")
    parser.add_argument("--name", default="reader")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    start = dict(np.load(args.start / "start.npz"))
    vocabulary = (args.start / "vocab.txt").read_text(encoding="utf-8")
    words = WordPiece(vocabulary.splitlines())
    texts = Texts(args.start / "rows.npz")
    held_groups = {f"ours/{name}" for name in args.hold}
    held = [n for n, g in enumerate(texts.group_of) if texts.groups[g] in held_groups]
    marks = (words.start, words.end)
    drawing = Drawing(texts, marks, sorted(set(range(len(texts.questions))) - set(held)))
    if args.harder:
        harder(begun(start, args.device), drawing, args.device)
    with get_context("fork").Pool(initializer=_keep, initargs=(drawing,)) as pool:
        parts = pool.imap(_part, range(args.epochs * PARTS))
        reader = train(parts, max(1, args.epochs * drawing.steps), start, args)
    args.out.mkdir(parents=True, exist_ok=True)
    if held:
        rows = held_rows(reader, Drawing(texts, marks, held), args.device)
        (args.out / f"{args.name}.json").write_text(json.dumps(rows), encoding="utf-8")
    made = build(reader.table(), {"vocabulary": vocabulary.rstrip("\n")})
    (args.out / f"{args.name}.onnx").write_bytes(made)
    print(f"{args.name}: {len(made):,} bytes")


if __name__ == "__main__":
    main()

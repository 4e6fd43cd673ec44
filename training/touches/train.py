"""READ THIS FIRST. Trains the reader of limits: a minute or two on a graphics card. Needs PyTorch, only here.

    PYTHONPATH=src:training python training/touches/prepare.py --start START --out PAIRS
    PYTHONPATH=src:training python training/touches/train.py --start START --pairs PAIRS --out OUT

A sentence and a topic are read together, as one row; the model says whether the one touches the other.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np
import torch
from encoder import NEW, HeadedEncoder
from torch.nn import functional

from freeform.adapters.encoder.wordpiece import WordPiece
from freeform.adapters.limits.graph import LONGEST, PER_TEXT, PER_TOKEN, TOPIC, build, row_of

FAST = 5
WARM, LEAST = 0.06, 0.02
HIDDEN = 0.06
OWN, OTHER, DENSE, QUIET = 44, 24, 14, 14
"""Of a batch: pairs somebody wrote; sentences beside far topics; those with all they touch; plain ones."""
QUIET_WORTH, FAR_WORTH = 0.7, 0.6
"""What pairs count that nobody wrote: the sentence may touch that topic after all."""
Pair = tuple[int, int, bool, float]


class Pairs:
    """What batches are drawn from."""

    def __init__(self, folder: Path, seed: int) -> None:
        made = json.loads((folder / "pairs.json").read_text(encoding="utf-8"))
        kept = np.load(folder / "texts.npz")
        ends = np.cumsum(kept["lengths"])
        self.pieces = [p.tolist() for p in np.split(kept["pieces"], ends[:-1])]
        self.topics, self.wide, self.dense = made["topics"], made["wide"], made["dense"]
        self.plain, self.typed = made["plain"], made["typed"]
        self.tests = {name: _every(made[name]) for name in ("held", "kept_back") if made[name]}
        self._luck = random.Random(seed)
        self._far = [np.flatnonzero(row).tolist() for row in kept["far"]]
        self._touching = [n for n, topic in enumerate(self.topics) for _ in topic[1]]
        self._harmless = [n for n, topic in enumerate(self.topics) for _ in topic[2]]

    def batch(self) -> list[Pair]:
        """Sentences and topics by number, whether they touch, and what each counts."""
        luck = self._luck
        made: list[Pair] = []
        for at in range(OWN):
            touches = at % 2 == 0
            topic = self.topics[luck.choice(self._touching if touches else self._harmless)]
            made.append((luck.choice(topic[2 - touches]), luck.choice(topic[0]), touches, 1.0))
        for at in range(OTHER):
            number = luck.choice(self._touching if at % 3 else self._harmless)
            if self._far[number]:
                other = self.topics[luck.choice(self._far[number])]
                sentence = luck.choice(self.topics[number][1 if at % 3 else 2])
                made.append((sentence, luck.choice(other[0]), False, FAR_WORTH))
        for at in range(DENSE):
            sentence, touched = luck.choice(self.dense)
            if at % 2 and touched:
                made.append((sentence, self.wide[luck.choice(touched)], True, 1.0))
            else:
                topic = luck.randrange(len(self.wide))
                made.append((sentence, self.wide[topic], topic in touched, 1.0))
        for at in range(QUIET):
            name = luck.choice(luck.choice(self.topics)[0])
            made.append(
                (luck.choice(self.typed if at % 3 else self.plain), name, False, QUIET_WORTH)
            )
        return made


def _every(topics: list[list[list[int]]]) -> list[Pair]:
    found: list[Pair] = []
    for names, touching, harmless in topics:
        for sentences, touches in ((touching, True), (harmless, False)):
            found += [(sentence, names[0], touches, 1.0) for sentence in sentences]
    return found


def rows_of(
    pairs: list[Pair], texts: Pairs, words: WordPiece, luck: random.Random | None, device: str
) -> dict[str, torch.Tensor]:
    """Pairs as a batch; with luck, some words of the sentences are hidden."""
    made = []
    for sentence, topic, _, _ in pairs:
        said = texts.pieces[sentence]
        if luck:
            said = [words.mask if luck.random() < HIDDEN else piece for piece in said]
        made.append(row_of((words.start, words.end), said, texts.pieces[topic]))
    longest = max(len(ids) for ids, _ in made)
    ids = np.full((len(made), longest), words.pad)
    kinds = np.zeros((len(made), longest), np.int64)
    mask = np.zeros((len(made), longest), bool)
    for n, (its_ids, its_kinds) in enumerate(made):
        ids[n, : len(its_ids)], kinds[n, : len(its_ids)] = its_ids, its_kinds
        mask[n, : len(its_ids)] = True
    arrays = {"ids": ids, "kinds": kinds, "mask": mask}
    arrays["touches"] = np.array([pair[2] for pair in pairs], np.float32)
    arrays["worth"] = np.array([pair[3] for pair in pairs], np.float32)
    return {name: torch.from_numpy(values).to(device) for name, values in arrays.items()}


def train(texts: Pairs, words: WordPiece, start: dict, args: argparse.Namespace) -> HeadedEncoder:
    torch.manual_seed(args.seed)
    luck = random.Random(args.seed)
    start = {**start, "places.weight": start["places.weight"][:LONGEST]}
    reader = HeadedEncoder(
        len(start["words.weight"]), LONGEST, TOPIC + 1, (PER_TOKEN, PER_TEXT), args.layers
    )
    reader.begin_from(_fewer(start, args.layers))
    reader.to(args.device).train()
    reader.words.weight.requires_grad_(False)
    named = [(name, p) for name, p in reader.named_parameters() if p.requires_grad]
    groups = [
        {"params": [p for name, p in named if not name.startswith(NEW)], "lr": args.rate},
        {"params": [p for name, p in named if name.startswith(NEW)], "lr": FAST * args.rate},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=args.device != "cpu")
    steps = args.steps
    plan = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(1.0, (step + 1) / (WARM * steps)) * max(LEAST, 1 - step / steps),
    )
    half = torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.device != "cpu")
    for step in range(steps):
        rows = rows_of(texts.batch(), texts, words, luck, args.device)
        twice = {name: torch.cat([rows[name]] * 2) for name in ("ids", "kinds", "mask")}
        with half:
            said = reader(twice["ids"], twice["kinds"], twice["mask"])[1][:, 0].float()
        there, worth = rows["touches"].repeat(2), rows["worth"].repeat(2)
        wrong = functional.binary_cross_entropy_with_logits(said, there, reduction="none")
        one, other = said.sigmoid().chunk(2)
        loss = (wrong * worth).sum() / worth.sum() + args.apart * (one - other).square().mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        plan.step()
        if step % 500 == 0:
            print(f"{step}: {loss.item():.3f}", flush=True)
    return reader.eval()


def _fewer(start: dict[str, np.ndarray], layers: int) -> dict[str, np.ndarray]:
    """The first layers' weights, for a reader with fewer."""
    return {
        name: tensor
        for name, tensor in start.items()
        if not name.startswith("layers.") or int(name.split(".")[1]) < layers
    }


@torch.no_grad()
def judge(reader: HeadedEncoder, texts: Pairs, words: WordPiece, device: str) -> dict[str, list]:
    """What the reader says of pairs that were left out, and of plain sentences beside their topics."""
    luck, made = random.Random(7), {}
    tests = dict(texts.tests)
    tests["quiet"] = [
        (sentence, luck.choice(texts.tests["held"])[1], False, 1.0)
        for sentence in luck.sample(texts.plain, min(600, len(texts.plain)))
    ]
    for name, pairs in tests.items():
        scores: list[float] = []
        for first in range(0, len(pairs), 64):
            rows = rows_of(pairs[first : first + 64], texts, words, None, device)
            scores += reader(rows["ids"], rows["kinds"], rows["mask"])[1][:, 0].float().tolist()
        made[name] = [[score, pair[2]] for score, pair in zip(scores, pairs, strict=True)]
        print(name, told(made[name]), flush=True)
    return made


def told(rows: list) -> str:
    """Area under the curve; missed and cut in error from some levels on."""
    scores, right = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], bool)
    said = f"{len(rows)} pairs"
    if right.any() and not right.all():
        order, yes = np.argsort(np.argsort(scores)), int(right.sum())
        area = (order[right].sum() - yes * (yes - 1) / 2) / (yes * (len(right) - yes))
        said += f", area {area:.3f}"
    for least in (0.3, 0.5, 0.7, 0.8, 0.9):
        cut = 1 / (1 + np.exp(-scores)) >= least
        missed = (~cut[right]).mean() if right.any() else 0.0
        said += f"; from {least}: {missed:.3f}, {cut[~right].mean():.3f}"
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--steps", type=int, default=3_000)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--apart", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    start = dict(np.load(args.start / "start.npz"))
    vocabulary = (args.start / "vocab.txt").read_text(encoding="utf-8")
    words = WordPiece(vocabulary.splitlines())
    texts = Pairs(args.pairs, args.seed)
    reader = train(texts, words, start, args)
    args.out.mkdir(parents=True, exist_ok=True)
    judged = judge(reader, texts, words, args.device)
    (args.out / "held.json").write_text(json.dumps(judged), encoding="utf-8")
    (args.out / "limits.onnx").write_bytes(build(reader.table(), {}))


if __name__ == "__main__":
    main()

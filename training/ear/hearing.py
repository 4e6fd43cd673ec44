"""What a trained ear hears in a text, and how often it is right on inputs of scenes it never saw."""

from dataclasses import dataclass, field

import numpy as np
import torch
from corpus import FAMILIES, FLAGS, ROLES, Example
from model import LONGEST, PER_TOKEN, Ear
from tokenizers import BertWordPieceTokenizer


@dataclass
class Heard:
    """The families of the acts in order, spans, and the whole-input head's probabilities."""

    families: list[str]
    spans: set[tuple[str, int, int]]
    whole: np.ndarray


@torch.no_grad()
def hear(ear: Ear, words: BertWordPieceTokenizer, text: str, device: str) -> Heard:
    """Acts begin where the ear says so; the family of an act is what its tokens say together."""
    encoded = words.encode(text)
    ids = torch.tensor([encoded.ids[:LONGEST]], device=device)
    places = encoded.offsets[:LONGEST]
    token, whole = ear(ids, torch.ones_like(ids, dtype=torch.bool))
    begins, family, _, tags = token[0].float().cpu().split(PER_TOKEN, -1)
    real = [n for n, (start, end) in enumerate(places) if end > start]
    starts = [n for n in real if begins[n, 0] > 0] or real[:1]
    scores = family.log_softmax(-1)
    named = []
    for number, first in enumerate(starts):
        last = starts[number + 1] if number + 1 < len(starts) else len(places)
        inside = [n for n in real if first <= n < last]
        acting = [n for n in inside if int(scores[n].argmax()) < len(FAMILIES)]
        mean = scores[acting or inside, : len(FAMILIES)].mean(0)
        named.append(FAMILIES[int(mean.argmax())])
    probabilities = whole[0].float().cpu().sigmoid().numpy()
    return Heard(named, _spans(tags.argmax(-1).tolist(), real, places), probabilities)


def _spans(
    tags: list[int], real: list[int], places: list[tuple[int, int]]
) -> set[tuple[str, int, int]]:
    spans = set()
    n = 0
    while n < len(tags):
        tag = tags[n] if n in real else 0
        last = n + 1
        if tag:
            role = (tag - 1) // 2
            while last < len(tags) and tags[last] == 2 + 2 * role:
                last += 1
            spans.add((ROLES[role], places[n][0], places[last - 1][1]))
        n = last
    return spans


@dataclass
class Score:
    """Counts over held-back inputs."""

    inputs: int = 0
    first_right: int = 0
    all_right: int = 0
    main_right: int = 0
    spans_both: int = 0
    spans_heard: int = 0
    spans_there: int = 0
    flags: dict[str, list[int]] = field(default_factory=lambda: {flag: [0, 0] for flag in FLAGS})
    sure: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, example: Example, heard: Heard) -> None:
        """One more input."""
        families = [act.family for act in example.acts]
        chances = heard.whole[: len(FAMILIES)]
        main = FAMILIES[int(chances.argmax())]
        self.inputs += 1
        self.first_right += heard.families[:1] == families[:1]
        self.all_right += heard.families == families
        self.main_right += main in families
        self.sure.append((float(chances.max()), main in families))
        spans = {(s.role, s.start, s.end) for act in example.acts for s in act.spans}
        self.spans_both += len(spans & heard.spans)
        self.spans_heard += len(heard.spans)
        self.spans_there += len(spans)
        for flag, chance in zip(FLAGS, heard.whole[len(FAMILIES) :], strict=True):
            there = any(flag in act.flags for act in example.acts)
            self.flags[flag][0] += int(there and chance > 0.5)
            self.flags[flag][1] += int(there) + int(chance > 0.5)

    def figures(self) -> dict[str, object]:
        """Shares, and F1 for spans and flags."""
        spans = self.spans_heard + self.spans_there
        return {
            "inputs": self.inputs,
            "first": round(self.first_right / self.inputs, 4),
            "all": round(self.all_right / self.inputs, 4),
            "main": round(self.main_right / self.inputs, 4),
            "spans_f1": round(2 * self.spans_both / max(1, spans), 4),
            "flags_f1": {
                f: round(2 * both / max(1, all_), 3) for f, (both, all_) in self.flags.items()
            },
            "right_when_sure": self.right_when_sure(),
        }

    def right_when_sure(self) -> dict[str, tuple[int, float]]:
        """By tenths of probability: how many inputs, and the share that was right."""
        tenths: dict[str, tuple[int, float]] = {}
        for tenth in range(10):
            right = [ok for chance, ok in self.sure if min(9, int(chance * 10)) == tenth]
            if right:
                tenths[f".{tenth}"] = (len(right), round(sum(right) / len(right), 3))
        return tenths

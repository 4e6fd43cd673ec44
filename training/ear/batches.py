"""Examples as tensors: with the slips of hurried hands, and some words hidden, so that more is learnt."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from corpus import FAMILIES, FLAGS, ROLES, Example
from model import LONGEST, WHOLE
from tokenizers import BertWordPieceTokenizer

HIDDEN = 0.06
OUTSIDE = len(FAMILIES)
IGNORED = -100


@dataclass
class Row:
    """One example: a number for each token and each thing to be learnt of it."""

    ids: np.ndarray
    real: np.ndarray
    begins: np.ndarray
    family: np.ndarray
    flags: np.ndarray
    tags: np.ndarray
    whole: np.ndarray


def slips(text: str, luck: random.Random) -> tuple[str, list[int]]:
    """The text as a hurried hand types it, and for each old offset where it stands now."""
    lower = luck.random() < 0.25
    bare = luck.random() < 0.12
    rate = luck.choice((0.0, 0.0, 0.01, 0.03))
    typed: list[str] = []
    offsets: list[int] = []
    length = 0
    for letter in text:
        offsets.append(length)
        put = _typed(letter, rate, luck)
        if bare and letter in ".,!?'\"’":
            put = ""
        put = put.lower() if lower else put
        typed.append(put)
        length += len(put)
    offsets.append(length)
    return "".join(typed), offsets


def _typed(letter: str, rate: float, luck: random.Random) -> str:
    if not letter.isalpha() or luck.random() >= rate:
        return letter
    return luck.choice(("", letter * 2, luck.choice("abcdefghiklmnoprstu")))


def row_of(example: Example, words: BertWordPieceTokenizer, luck: random.Random | None) -> Row:
    """The example as it is, or with slips when there is luck to draw them from."""
    text, offsets = example.text, list(range(len(example.text) + 1))
    if luck:
        text, offsets = slips(text, luck)
    encoded = words.encode(text)
    ids = np.array(encoded.ids[:LONGEST])
    places = encoded.offsets[:LONGEST]
    count = len(ids)
    row = Row(
        ids=ids,
        real=np.array([end > start for start, end in places]),
        begins=np.zeros(count, np.float32),
        family=np.full(count, OUTSIDE, np.int64),
        flags=np.zeros((count, len(FLAGS)), np.float32),
        tags=np.zeros(count, np.int64),
        whole=np.zeros(WHOLE, np.float32),
    )
    for act in example.acts:
        row.whole[FAMILIES.index(act.family)] = 1
        within = _within(places, offsets[act.start], offsets[act.end])
        row.family[within] = FAMILIES.index(act.family)
        row.begins[within[:1]] = 1
        for flag in act.flags:
            row.whole[len(FAMILIES) + FLAGS.index(flag)] = 1
            row.flags[within, FLAGS.index(flag)] = 1
        for span in act.spans:
            held = _within(places, offsets[span.start], offsets[span.end])
            row.tags[held] = 2 + 2 * ROLES.index(span.role)
            row.tags[held[:1]] = 1 + 2 * ROLES.index(span.role)
    if luck:
        hidden = np.array([luck.random() < HIDDEN for _ in ids]) & row.real
        row.ids[hidden] = words.token_to_id("[MASK]")
    return row


def _within(places: Sequence[tuple[int, int]], start: int, end: int) -> list[int]:
    """The tokens of a stretch."""
    return [n for n, (a, b) in enumerate(places) if b > a and a < end and b > start]


def batch_of(rows: Sequence[Row], device: str) -> dict[str, torch.Tensor]:
    """Rows of one length, side by side."""
    longest = max(len(row.ids) for row in rows)
    made: dict[str, torch.Tensor] = {}
    fills = {"ids": 0, "real": False, "begins": 0, "family": IGNORED, "flags": 0, "tags": IGNORED}
    for name, fill in fills.items():
        padded = [_padded(getattr(row, name), longest, fill) for row in rows]
        made[name] = torch.from_numpy(np.stack(padded)).to(device)
    made["whole"] = torch.from_numpy(np.stack([row.whole for row in rows])).to(device)
    lengths = torch.tensor([len(row.ids) for row in rows], device=device)
    made["mask"] = torch.arange(longest, device=device)[None, :] < lengths[:, None]
    for name in ("family", "tags"):
        made[name][~made["real"]] = IGNORED
    return made


def _padded(values: np.ndarray, longest: int, fill: float) -> np.ndarray:
    missing = (longest - len(values), *values.shape[1:])
    return np.concatenate([values, np.full(missing, fill, values.dtype)])

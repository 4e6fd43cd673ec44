"""What is wrong of all that an ear hears, added up."""

import torch
from model import EarModel
from torch.nn import functional

from freeform.adapters.ear.graph import PER_OUTCOME, PER_TEXT, PER_TOKEN
from freeform.language.ear import FAMILIES

HEARD = sum(PER_TEXT[:2])
"""What is heard of a whole input; behind it stands what is said of a pair."""
BEGINS, FAMILY, ACT, FLAGS, TAGS, TEXT, PAIR, APART = 2.0, 0.7, 1.0, 2.0, 1.0, 10.0, 1.0, 2.0
NOUNS, STORY = 0.7, 0.3
CHANGED, STATES, CHOICES = 0.7, 0.7, 0.3
"""How much each part counts: where acts begin, the family of each token and of each act, flags, spans,
the whole text, pairs, and what two looks at the same rows say differently; of premises, nouns, and
shape and genre; of outcomes, their parts, their states, and what one of several it is."""
Batch = dict[str, torch.Tensor]


def loss_of(ear: EarModel, batch: Batch) -> torch.Tensor:
    """The rows are looked at twice, with other numbers dropped; both looks should agree (R-Drop)."""
    twice = {name: torch.cat([batch[name]] * 2) for name in ("ids", "kinds", "mask")}
    token, text = ear(twice["ids"], twice["kinds"], twice["mask"])
    (token, other_token), (text, other_text) = token.float().chunk(2), text.float().chunk(2)
    wrong = _wrong(token, text, batch) + _wrong(other_token, other_text, batch)
    return wrong / 2 + APART * _apart((token, text), (other_token, other_text), batch)


def _wrong(token: torch.Tensor, text: torch.Tensor, batch: Batch) -> torch.Tensor:
    begins, family, flags, tags, nouns, changed = token.split(PER_TOKEN, -1)
    real, weight = batch["real"], batch["weight"]
    yes_no = functional.binary_cross_entropy_with_logits
    right = functional.cross_entropy
    loss = BEGINS * yes_no(begins[..., 0][real], batch["begins"][real])
    loss = loss + FLAGS * yes_no(flags[real], batch["flags"][real])
    loss = loss + TAGS * right(tags[real], batch["tags"][real])
    loss = loss + FAMILY * right(family[real], batch["family"][real])
    loss = loss + ACT * right(_of_acts(family, batch), batch["act_family"])
    heard = (weight == 0) & ~batch["is_premise"] & ~batch["is_outcome"]
    loss = loss + TEXT * yes_no(text[heard, :HEARD], batch["text"][heard, :HEARD])
    head = batch["head"][:, None]
    said, there = text.gather(1, head)[:, 0], batch["text"].gather(1, head)[:, 0]
    pairs = yes_no(said, there, reduction="none")
    loss = loss + PAIR * (pairs * weight).sum() / weight.sum().clamp(min=1.0)
    if batch["is_premise"].any():
        loss = loss + _wrong_of_premises(nouns, text, batch)
    if batch["is_outcome"].any():
        loss = loss + _wrong_of_outcomes(changed, text, batch)
    return loss


def _wrong_of_premises(nouns: torch.Tensor, text: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Every word's tag; a shape and a genre, where several shapes fit each a share."""
    words, rows = batch["premise_real"], batch["is_premise"]
    loss = NOUNS * functional.cross_entropy(nouns[words], batch["nouns"][words])
    said, there = text[rows].split(PER_TEXT, -1), batch["text"][rows].split(PER_TEXT, -1)
    for part in (2, 3):
        missed = -(there[part] * said[part].log_softmax(-1)).sum(-1)
        loss = loss + STORY * missed.mean()
    return loss


def _wrong_of_outcomes(changed: torch.Tensor, text: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Every word's part; the states, each a share; the kind, the subject, the mood and the risk."""
    words, rows = batch["outcome_real"], batch["is_outcome"]
    loss = CHANGED * functional.cross_entropy(changed[words], batch["changed"][words])
    said = text[rows].split(PER_TEXT, -1)[4].split(PER_OUTCOME, -1)
    there = batch["text"][rows].split(PER_TEXT, -1)[4].split(PER_OUTCOME, -1)
    so = there[0].sum(-1) > 0
    missed = -(there[0] * said[0].log_softmax(-1)).sum(-1)
    loss = loss + STATES * missed[so].sum() / so.sum().clamp(min=1)
    for scores, right in zip(said[1:], there[1:], strict=True):
        loss = loss + CHOICES * -(right * scores.log_softmax(-1)).sum(-1).mean()
    return loss


def _of_acts(family: torch.Tensor, batch: Batch) -> torch.Tensor:
    """The mean of the tokens' scores, for each act."""
    inside = batch["acts"] >= 0
    acts = batch["acts"][inside]
    scores = family[inside][:, : len(FAMILIES)]
    count = len(batch["act_family"])
    sums = scores.new_zeros(count, len(FAMILIES)).index_add(0, acts, scores)
    sizes = scores.new_zeros(count).index_add(0, acts, torch.ones_like(scores[:, 0]))
    return sums / sizes[:, None]


def _apart(
    one: tuple[torch.Tensor, torch.Tensor], other: tuple[torch.Tensor, torch.Tensor], batch: Batch
) -> torch.Tensor:
    """How differently the two looks name families, of tokens and of the whole."""
    real = batch["real"]
    first = one[0].split(PER_TOKEN, -1)[1][real].log_softmax(-1)
    second = other[0].split(PER_TOKEN, -1)[1][real].log_softmax(-1)
    apart = ((first.exp() - second.exp()) * (first - second)).sum(-1).mean() / 2
    differs = (one[1].sigmoid() - other[1].sigmoid()).square()
    sizes = (sum(PER_TEXT[:4]), PER_TEXT[4], sum(PER_TEXT[5:]))
    before, _, behind = differs.split(sizes, -1)
    return apart + 10 * torch.cat([before, behind], -1).mean()

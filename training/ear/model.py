"""The ear as PyTorch trains it: the six layers of all-MiniLM-L6, and a head for tokens and one for the whole."""

import numpy as np
import torch
from corpus import FAMILIES, FLAGS, ROLES
from torch import nn
from torch.nn import functional

WIDTH, HEADS, LAYERS, LONGEST = 384, 12, 6, 128
TAGS = 1 + 2 * len(ROLES)
"""No span, or the beginning or the inside of one of each role."""
PER_TOKEN = (1, len(FAMILIES) + 1, len(FLAGS), TAGS)
"""An act begins here; its family, or none; its flags; spans."""
WHOLE = len(FAMILIES) + len(FLAGS)
DROPPED = 0.1


class Layer(nn.Module):
    """One layer of BERT, written plainly so that its weights can be taken out as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Linear(WIDTH, 3 * WIDTH)
        self.mix = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.wide = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Attention, then the wide and the narrow matrix."""
        rows, length, _ = x.shape
        looked = self.look(x).view(rows, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = looked.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask[:, None, None, :]
        )
        mixed = self.mix(seen.transpose(1, 2).reshape(rows, length, WIDTH))
        x = self.norm1(x + self.drop(mixed))
        return self.norm2(x + self.drop(self.narrow(functional.gelu(self.wide(x)))))


class Ear(nn.Module):
    """The encoder and its two heads."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, WIDTH)
        self.places = nn.Embedding(LONGEST, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.token = nn.Linear(WIDTH, sum(PER_TOKEN))
        self.whole = nn.Linear(WIDTH, WHOLE)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores for each token, and for the whole input."""
        x = self.drop(self.norm(self.words(ids) + self.places.weight[: ids.shape[1]]))
        for layer in self.layers:
            x = layer(x, mask)
        held = mask[..., None].to(x.dtype)
        mean = (x * held).sum(1) / held.sum(1)
        return self.token(x), self.whole(self.drop(mean))

    def begin_from(self, start: dict[str, np.ndarray]) -> None:
        """The encoder's weights as all-MiniLM-L6 has them; the heads stay as they were made."""
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if not name.startswith(("token.", "whole.")):
                    parameter.copy_(torch.from_numpy(start[name].astype(np.float32)))

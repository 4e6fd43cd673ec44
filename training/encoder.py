"""A small reader as PyTorch trains it: the six layers of all-MiniLM-L6, a head for tokens and one for the text."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from freeform.adapters.encoder.table import HEADS, LAYERS, WIDTH

DROPPED = 0.15
NEW = ("kinds.", "token.", "text.")
"""What all-MiniLM-L6 has not."""


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


class HeadedEncoder(nn.Module):
    """The encoder and its two heads."""

    def __init__(
        self, words: int, places: int, kinds: int, heads: tuple[int, int], layers: int = LAYERS
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(words, WIDTH)
        self.places = nn.Embedding(places, WIDTH)
        self.kinds = nn.Embedding(kinds, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.token = nn.Linear(WIDTH, heads[0])
        self.text = nn.Linear(WIDTH, heads[1])
        self.drop = nn.Dropout(DROPPED)

    def forward(
        self, ids: torch.Tensor, kinds: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores for each token, and for the text."""
        x = self.words(ids) + self.places.weight[: ids.shape[1]] + self.kinds(kinds)
        x = self.drop(self.norm(x))
        for layer in self.layers:
            x = layer(x, mask)
        held = mask[..., None].to(x.dtype)
        mean = (x * held).sum(1) / held.sum(1)
        return self.token(self.drop(x)), self.text(self.drop(mean))

    def begin_from(self, start: dict[str, np.ndarray]) -> None:
        """The weights that are there; what all-MiniLM-L6 has not says nothing yet."""
        with torch.no_grad():
            self.kinds.weight.zero_()
            for name, parameter in self.named_parameters():
                if name in start or not name.startswith(NEW):
                    parameter.copy_(torch.from_numpy(start[name].astype(np.float32)))

    def table(self) -> dict[str, np.ndarray]:
        """The tensors under the names and in the shapes of the product's forward pass."""
        made = {}
        for name, parameter in self.state_dict().items():
            tensor = parameter.float().cpu().numpy()
            made[_ours(name)] = np.ascontiguousarray(_turned(name, tensor))
        return made


def _ours(name: str) -> str:
    """`layers.0.look.weight` is `0.look.w`; tables have no ending."""
    name = name.removeprefix("layers.")
    if name.startswith(("words.", "places.", "kinds.")):
        return name.removesuffix(".weight")
    return name.removesuffix("eight").removesuffix("ias")


def _turned(name: str, tensor: np.ndarray) -> np.ndarray:
    """Matrices as (in, out), with attention's scale folded into what asks."""
    if ".look." in name:
        tensor = tensor.copy()
        tensor[:WIDTH] *= 1 / math.sqrt(WIDTH // HEADS)
    if tensor.ndim == 2 and not name.startswith(("words.", "places.", "kinds.")):
        tensor = tensor.T
    return tensor.astype(np.float32)

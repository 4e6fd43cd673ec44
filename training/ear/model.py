"""The ear as PyTorch trains it."""

from encoder import HeadedEncoder

from freeform.adapters.ear.graph import LONGEST, OUTCOME, PER_TEXT, PER_TOKEN


class EarModel(HeadedEncoder):
    """The encoder with the ear's two heads."""

    def __init__(self, words: int) -> None:
        super().__init__(words, LONGEST, OUTCOME + 1, (sum(PER_TOKEN), sum(PER_TEXT)))

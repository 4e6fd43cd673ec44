"""The few numbers that turn scores into probabilities; fitted on scenes held back from training."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Each pair weighs the tokens' score and the whole text's score; the third number is added."""

    token_weight: float = 0.15
    """How much a single token's family counts against where acts begin."""
    begin_bias: float = -1.6
    act_family: tuple[float, float] = (1.0, 0.0)
    act_flag: tuple[float, float, float] = (1.0, 0.0, 0.0)
    text_family: tuple[float, float, float] = (0.0, 1.0, 0.0)
    text_flag: tuple[float, float, float] = (0.0, 1.0, 0.0)
    span: tuple[float, float] = (1.0, 0.0)
    touch: tuple[float, float] = (1.0, 0.0)
    answer: tuple[float, float] = (1.0, 0.0)

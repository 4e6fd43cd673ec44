"""LearnedLimits: whether sentences touch a table's lines and veils, by written pairs they are like
and by a small model that reads a sentence and a topic together."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from freeform.adapters.ear.learned import shipped_ear
from freeform.adapters.ear.learned import shipped_file as ear_file
from freeform.adapters.encoder.shipped import ShippedModel
from freeform.language.limit_words import topic_words
from freeform.language.meaning.sense import Vector

if TYPE_CHECKING:
    from freeform.adapters.limits.loaded import LoadedLimits

FILE_NAME = "limits.onnx"
HOW_TO_MEND = "install the program again; until then lines and veils are held by their words"
Meant = Callable[[Sequence[str]], Sequence[Vector]]


def shipped_file() -> Path:
    """Where the model lies in the program."""
    return Path(str(files("freeform") / "models" / FILE_NAME))


@cache
def shipped_limits() -> "LearnedLimits":
    """The one reader of limits of this process."""
    return LearnedLimits(shipped_file(), shipped_ear().vectors)


class LearnedLimits:
    """Loads when first asked. Where it cannot, it says so once in the log and knows nothing."""

    def __init__(
        self, file: Path, meant: Meant, *, ear: Path | None = None, numpy_only: bool = False
    ) -> None:
        """`ear` is the file that lends the words: that of the shipped ear."""
        made = partial(_loaded, ear=ear or ear_file(), numpy_only=numpy_only)
        self._model = ShippedModel("limits", file, made, HOW_TO_MEND)
        self._meant = meant

    def problem(self) -> str:
        """What keeps it from knowing topics, with the fix; empty when nothing does."""
        return self._model.problem()

    def touches(self, sentences: Sequence[str], topics: Sequence[str]) -> list[list[float]]:
        """For each sentence, how likely it touches each of the topics; 0 where neither model can
        run."""
        loaded = self._model.ready()
        meant = self._meant([*sentences, *map(topic_words, topics)]) if loaded and topics else ()
        if loaded is None or not sentences or not meant:
            return [[0.0] * len(topics) for _ in sentences]
        return loaded.touches(sentences, topics, meant)


def _loaded(model: bytes, *, ear: Path, numpy_only: bool) -> "LoadedLimits":
    from freeform.adapters.limits.loaded import LoadedLimits

    try:
        lender = ear.read_bytes()
    except OSError as wrong:
        raise ValueError("the ear's file, which lends its words, is not there") from wrong
    return LoadedLimits(model, lender, numpy_only=numpy_only)

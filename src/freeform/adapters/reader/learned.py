"""LearnedReader: reads passages with the small model that comes with the program."""

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from freeform.adapters.encoder.shipped import ShippedModel
from freeform.language.meaning.reading import PassageRead, PlacedText

if TYPE_CHECKING:
    from freeform.adapters.reader.loaded import LoadedReader

_REMEMBERED = 64
"""Readings of a question and its passages that are kept."""
HOW_TO_MEND = "install the program again; until then passages are found by their words"


def shipped_file() -> Path:
    """Where the model lies in the program."""
    return Path(str(files("freeform") / "models" / "reader.onnx"))


@cache
def shipped_reader() -> "LearnedReader":
    """The one reader of this process."""
    return LearnedReader(shipped_file())


class LearnedReader:
    """Loads at the first reading. Where it cannot, it says so once in the log and reads nothing."""

    def __init__(self, file: Path, *, numpy_only: bool = False) -> None:
        made = partial(_loaded, numpy_only=numpy_only)
        self._model = ShippedModel("reader", file, made, HOW_TO_MEND)
        self._known = lru_cache(maxsize=_REMEMBERED)(self._read)

    def problem(self) -> str:
        """What keeps it from reading, with the fix; empty when nothing does. Loads the model."""
        return self._model.problem()

    def read(self, question: str, passages: Sequence[PlacedText]) -> list[PassageRead]:
        """What each passage says to the question; nothing where the model cannot run. A question
        that is asked again of the same passages is not read again."""
        return [*self._known(question, tuple(passages))]

    def _read(self, question: str, passages: tuple[PlacedText, ...]) -> list[PassageRead]:
        loaded = self._model.ready()
        return loaded.read(question, passages) if loaded else []


def _loaded(model: bytes, *, numpy_only: bool) -> "LoadedReader":
    from freeform.adapters.reader.loaded import LoadedReader

    return LoadedReader(model, numpy_only=numpy_only)

"""LearnedNameKinds: what names name, with the reader's model and a small head of its own."""

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from freeform.adapters.encoder.shipped import ShippedModel
from freeform.adapters.reader.learned import HOW_TO_MEND, shipped_file

if TYPE_CHECKING:
    from freeform.adapters.reader.name_scores import NameScores


@cache
def shipped_name_kinds() -> "LearnedNameKinds":
    """The one of this process."""
    return LearnedNameKinds()


class LearnedNameKinds:
    """Loads when it is first asked; tells nothing where it cannot."""

    def __init__(self, *, numpy_only: bool = False) -> None:
        made = partial(_loaded, numpy_only=numpy_only)
        self._model = ShippedModel("reader", shipped_file(), made, HOW_TO_MEND)

    def kinds(self, names: Sequence[str], sentences: Sequence[str]) -> dict[str, dict[str, float]]:
        """How likely each name that stands in a sentence is of each kind."""
        loaded = self._model.ready()
        return loaded.kinds(names, sentences) if loaded else {}

    def knows(self, word: str) -> bool:
        """Whether a word stands whole in the vocabulary; any may where there is none."""
        loaded = self._model.ready()
        return loaded is None or loaded.words.knows(word)


def _loaded(model: bytes, *, numpy_only: bool) -> "NameScores":
    from freeform.adapters.reader.name_scores import NameScores, shipped_head

    return NameScores(model, shipped_head(), numpy_only=numpy_only)

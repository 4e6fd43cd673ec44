"""LearnedEar: hears a player's words with the small model that comes with the program."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from freeform.adapters.encoder.shipped import ShippedModel
from freeform.language.ear import NOTHING_HEARD, HeardText
from freeform.language.meaning.manners import manners_of, said_of_it
from freeform.language.meaning.natures import nature_of
from freeform.language.meaning.outcome import NO_OUTCOME, OutcomeHeard
from freeform.language.meaning.own_turns import own_turns
from freeform.language.meaning.premise import NOTHING_READ, PremiseHeard
from freeform.language.meaning.sense import Vector
from freeform.language.meaning.turns import told_apart, turns_in
from freeform.language.words import words

if TYPE_CHECKING:
    from freeform.adapters.ear.loaded import LoadedEar
    from freeform.adapters.ear.nearness import EarWords, NearTexts

FILE_NAME = "ear.onnx"
_REMEMBERED = 256
HOW_TO_MEND = "install the program again; until then words alone are heard by rules"


def shipped_file() -> Path:
    """Where the model lies in the program."""
    return Path(str(files("freeform") / "models" / FILE_NAME))


@cache
def shipped_ear() -> "LearnedEar":
    """The one ear of this process."""
    return LearnedEar(shipped_file())


@cache
def shipped_words() -> "EarWords":
    """The words that the ear begins with, one table for a process. Asked for where numpy is."""
    from freeform.adapters.ear.nearness import EarWords

    return EarWords(shipped_file())


class LearnedEar:
    """Loads at the first hearing. Where it cannot, it says so once in the log and hears nothing."""

    def __init__(self, file: Path, *, numpy_only: bool = False) -> None:
        made = partial(_loaded, numpy_only=numpy_only)
        self._model = ShippedModel("ear", file, made, HOW_TO_MEND)
        self._outcomes = lru_cache(maxsize=_REMEMBERED)(self._outcome_of)
        self._told = lru_cache(maxsize=_REMEMBERED)(self._told_of)

    def problem(self) -> str:
        """What keeps it from hearing, with the fix; empty when nothing does. Loads the model."""
        return self._model.problem()

    def hear(self, text: str, kinds: Sequence[tuple[int, int, str]] = ()) -> HeardText:
        """What is in the text; nothing where the model cannot run."""
        loaded = self._model.ready()
        return loaded.hear(text, kinds) if loaded else NOTHING_HEARD

    def knows(self, word: str) -> bool:
        """Whether a word stands whole in the model's vocabulary."""
        loaded = self._model.ready()
        return loaded is not None and loaded.knows(word)

    def answers(self, question: str, sentences: Sequence[str]) -> list[float]:
        """How likely each of the sentences answers the question; nothing where the model cannot
        run or was not taught to say."""
        loaded = self._model.ready()
        if loaded is None or not loaded.knows_answers:
            return []
        return loaded.answers(question, sentences)

    def read_premise(self, text: str) -> PremiseHeard:
        """What a premise's words name; nothing where the model cannot run."""
        loaded = self._model.ready()
        if loaded is None:
            return NOTHING_READ
        near = shipped_words().near
        natures = {word: nature_of(word, near) for word in words(text)}
        turns = turns_in(told_apart(text), self._near_texts.near)
        for vector in self.vectors([text]):
            for turn, plain in own_turns(vector).items():
                turns[turn] = max(plain, turns.get(turn, 0.0))
        read = loaded.read_premise(text)
        said_of = {word for span in read.spans for word in words(said_of_it(text, span))}
        manners = manners_of(sorted(said_of), self._near_texts.near)
        return replace(read, natures=natures, turns=turns, manners=manners)

    @cached_property
    def _near_texts(self) -> "NearTexts":
        from freeform.adapters.ear.nearness import NearTexts

        return NearTexts(self)

    def read_outcome(self, text: str) -> OutcomeHeard:
        """What becomes of a deed; nothing where the model cannot run. A turn asks more than once,
        and its words are read once."""
        return self._outcomes(text)

    def _outcome_of(self, text: str) -> OutcomeHeard:
        loaded = self._model.ready()
        return loaded.read_outcome(text) if loaded else NO_OUTCOME

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """Each text as a vector of length 1; none where the model cannot run."""
        loaded = self._model.ready()
        return loaded.sense.vectors(texts) if loaded else []

    def asked_for(self, question: str, vector: Vector) -> dict[str, float]:
        """What a question to someone is after; {} where the model cannot run."""
        loaded = self._model.ready()
        return loaded.sense.asked_for(question, vector) if loaded else {}

    def told_as(self, saying: str, vector: Vector) -> dict[str, float]:
        """What someone does by telling that; {} where the model cannot run. Suggestions are tried
        turn after turn, and their words are read once."""
        return dict(self._told(saying, vector))

    def _told_of(self, saying: str, vector: Vector) -> dict[str, float]:
        loaded = self._model.ready()
        return loaded.sense.told_as(saying, vector) if loaded else {}

    def said_as(self, part: str, saying: str, vector: Vector) -> dict[str, float]:
        """What a saying comes to in a situation; {} where the model cannot run."""
        loaded = self._model.ready()
        return loaded.sense.said_as(part, saying, vector) if loaded else {}


def _loaded(model: bytes, *, numpy_only: bool) -> "LoadedEar":
    from freeform.adapters.ear.loaded import LoadedEar

    return LoadedEar(model, numpy_only=numpy_only)

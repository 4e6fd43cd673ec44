"""Whether a sentence touches a topic, by meaning: for lines and veils."""

from collections.abc import Collection, Sequence
from typing import Protocol

_MOST_REMEMBERED = 50_000


class Topics(Protocol):
    """Knows what a sentence is about without its word being in it."""

    def touches(self, sentences: Sequence[str], topics: Sequence[str]) -> list[list[float]]:
        """For each sentence, how likely it touches each of the topics."""
        ...


class TrustedTopics:
    """Of some topics nothing is asked: an author who drew a line has kept it in what they wrote."""

    def __init__(self, topics: Topics, trusted: Collection[str]) -> None:
        self._topics, self._trusted = topics, frozenset(trusted)

    def touches(self, sentences: Sequence[str], topics: Sequence[str]) -> list[list[float]]:
        """For each sentence, how likely it touches each of the topics; 0 for the trusted ones."""
        asked = [topic for topic in topics if topic not in self._trusted]
        if not asked:
            return [[0.0] * len(topics) for _ in sentences]
        chances: list[list[float]] = []
        for row in self._topics.touches(sentences, asked):
            known = dict(zip(asked, row, strict=True))
            chances.append([known.get(topic, 0.0) for topic in topics])
        return chances


class RememberedTopics:
    """The same, asked once for each sentence and topic: what was streamed is looked at again as a
    whole, and authors' sentences come back."""

    def __init__(self, topics: Topics, most: int = _MOST_REMEMBERED) -> None:
        self._topics, self._most = topics, most
        self._known: dict[tuple[str, str], float] = {}

    def touches(self, sentences: Sequence[str], topics: Sequence[str]) -> list[list[float]]:
        """For each sentence, how likely it touches each of the topics."""
        for missing, unknown in self._unknown(sentences, topics).items():
            # Sentences of one length go together: a batch is as long as its longest.
            unknown.sort(key=len)
            for sentence, row in zip(unknown, self._topics.touches(unknown, missing), strict=True):
                self._keep(sentence, missing, row)
        chances: list[list[float]] = []
        for sentence in sentences:
            chances.append([self._known[sentence, topic] for topic in topics])
        return chances

    def _unknown(
        self, sentences: Sequence[str], topics: Sequence[str]
    ) -> dict[tuple[str, ...], list[str]]:
        """The sentences to be looked at, by the topics they were never held against."""
        if len(self._known) > self._most:
            self._known.clear()
        found: dict[tuple[str, ...], list[str]] = {}
        for sentence in dict.fromkeys(sentences):
            missing = tuple(topic for topic in topics if (sentence, topic) not in self._known)
            if missing:
                found.setdefault(missing, []).append(sentence)
        return found

    def _keep(self, sentence: str, topics: Sequence[str], row: Sequence[float]) -> None:
        for topic, chance in zip(topics, row, strict=True):
            self._known[sentence, topic] = chance

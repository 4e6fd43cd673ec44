"""Lines and veils: what must never be shown, and what happens off-screen; checked by code before
display."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import islice, product
from typing import Any, NamedTuple

import yaml

from freeform.core.llm.gateway import Listen
from freeform.core.text import plain_form, shorten
from freeform.engine.authored.scenario import Calibration
from freeform.engine.world.model import NarratorOutput
from freeform.engine.world.names import words
from freeform.engine.world.state import GameState
from freeform.language.families import family
from freeform.language.phrases import Phrases
from freeform.language.sentences import SENTENCE_END
from freeform.language.words import telling_words

OFF_SCREEN = "What follows happens off-screen."
MOVED_ON = "The scene moves on."
MOST_IDEAS, LONGEST_IDEA = 6, 160
"""How many things one might do are shown, and how many letters of each."""
_TELLING = 4
_MOST = 0.8
_APART = re.compile(r"[,;/|()]|\b(?:and|or)\b|&")
"""What stands between two things on one line: `spiders and snakes`."""
_MOST_WAYS = 400


class SafetyLimits:
    """A table's lines and veils, ready to be held against text."""

    def __init__(
        self, lines: Sequence[str], veils: Sequence[str], secrets: Iterable[str] = ()
    ) -> None:
        """`secrets` are texts the player must not read yet: a sentence that tells one is left out
        too."""
        self.lines, self.veils = tuple(lines), tuple(veils)
        self._never, self._aside = _phrases(self.lines), _phrases(self.veils)
        self._judged: dict[str, str] = {}
        self._hidden = secrets

    @classmethod
    def of(cls, calibration: Calibration, state: GameState) -> "SafetyLimits":
        """What session zero agreed on, and what an X-card has excluded since."""
        excluded = state.value("campaign", "excluded") or []
        hidden = (str(state.facts[id].object.get("text", "")) for id in sorted(state.hidden))
        return cls([*calibration.lines, *map(str, excluded)], calibration.veils, hidden)

    @cached_property
    def _secrets(self) -> "_Secrets":
        """Gone through when there is something to hold against them."""
        return _telling(tuple(self._hidden))

    def crossed(self, text: str) -> str:
        """The line a text crosses, as the table wrote it, or ''."""
        return next((line for line in self.lines if _phrases((line,)).found_in(text)), "")

    def allow(self, text: str) -> str:
        """The text without what crosses a line; a run of veiled sentences becomes one word that it
        passes."""
        if not self.lines and not self.veils and not self._secrets.sizes:
            return text
        kept: list[str] = []
        voice = Guarded(self, _Page(kept))
        voice(text)
        voice.close()
        return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip() or MOVED_ON

    def allows(self, text: str) -> bool:
        """Whether a short text may be shown as it is."""
        return self.judge(text) == text

    def beside(self, telling: NarratorOutput) -> NarratorOutput:
        """The telling, with what stands beside its prose fit to be shown: the question, and what
        one might do."""
        ideas = (shorten(idea.strip(), LONGEST_IDEA) for idea in telling.suggested_actions)
        fit = [idea for idea in dict.fromkeys(ideas) if idea and self.allows(idea)][:MOST_IDEAS]
        question = telling.next_prompt.strip()
        return telling.model_copy(
            update={
                "suggested_actions": fit,
                "next_prompt": question if self.allows(question) else "",
            }
        )

    def judge(self, sentence: str) -> str:
        """One sentence: itself, the off-screen word, or nothing."""
        if sentence not in self._judged:  # what was streamed is judged again as a whole
            self._judged[sentence] = self._judge(sentence)
        return self._judged[sentence]

    def _judge(self, sentence: str) -> str:
        if self._never.found_in(sentence) or self.leaks(sentence):
            return ""
        return f"{OFF_SCREEN} " if self._aside.found_in(sentence) else sentence

    def leaks(self, sentence: str) -> bool:
        """Whether a sentence tells most of a secret's telling words."""
        secrets = self._secrets
        shared = Counter(
            number for word in words(sentence) for number in secrets.holding.get(word, ())
        )
        return any(times >= _MOST * secrets.sizes[number] for number, times in shared.items())

    def exclusions(self) -> list[str]:
        """For the narrator's prompt."""
        return [*self.lines, *(f"veil: {veil}" for veil in self.veils)]


class Guarded:
    """A listener that holds each sentence back until it is whole and allowed."""

    def __init__(self, limits: SafetyLimits, listen: Listen) -> None:
        self._limits, self._listen, self._held, self._aside = limits, listen, "", False

    def __call__(self, piece: str) -> None:
        self._held += piece
        whole = 0
        allowed = ""
        for match in SENTENCE_END.finditer(self._held):
            allowed += self._allowed(self._held[whole : match.end()])
            whole = match.end()
        self._held = self._held[whole:]
        if allowed:
            self._listen(allowed)

    def close(self) -> None:
        """The text is over: the last sentence goes out too."""
        allowed = self._allowed(self._held) if self._held else ""
        self._held = ""
        if allowed:
            self._listen(allowed)

    def again(self) -> None:
        """The text starts over."""
        self._held, self._aside = "", False
        self._listen.again()

    def _allowed(self, sentence: str) -> str:
        """What goes out of a sentence: a run of veiled ones becomes one word, and a paragraph's end
        stays."""
        allowed = self._limits.judge(sentence)
        aside, was_aside = allowed.strip() == OFF_SCREEN, self._aside
        self._aside = aside
        said = "" if aside and was_aside else allowed
        return said + "\n\n" if allowed != sentence and "\n" in sentence else said


class _Page:
    """A listener that keeps what it hears."""

    def __init__(self, kept: list[str]) -> None:
        self._kept = kept

    def __call__(self, piece: str, /) -> None:
        self._kept.append(piece)

    def again(self) -> None:
        self._kept.clear()


class _Secrets(NamedTuple):
    """Texts by their telling words: how many each has, and which of them hold a word."""

    sizes: list[int]
    holding: dict[str, list[int]]


@lru_cache(maxsize=256)
def _telling(secrets: tuple[str, ...]) -> _Secrets:
    """The secrets that have telling words enough. They change seldom."""
    texts = [telling for telling in map(words, secrets) if len(telling) >= _TELLING]
    holding: dict[str, list[int]] = {}
    for number, telling in enumerate(texts):
        for word in telling:
            holding.setdefault(word, []).append(number)
    return _Secrets([len(telling) for telling in texts], holding)


@cache
def _known() -> dict[str, Any]:
    """The topics, and the words that only frame one."""
    text = (files("freeform.engine.rules") / "topics.yaml").read_text(encoding="utf-8")
    known: dict[str, Any] = yaml.load(text, Loader=yaml.CBaseLoader)
    return known


@lru_cache(maxsize=256)
def _phrases(terms: tuple[str, ...]) -> Phrases:
    """Every way to speak of the terms: in any form of their words, and in the words of a topic they
    name."""
    ways: list[str] = []
    for term in terms:
        parts = [_telling_part(part) for part in _APART.split(plain_form(term))]
        named = [part for part in parts if part]
        if not named:
            ways.append(term)  # `them`: as the table wrote it
        for part in named:
            ways += _ways(part)
    return Phrases(ways)


def _telling_part(part: str) -> list[str]:
    """The words of a line that say what it is: in `any graphic mention of rats`, the rats."""
    framing = _known()["framing"].split()
    return [word for word in telling_words(part) if word not in framing]


def _ways(part: list[str]) -> list[str]:
    families = [family(word) for word in part]
    ways = [" ".join(chosen) for chosen in islice(product(*families), _MOST_WAYS)]
    meant_words = " ".join(word for words_of_one in families for word in words_of_one)
    for topic in _known()["topics"]:
        if Phrases(topic["names"]).found_in(meant_words):
            ways += topic["words"]
    return ways

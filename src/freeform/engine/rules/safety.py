"""Lines and veils: what must never be shown, and what happens off-screen; checked by code before
display, by the words of a limit and by its meaning."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, Protocol

from freeform.core.llm.gateway import Listen
from freeform.core.record import Record
from freeform.core.text import plain_form, shorten
from freeform.engine.authored.scenario import Calibration
from freeform.engine.world.model import NarratorOutput
from freeform.engine.world.names import words
from freeform.engine.world.state import GameState
from freeform.language.limit_words import limit_phrases, topics_in
from freeform.language.meaning.topics import Topics
from freeform.language.sentences import SENTENCE_END, sentences

OFF_SCREEN = "What follows happens off-screen."
MOVED_ON = "The scene moves on."
MOST_IDEAS, LONGEST_IDEA = 6, 160
"""How many things one might do are shown, and how many letters of each."""
TOUCHES = 0.7
"""From this chance on a sentence counts as touching a limit; `models/limits.md` says what is
missed and cut in error from here. Lower, prose loses sentences that touch nothing."""
TYPED = 0.9
"""The same for what a player types: to be refused in error is worse than to be read once."""
CAMPAIGN, LIMIT = "campaign", "limit:"
"""Where the state keeps a limit that was changed in play: `limit:` and the topic."""
_TELLING = 4
_MOST = 0.8
_SENTENCES = 512
"""Sentences of which is remembered whether they tell a secret."""
_LONGEST, _OVERLAP = 48, 8
"""Words of a sentence that are looked at in one piece; a longer one goes in overlapping pieces."""

Fate = Literal["show", "veil", "cut"]


class LimitVerdict(NamedTuple):
    """What becomes of a sentence, by which limit as the table wrote it, and how that was seen."""

    fate: Fate
    limit: str = ""
    by: Literal["", "word", "meaning", "secret"] = ""


SHOWN = LimitVerdict("show")


class Fallen(Record):
    """A sentence that was cut or veiled, and the limit it fell to."""

    sentence: str
    limit: str


class ChangedLimit(NamedTuple):
    """A limit as play has changed it: now a line, a veil, or none."""

    topic: str
    kind: Literal["line", "veil", "none"]


class SafetyLimits:
    """A table's lines and veils, ready to be held against text."""

    def __init__(
        self,
        lines: Sequence[str],
        veils: Sequence[str],
        secrets: Iterable[str] = (),
        topics: Topics | None = None,
    ) -> None:
        """`secrets` are texts the player must not read yet: a sentence that tells one is left out
        too. Without `topics` the words of a limit alone are known."""
        self.lines, self.veils = tuple(lines), tuple(veils)
        self._never, self._aside = limit_phrases(self.lines), limit_phrases(self.veils)
        self._judged: dict[str, LimitVerdict] = {}
        self._hidden, self._topics = secrets, topics

    @classmethod
    def of(
        cls, calibration: Calibration, state: GameState, topics: Topics | None = None
    ) -> "SafetyLimits":
        """What session zero agreed on, and what an X-card or the table has changed since."""
        hidden = (str(state.facts[id].object.get("text", "")) for id in sorted(state.hidden))
        return cls(*limits_now(calibration, state), hidden, topics)

    @cached_property
    def _secrets(self) -> "_Secrets":
        """Gone through when there is something to hold against them."""
        return _telling(tuple(self._hidden))

    def crossed(self, text: str) -> str:
        """The line a text crosses, as the table wrote it, or ''."""
        named = self._named_in(text, self.lines)
        if named or not self.lines:
            return named
        touched = self._touched([text], self.lines, TYPED)[0]
        return touched[0] if touched else ""

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
        return self.allow_each([text]) == [text]

    def allow_each(self, texts: Sequence[str]) -> list[str]:
        """Those of several short texts that may be shown as they are."""
        verdicts = self.verdicts(texts)
        return [text for text, given in zip(texts, verdicts, strict=True) if given.fate == "show"]

    def names_none(self, text: str) -> bool:
        """Whether a text has no words of limits or secrets; its meaning is not asked."""
        return self._by_word(text).fate == "show"

    def beside(self, telling: NarratorOutput) -> NarratorOutput:
        """The telling, with what stands beside its prose fit to be shown: the question, and what
        one might do."""
        shortened = (shorten(idea.strip(), LONGEST_IDEA) for idea in telling.suggested_actions)
        ideas = [idea for idea in dict.fromkeys(shortened) if idea]
        question = telling.next_prompt.strip()
        fit = self.allow_each([*ideas, question])
        return telling.model_copy(
            update={
                "suggested_actions": [idea for idea in ideas if idea in fit][:MOST_IDEAS],
                "next_prompt": question if question in fit else "",
            }
        )

    def verdict(self, sentence: str) -> LimitVerdict:
        """Whether one sentence may be shown, and if not, by which limit."""
        return self.verdicts([sentence])[0]

    def verdicts(self, texts: Sequence[str]) -> list[LimitVerdict]:
        """The same for several at once: they are looked at together."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._judged]
        if fresh:  # what was streamed is judged again as a whole
            self._judged |= zip(fresh, self._judge(fresh), strict=True)
        return [self._judged[text] for text in texts]

    def _judge(self, texts: Sequence[str]) -> list[LimitVerdict]:
        """By words first; what no word has cut is held against meanings."""
        given = [self._by_word(text) for text in texts]
        still_open = [n for n, verdict in enumerate(given) if verdict.fate != "cut"]
        touched = self._touched([texts[n] for n in still_open], [*self.lines, *self.veils])
        for n, limits in zip(still_open, touched, strict=True):
            line = next((limit for limit in limits if limit in self.lines), "")
            if line:
                given[n] = LimitVerdict("cut", line, "meaning")
            elif limits and given[n].fate == "show":
                given[n] = LimitVerdict("veil", limits[0], "meaning")
        return given

    def _by_word(self, text: str) -> LimitVerdict:
        if self._never.found_in(text):
            return LimitVerdict("cut", self._named_in(text, self.lines), "word")
        if self.leaks(text):
            return LimitVerdict("cut", by="secret")
        if self._aside.found_in(text):
            return LimitVerdict("veil", self._named_in(text, self.veils), "word")
        return SHOWN

    def _named_in(self, text: str, limits: Sequence[str]) -> str:
        return next((limit for limit in limits if limit_phrases((limit,)).found_in(text)), "")

    def _touched(
        self, texts: Sequence[str], limits: Sequence[str], least: float = TOUCHES
    ) -> list[list[str]]:
        """For each text the limits that one of its sentences touches, the likeliest first."""
        if self._topics is None or not limits or not texts:
            return [[] for _ in texts]
        asked = [(limit, topic) for limit in limits for topic in topics_in(limit)]
        pieces = [(n, piece) for n, text in enumerate(texts) for piece in _pieces(text)]
        chances = self._topics.touches(
            [piece for _, piece in pieces], [topic for _, topic in asked]
        )
        found: list[dict[str, float]] = [{} for _ in texts]
        for (n, _), row in zip(pieces, chances, strict=True):
            for (limit, _), chance in zip(asked, row, strict=True):
                if chance >= least:
                    found[n][limit] = max(chance, found[n].get(limit, 0.0))
        return [sorted(touched, key=lambda limit: -touched[limit]) for touched in found]

    def leaks(self, sentence: str) -> bool:
        """Whether a sentence tells most of a secret's telling words."""
        return self._secrets.told_by(sentence)

    def exclusions(self) -> list[str]:
        """For the narrator's prompt."""
        return [*self.lines, *(f"veil: {veil}" for veil in self.veils)]


def limits_now(calibration: Calibration, state: GameState) -> tuple[list[str], list[str]]:
    """The lines and the veils that hold now."""
    lines = (*calibration.lines, *map(str, state.value(CAMPAIGN, "excluded") or []))
    lines, veils = _drawn(lines, tuple(calibration.veils), tuple(changed_limits(state).items()))
    return [*lines], [*veils]


@lru_cache(maxsize=256)
def _drawn(
    agreed: tuple[str, ...], aside: tuple[str, ...], changes: tuple[tuple[str, ChangedLimit], ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lines and veils, each once, with what play has changed. They seldom change."""
    changed = dict(changes)
    lines = [line for line in agreed if limit_key(line) not in changed]
    veils = [veil for veil in aside if limit_key(veil) not in changed]
    lines += [limit.topic for limit in changed.values() if limit.kind == "line"]
    veils += [limit.topic for limit in changed.values() if limit.kind == "veil"]
    drawn = set(map(limit_key, lines))
    others = (veil for veil in dict.fromkeys(veils) if limit_key(veil) not in drawn)
    return tuple(dict.fromkeys(lines)), tuple(others)


def agreed_now(calibration: Calibration, state: GameState) -> Calibration:
    """What the table agreed on, with the lines and veils that hold now."""
    lines, veils = limits_now(calibration, state)
    return calibration.model_copy(update={"lines": lines, "veils": veils})


def changed_limits(state: GameState) -> dict[str, ChangedLimit]:
    """What play has changed, by the limits' keys."""
    found: dict[str, ChangedLimit] = {}
    for predicate in state.settled.get(CAMPAIGN, ()):
        if predicate.startswith(LIMIT):
            found[predicate.removeprefix(LIMIT)] = ChangedLimit(**state.value(CAMPAIGN, predicate))
    return found


def limit_key(topic: str) -> str:
    """What is the same for one topic however it is written."""
    return " ".join(plain_form(topic).split())


class SentenceCheck(Protocol):
    """What else a sentence is held against: the world as it is."""

    def begin(self) -> None:
        """The text starts over."""
        ...

    def against(self, text: str, /) -> str:
        """Why a sentence cannot be shown; '' where it can."""
        ...


class Guarded:
    """A listener that holds each sentence back until it is whole and allowed."""

    def __init__(
        self, limits: SafetyLimits, listen: Listen, canon: SentenceCheck | None = None
    ) -> None:
        self._limits, self._listen, self._held, self._aside = limits, listen, "", False
        self._canon = canon
        if canon:
            canon.begin()
        self.fallen: list[Fallen] = []
        """The sentences that did not go out as they were, in order."""

    def __call__(self, piece: str) -> None:
        self._held += piece
        ends = [match.end() for match in SENTENCE_END.finditer(self._held)]
        starts = [0, *ends[:-1]]
        self._say([self._held[start:end] for start, end in zip(starts, ends, strict=False)])
        if ends:
            self._held = self._held[ends[-1] :]

    def close(self) -> None:
        """The text is over: the last sentence goes out too."""
        self._say([self._held] if self._held else [])
        self._held = ""

    def again(self) -> None:
        """The text starts over."""
        self._held, self._aside = "", False
        self.fallen.clear()
        if self._canon:
            self._canon.begin()
        self._listen.again()

    def _say(self, whole: Sequence[str]) -> None:
        """What may go out of whole sentences: a run of veiled ones becomes one word, and a
        paragraph's end stays."""
        said = ""
        for sentence, verdict in zip(whole, self._limits.verdicts(whole), strict=True):
            was_aside, self._aside = self._aside, verdict.fate == "veil"
            wrong = self._canon.against(sentence) if self._canon else ""
            if verdict.fate == "show" and not wrong:
                said += sentence
                continue
            if wrong:
                self.fallen.append(Fallen(sentence=sentence.strip(), limit=wrong))
            elif verdict.limit:
                self.fallen.append(Fallen(sentence=sentence.strip(), limit=verdict.limit))
            if self._aside and not was_aside:
                said += f"{OFF_SCREEN} "
            if "\n" in sentence:
                said += "\n\n"
        if said:
            self._listen(said)


class _Page:
    """A listener that keeps what it hears."""

    def __init__(self, kept: list[str]) -> None:
        self._kept = kept

    def __call__(self, piece: str, /) -> None:
        self._kept.append(piece)

    def again(self) -> None:
        self._kept.clear()


class _Secrets:
    """Texts by their telling words: how many each has, and which of them hold a word."""

    def __init__(self, sizes: list[int], holding: dict[str, list[int]]) -> None:
        self.sizes, self._holding = sizes, holding
        self.told_by = lru_cache(maxsize=_SENTENCES)(self._told_by)
        """Whether a sentence tells most of one: those that authors wrote come turn after turn."""

    def _told_by(self, sentence: str) -> bool:
        shared = Counter(
            number for word in words(sentence) for number in self._holding.get(word, ())
        )
        return any(times >= _MOST * self.sizes[number] for number, times in shared.items())


@lru_cache(maxsize=256)
def _telling(secrets: tuple[str, ...]) -> _Secrets:
    """The secrets that have telling words enough. They change seldom."""
    texts = [telling for telling in map(words, secrets) if len(telling) >= _TELLING]
    holding: dict[str, list[int]] = {}
    for number, telling in enumerate(texts):
        for word in telling:
            holding.setdefault(word, []).append(number)
    return _Secrets([len(telling) for telling in texts], holding)


def _pieces(text: str) -> list[str]:
    """A text as the check by meaning reads it: by sentences, a long one in overlapping pieces."""
    found: list[str] = []
    for sentence in sentences(text):
        said = sentence.split()
        last = max(1, len(said) - _OVERLAP)
        found += [" ".join(said[at : at + _LONGEST]) for at in range(0, last, _LONGEST - _OVERLAP)]
    return found

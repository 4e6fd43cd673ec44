"""What was typed, as tokens: words, marks, and quoted speech as one token each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from freeform.core.text import MAX_INPUT, plain_form, visible
from freeform.language.words import unowned
from freeform.offline.interpreter.lexicon import Phrase, Phrases, lexicon

_QUOTES = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "`": "'"}
)
_TOKEN = re.compile(
    r'"(?P<double>[^"]*)(?:"|$)'
    r"|(?<![\w])'(?P<single>(?:[^'\"]|(?<=\w)'(?=\w))*?[ .!?,](?:[^'\"]|(?<=\w)'(?=\w))*)'(?!\w)"
    r"|(?P<word>\w+(?:['-]\w+)*)"
    r"|(?P<mark>--|(?<=\s)-(?=\s)|\.{2,}|[,;:.!?…—–&/()\n])"
)
MOST_TOKENS = 400


@dataclass(frozen=True, slots=True)
class Token:
    """One word, mark or quoted speech. `plain` is how it is compared; `owner` marks a
    possessive."""

    kind: Literal["word", "mark", "quote"]
    text: str
    plain: str
    start: int
    end: int
    owner: bool = False


@dataclass(frozen=True)
class Typed:
    """The text with its tokens; positions in the tokens point into the text."""

    text: str
    tokens: tuple[Token, ...]

    def phrase(self, first: int, last: int) -> str:
        """The text of tokens `first` up to, not including, `last`, as typed."""
        return self.between(first, last).strip(" ,;:")

    def between(self, first: int, last: int) -> str:
        """The same, with the space up to the next token."""
        if first >= last:
            return ""
        end = self.tokens[last - 1].end
        if last < len(self.tokens):
            end += self.text[end : self.tokens[last].start].isspace()
        return self.text[self.tokens[first].start : end]

    def has(self, at: int, phrase: Sequence[str], end: int) -> bool:
        """Whether these words stand at that position, before `end`."""
        if at + len(phrase) > end:
            return False
        return all(self.tokens[at + n].plain == word for n, word in enumerate(phrase))

    def first_of(self, at: int, phrases: Phrases, end: int) -> Phrase | None:
        """The first of the phrases that stands at that position."""
        word = self.tokens[at].plain if at < end else ""
        return next((phrase for phrase in phrases.get(word, ()) if self.has(at, phrase, end)), None)


@lru_cache(maxsize=512)
def read(text: str) -> Typed:
    """The tokens of what a player typed, at most the length the engine takes. One hearing looks at
    the same words several times."""
    lines = [visible(line) for line in text[:MAX_INPUT].translate(_QUOTES).splitlines()]
    clean = "\n".join(line for line in lines if line)
    tokens: list[Token] = []
    for found in _TOKEN.finditer(clean):
        if len(tokens) >= MOST_TOKENS:
            break
        tokens.extend(_tokens_of(found))
    return Typed(clean, tuple(tokens))


def _tokens_of(found: re.Match[str]) -> list[Token]:
    start, end = found.span()
    for group in ("double", "single"):
        if (speech := found[group]) is not None:
            words = speech.strip()
            return [Token("quote", words, plain_form(words), start, end)] if words else []
    if found["mark"]:
        return [Token("mark", found["mark"], found["mark"], start, end)]
    word = found["word"]
    plain = plain_form(word)
    if parts := lexicon().contractions.get(plain):
        cut = min(start + len(parts[0]), end)
        head = Token("word", word[: cut - start], parts[0], start, cut)
        return [head, *(Token("word", part, part, cut, end) for part in parts[1:])]
    bare = unowned(plain)
    owner = bare != plain or plain.endswith("s'")
    return [Token("word", word, bare.removesuffix("'"), start, end, owner)]

"""A sentence of prose taken apart for comparing: its words and stops, and where it names someone or
something. What people say in quotes is left out: they may lie."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.core.text import plain_form
from freeform.engine.world.names import names_of
from freeform.engine.world.names import words as telling
from freeform.engine.world.state import PLAYER, Entity, GameState
from freeform.language.forms import is_denial
from freeform.language.inflection import lemma
from freeform.language.words import unowned, word_class, words

_SPEECH = re.compile(r"\"[^\"]*\"?|“[^”]*”?|(?<!\w)'[^']{2,}[,.!?]'(?!\w)")
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[,;:.!?()]|-{2,}|[–—]")


@dataclass(frozen=True)
class NamedAt:
    """Where a sentence names an entity: the first word, the one after the last, and whether
    something of theirs is meant (`Orla's key`)."""

    start: int
    end: int
    owns: bool


class Sentence:
    """The words of a sentence outside speech, with its stops among them."""

    def __init__(self, text: str) -> None:
        told = _SPEECH.sub(" , ", text)
        plain = plain_form(told)
        self.raw = _TOKEN.findall(plain)
        self.tokens = [unowned(token) for token in self.raw]
        self.plain = plain
        self._small = _small_letters(told, len(self.raw))

    def named(self, entity: Entity, described: bool = True) -> list[NamedAt]:
        """Every place where it names that one, by its longest name there; whether also by what
        others may be called too, such as `the boy`."""
        found: dict[int, NamedAt] = {}
        for name in names_of(entity):
            called = _without_article(words(name))
            proper = _is_proper(name)
            if not called or not (described or proper or name == entity.name):
                continue
            for start in self._places(called):
                end = start + len(called)
                if proper and start in self._small:
                    continue  # a dead wick is not Wick
                if start not in found or found[start].end < end:
                    found[start] = NamedAt(start, end, self.raw[end - 1] != self.tokens[end - 1])
        return [found[start] for start in sorted(found)]

    def _places(self, called: Sequence[str]) -> list[int]:
        size, tokens = len(called), self.tokens
        return [n for n in range(len(tokens) - size + 1) if tokens[n : n + size] == list(called)]

    def after(self, start: int, most: int) -> list[str]:
        """Up to so many words from there on, as far as the next stop."""
        found: list[str] = []
        for token in self.tokens[start : start + most]:
            if not token[0].isalnum():
                break
            found.append(token)
        return found

    def before(self, end: int, most: int) -> list[str]:
        """Up to so many words before that one, back to the last stop."""
        found: list[str] = []
        for token in reversed(self.tokens[max(0, end - most) : end]):
            if not token[0].isalnum():
                break
            found.insert(0, token)
        return found

    def past_aside(self, place: int) -> int:
        """Where a sentence goes on after an aside between commas: Orla, still wet, pours."""
        if self.tokens[place : place + 1] != [","]:
            return place
        ahead = range(place + 1, min(place + 8, len(self.tokens)))
        closing = [n for n in ahead if self.tokens[n] == ","]
        return closing[0] + 1 if closing else place

    def ends_at(self, place: int) -> bool:
        """Whether nothing more of the clause follows."""
        return place >= len(self.tokens) or not self.tokens[place][0].isalnum()

    def is_unreal(self, place: int) -> bool:
        """Whether what stands there is denied, wished, possible, or yet to be done."""
        near = self.before(place, 4)
        if near and near[-1] == "to":
            return True
        return any(is_denial(word) or word in word_class("unreal") for word in near)


def _small_letters(told: str, size: int) -> frozenset[int]:
    """The words that begin with a small letter; none where a text has no capitals, or does not
    come apart as its plain form does."""
    spelled = _TOKEN.findall(told.replace("’", "'"))
    if len(spelled) != size or told == told.lower():
        return frozenset()
    return frozenset(at for at, token in enumerate(spelled) if token[0].islower())


def _is_proper(name: str) -> bool:
    """Whether a name is one's own, by its capitals."""
    said = [word for word in name.split() if word.lower() not in word_class("articles")]
    return bool(said) and all(word[0].isupper() for word in said)


def leaves_speech_open(text: str, inside: bool) -> bool:
    """Whether someone is still speaking when a sentence is over, given whether they spoke when it
    began."""
    for sign in text:
        if sign == '"':
            inside = not inside
        elif sign in "“”":
            inside = sign == "“"
    return inside and "\n" not in text.rstrip("\n") and not text.endswith("\n")


def lemmas_of(tokens: Sequence[str]) -> list[str]:
    """Each word as what all its forms share."""
    return [lemma(token) for token in tokens]


def _without_article(called: list[str]) -> list[str]:
    return called[1:] if called[:1] and called[0] in word_class("articles") else called


def tells_of(text: str, subject_id: str, said: str, state: GameState) -> bool:
    """Whether a sentence tells a claim: it names its subject, and most of the claim's words."""
    sentence = Sentence(text)
    entity = state.entities.get(subject_id)
    told, claim = telling(sentence.plain), telling(said)
    if entity is None:
        return bool(claim) and claim <= told
    if subject_id == PLAYER:
        named = "you" in sentence.tokens
    else:
        named = bool(sentence.named(entity))
    rest = claim.difference(*map(telling, names_of(entity)))
    return named and 2 * len(rest & told) >= len(rest)

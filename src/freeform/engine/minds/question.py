"""A question to someone, read: what it is after, whom it names, and how they would say it back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from freeform.engine.table import Rules
from freeform.engine.world.names import mentioned, names_of, words
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.sentences import sentences
from freeform.language.words import word_class

KNOWING = "know"
"""The kind of question that is after what someone knows of the world."""
_NAMED = ("npc", "location", "item", "object", "faction")
_LONGEST_ECHO = 9
_WORD = re.compile(r"[\w'’-]+|[^\w\s]")
_ENDS = frozenset('.,;:!?"“”')
_BEFORE_OBJECT, _AFTER_OBJECT = word_class("before_whom"), word_class("after_whom")
_MY_SIDE = {"your": "my", "yours": "mine", "yourself": "myself", "you're": "I'm", "you've": "I've"}
_MY_SIDE |= {"i": "you", "me": "you", "my": "your", "mine": "yours"}
_MY_SIDE |= {"i'm": "you're", "i've": "you've", "myself": "yourself"}
_ASKS = word_class("question_words") | word_class("auxiliaries")
_HELPERS = {"are": "am", "were": "was", "aren't": "am not", "weren't": "wasn't", "am": "are"}
_AND = re.compile(r",?\s+and\s+", re.I)
_SOMEONE = word_class("of_a_person")
_SOMEONES = word_class("of_one_named") - _SOMEONE | {"her"}


@dataclass(frozen=True)
class AskedOfSomeone:
    """Words said to someone who is here."""

    said: str
    who: str
    state: GameState
    rules: Rules

    @cached_property
    def text(self) -> str:
        """The words as they are said to them: without their name, `he` turned back into `you`."""
        bare = _without_address(_last_question(self.said), self._own_names)
        return _as_said_to_them(bare) if self.is_reported else bare

    @cached_property
    def is_reported(self) -> bool:
        """Whether it was told, not spoken: `whether he slept`, `what she thinks of it`."""
        parts = {word.lower() for word in _WORD.findall(self.said)}
        return "?" not in self.said and "you" not in parts and bool(parts & _SOMEONE)

    @cached_property
    def about(self) -> list[str]:
        """Whom and what it names, other than the one who is asked."""
        found = mentioned(self.text, self.state, _NAMED)
        return [id for id in found if id not in (self.who, PLAYER)]

    @cached_property
    def kinds(self) -> Mapping[str, float]:
        """How likely it is of each kind; {} where nothing can tell. A bare topic (`the storm`) is
        after knowledge."""
        sense = self.rules.sense
        if sense and self._is_topic:
            return {KNOWING: 1.0}
        return sense.asked_for(self.text) if sense else {}

    @cached_property
    def kind(self) -> str:
        """The likeliest kind; after knowledge where nothing can tell."""
        return max(self.kinds, key=lambda kind: self.kinds[kind], default=KNOWING)

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words that say what it is about, without the name of the one who is asked."""
        return words(self.text) - words(" ".join(self._own_names))

    @cached_property
    def echo(self) -> str:
        """The question in the mouth of the one who is asked; '' where it is too long for that, or
        was only told."""
        if self.is_reported:
            return ""
        parts = _WORD.findall(self.text)
        while parts and parts[-1] in _ENDS:
            parts.pop()
        last_end = max((n for n, part in enumerate(parts) if part in ".!?;"), default=-1)
        parts = [part for part in parts[last_end + 1 :] if part not in '"“”']
        if not 1 <= len([part for part in parts if part not in _ENDS]) <= _LONGEST_ECHO:
            return ""
        turned = _joined(_turned(parts))
        return f"{turned[:1].upper()}{turned[1:]}?"

    @property
    def _is_topic(self) -> bool:
        """Whether a thing was named and nothing asked of it: `ask her about the sickness`."""
        said = [word.lower() for word in _WORD.findall(self.said)]
        asks = not said or said[0] in _ASKS or "you" in said or "?" in said
        return not asks and not self.is_reported

    @cached_property
    def _own_names(self) -> list[str]:
        return names_of(self.state.entities[self.who])


def questions_in(said: str) -> list[str]:
    """Questions asked in one breath, one by one: `Who are you and what do you want?`"""
    parts = _AND.split(_last_question(said).strip())
    if len(parts) < 2 or not all(_begins_question(part) for part in parts):
        return [said]
    return parts


def _begins_question(part: str) -> bool:
    first = _WORD.match(part)
    return first is not None and first[0].lower() in _ASKS


def _last_question(said: str) -> str:
    """Of several sentences the last that asks: `Good evening. And you are?`"""
    asking = [one for one in sentences(said) if one.rstrip('"”').endswith("?")]
    return asking[-1] if asking else said


def _without_address(said: str, names: Sequence[str]) -> str:
    """Words without the name they begin or end with."""
    text = said.strip().strip('"“”')
    for name in sorted([*names, *word_class("titles")], key=len, reverse=True):
        called = rf"(?:the )?{re.escape(name)}"
        text = re.sub(rf"^{called}\s*(?:[,:;.!-]\s*|(?=\w+ you\b))", "", text, flags=re.I)
        text = re.sub(rf"\s*,\s*{called}\s*([?.!]*)$", r"\1", text, flags=re.I)
    return text.strip()


def _as_said_to_them(text: str) -> str:
    """Reported words as they were spoken: he is you."""
    parts = text.split()
    if parts and parts[0].lower() in ("whether", "if"):
        parts = parts[1:]
    said: list[str] = []
    for number, part in enumerate(parts):
        plain, last = part.lower(), number == len(parts) - 1
        owns = plain in _SOMEONES and not last
        if owns and plain not in ("her", "it"):
            said.append("your")
        elif plain in _SOMEONE:
            said.append("you")
        else:
            said.append(part)
    return " ".join(said)


def _turned(parts: Sequence[str]) -> list[str]:
    """You is I or me, I is you, and the verbs follow."""
    turned: list[str] = []
    for number, part in enumerate(parts):
        plain = part.lower()
        before = parts[number - 1].lower() if number else ""
        after = parts[number + 1].lower() if number + 1 < len(parts) else ""
        if plain == "you" and before == "of" and "many" in parts[:number]:
            turned.append("us")
        elif plain == "you":
            turned.append("me" if _is_object(before, after, number) else "I")
        elif plain in _HELPERS and ("you" in (after, before)):
            turned.append(_HELPERS[plain])
        elif plain == "am" and "i" in (after, before):
            turned.append("are")
        else:
            turned.append(_MY_SIDE.get(plain, part))
    return turned


def _is_object(before: str, after: str, number: int) -> bool:
    if number == 0:
        return False
    return before in _BEFORE_OBJECT or not after or after in _ENDS or after in _AFTER_OBJECT


def _joined(parts: Sequence[str]) -> str:
    text = ""
    for part in parts:
        text += part if part in _ENDS or not text else f" {part}"
    return text

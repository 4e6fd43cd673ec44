"""A question to someone, read: what it is after, whom it names, and how they would say it back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from freeform.engine.table import Rules
from freeform.engine.world.names import mentioned, names_of, words
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.likeness import in_full
from freeform.language.sentences import sentences
from freeform.language.words import word_class

KNOWING = "know"
"""The kind of question that is after what someone knows of the world."""
_NAMED = ("npc", "location", "item", "object", "faction")
_LONGEST_ECHO, _SHORT = 9, 4
_WORD = re.compile(r"[\w'’-]+|[^\w\s]")
_ENDS = frozenset('.,;:!?"“”')
_ASKS = word_class("question_words") | word_class("auxiliaries")
_HELPING = word_class("auxiliaries")
_SIDES = word_class("either_side")
_THEIRS = word_class("spoken_to")
WHO, WHERE, WHEN, WHY, HOW, DID, SEEN = "who", "where", "when", "why", "how", "did", "seen"
_PARTICULARS = {"who": WHO, "whom": WHO, "whose": WHO, "which": WHO, "where": WHERE, "when": WHEN}
_PARTICULARS |= {"why": WHY, "how": HOW}
_EMBEDDED = re.compile(
    r"^\W*(?:(?:and|but|so|well|please|then)\W+)*(?:(?:do|did|can|could|would|will) you "
    r"(?:know|remember|tell me|say|think|guess|have any idea)|(?:any|no) idea|tell me|say)\s+"
    r"(?=(?:who|whom|whose|which|where|when|why|how)\b)",
    re.I,
)
"""`do you know who took it`: who took it."""
_HELPS = "was|is|were|are|did|do|does|has|have|had|would|can|could"
_THEY = "(?:it|he|she|they|you|that|there)"
_TAG = re.compile(
    rf"(?:\s*[,.;!?-]+\s*\b(?:(?:{_HELPS})(?:n['’]?t| not)? {_THEY}(?: not)?[?!.]*"
    r"|admit it[?!.]*|(?:right|true|correct|am i right)\s*\?+)"
    rf"|\s+(?:{_HELPS})n['’]?t {_THEY}\s*\?+)[\s\"”']*$",
    re.I,
)
"""What is set off behind a statement, or denies and asks in one."""
_TWO = 2
_OPENS_WITH_AND = re.compile(r"^\W*(?:and|but|so|well|ok|okay|then|yes|no)\W+(?=\w)", re.I)
_HAVE_SEEN = re.compile(
    r"^\W*(?:have|did|has|had) (?:you|any(?:body|one)) (?:ever |just )?"
    r"(?:seen?|saw|met|meet|spot(?:ted)?|noticed?)\b",
    re.I,
)
_HAVE_HEARD = re.compile(
    r"^\W*\w+ you (?:ever |already )?(?:hear|heard|know|known|remember|learn|learnt|learned)\b",
    re.I,
)
"""`have you heard of it`: asks for what they know."""
_OF_DEEDS = ("did", "have", "had", "were", "was")
_SURE = 0.6
"""How likely a question must be after knowledge to be none after the one who is asked."""
_INNER = frozenset("self want view trust_me lying feel company price favour advice".split())
"""Kinds of question that are about the one who is asked, or between the two."""
_ARTICLES = word_class("articles")
_STUMPS = frozenset({"that", "for", "to", "of", "what", "how", "whether", "if"})
_WHETHER = frozenset({"whether", "if"})
_MANY = frozenset({"they", "them", "their"})
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
        """The words as they are said to them: without their name, `he` turned back into `you`; of
        several sentences the one that asks."""
        last = _last_question(self.said)
        bare = _without_address(last, tuple(self._own_names))
        if not words(bare) and last != self.said:  # `You know something. What is it?`
            bare = self.bare
        return _as_said_to_them(bare) if self.is_reported else bare

    @cached_property
    def bare(self) -> str:
        """All the words, without the name of the one they are said to."""
        return _without_address(self._to_them, tuple(self._own_names))

    @cached_property
    def _to_them(self) -> str:
        """The words, with `you` for the one they are said to and done to: `I accuse Ann of it`."""
        named = "|".join(map(re.escape, sorted(self._own_names, key=len, reverse=True)))
        done_to = rf"^(\W*I \w+) (?:{named})(?= (?:of|for)\b|[.!]*$)"
        return re.sub(done_to, r"\1 you", self.said, flags=re.I)

    @cached_property
    def nameless(self) -> str:
        """All the words without the name of the one they are said to, wherever it stands."""
        names = sorted([*self._own_names, *word_class("titles")], key=len, reverse=True)
        named = "|".join(map(re.escape, names))
        left = re.sub(rf"\b(?:{named})\b[,.]?\s*", "", self._to_them, flags=re.I)
        return left.strip(" ,") or self.said

    @cached_property
    def is_reported(self) -> bool:
        """Whether it was told, not spoken: `whether he slept`, `what she thinks of it`."""
        parts = [word.lower() for word in _WORD.findall(_spelled_out(self.said))]
        own = self._own_pronouns
        someone = bool(_SOMEONE & own & {*parts}) or bool(_SOMEONES & own & {*parts[:1]})
        return "?" not in self.said and "you" not in parts and someone

    @cached_property
    def _own_pronouns(self) -> frozenset[str]:
        """The words that may mean the one who is asked; any of one person where nobody said."""
        attrs = self.state.entities[self.who].attrs
        told = str(attrs.get("pronouns") or attrs.get("gender") or "").lower()
        given = frozenset(told.replace("/", " ").split()) & (_SOMEONE | _SOMEONES)
        own = {"his"} if "he" in given else {"her", "hers"} if "she" in given else set()
        return given | own if given else (_SOMEONE | _SOMEONES) - _MANY

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
    def is_to_them(self) -> bool:
        """Whether it speaks of the one it is said to: as you, as told of them, or in a word or two
        that speak of nobody."""
        said = [word.lower() for word in _WORD.findall(self.bare)]
        reported = self.is_reported or said[:1] == ["of"]
        return bool({*said} & _THEIRS) or reported or len(said) <= _SHORT

    @cached_property
    def is_of_them(self) -> bool:
        """Whether it asks after the one who is asked, and names nobody else."""
        said = {word.lower() for word in _WORD.findall(self.text)}
        return bool(said & _THEIRS) and not self.about and self.kinds.get(KNOWING, 0.0) < _SURE

    @cached_property
    def wants(self) -> str:
        """The one particular it asks for: who, where, when, why, how, whether they did or saw it;
        '' where it asks for none, or for how the one who is asked is and thinks."""
        if not asks(self.text) or (self.kinds.get(self.kind, 0.0) >= _SURE and self.kind in _INNER):
            return ""
        bare = _EMBEDDED.sub("", _OPENS_WITH_AND.sub("", self.text))
        if _HAVE_SEEN.match(bare):
            return SEEN
        first = _WORD.search(bare)
        opener = _opener(first[0]) if first else ""
        if opener in _OF_DEEDS and is_of_what_they_did(bare):
            return "" if _HAVE_HEARD.match(bare) else DID
        return _PARTICULARS.get(opener, "")

    @property
    def asks_more(self) -> bool:
        """Whether it asks more than to speak of something: `the storm` does not."""
        return not self._is_topic

    @cached_property
    def echo(self) -> str:
        """The words as the one who hears them may say them over; '' where they are long, were only
        told, or name either side: `you` and `I` turned round are a parrot's."""
        said = self.text.strip(' "“”')
        parts = [part for part in _WORD.findall(said.rstrip(" .?!")) if part not in '"“”']
        plain = {part.lower() for part in parts}
        if not 1 < len(parts) <= _LONGEST_ECHO or self.is_reported or plain & _SIDES:
            return ""
        if plain & _ENDS or self.who in mentioned(said, self.state, _NAMED):
            return ""
        return f"{said[:1].upper()}{said[1:].rstrip(' .?!')}?" if self._is_whole(parts) else ""

    def _is_whole(self, parts: Sequence[str]) -> bool:
        """Whether words are a question or a sentence of their own, as they stand."""
        return asks(self.text) or (bool(self.about) and parts[0].lower() not in _STUMPS)

    @property
    def _is_topic(self) -> bool:
        """Whether a thing was named and nothing asked of it: `ask her about the sickness`."""
        said = {word.lower() for word in _WORD.findall(self.bare)}
        is_asked = not said or bool(said & _THEIRS) or asks(self.bare)
        return not is_asked and not self.is_reported

    @cached_property
    def _own_names(self) -> list[str]:
        return names_of(self.state.entities[self.who])


def asks(said: str, is_asked: bool = True) -> bool:
    """Whether words are a question by their form; what is told may begin like one: `what she had
    seen`."""
    parts = [_opener(word) for word in _WORD.findall(said)[:2]]
    if said.rstrip(" \"”'").endswith("?"):
        return True
    if not is_asked and parts and parts[0] not in _HELPING:
        return parts[0] in _ASKS and parts[-1] in _HELPING
    return bool(parts) and parts[0] in _ASKS


def is_of_what_they_did(said: str) -> bool:
    """Whether words ask the one they are said to for a yes or a no about themselves: `did you`."""
    return [word.lower() for word in _WORD.findall(said)[1:2]] == ["you"] and is_yes_or_no(said)


def is_yes_or_no(said: str) -> bool:
    """Whether words ask for a yes or a no: `was it you`."""
    first = _WORD.search(said)
    return first is not None and first[0].lower() in _HELPING


def opens_with(said: str, *openers: str) -> bool:
    """Whether a question begins with one of these words."""
    first = _WORD.search(said)
    return first is not None and _opener(first[0]) in openers


def _opener(word: str) -> str:
    """A word as questions begin with it: `what's` and `whats` are what."""
    return (in_full(word).split() or [""])[0]


def questions_in(said: str) -> list[str]:
    """Questions asked in one breath, one by one: `Who are you and what do you want?`"""
    parts = _AND.split(_last_question(said).strip())
    first, *others = parts
    if not others or not _begins_question(first) or not all(map(_asks_on, others)):
        return [said]
    return parts


def _asks_on(part: str) -> bool:
    """Whether a second question is asked: `and what she saw`, `and if he is hurt`."""
    first = _WORD.match(part)
    return _begins_question(part) or (first is not None and first[0].lower() in _WHETHER)


def untagged(said: str) -> str:
    """What is said without the tag behind it: `it was you, wasn't it?` says that it was."""
    left = _TAG.sub("", said.rstrip()).rstrip(" ,;-")
    parts = left.split()
    is_cut = bool(parts) and _opener(parts[-1]) in word_class(
        "question_words"
    )  # `tell me who, is he`
    is_statement = len(parts) > _TWO and not is_cut and not asks(sentences(left)[-1])
    return f"{left.rstrip('?.! ')}." if left != said.rstrip() and is_statement else said


def _begins_question(part: str) -> bool:
    first = _WORD.match(part)
    return first is not None and _opener(first[0]) in _ASKS


def _last_question(said: str) -> str:
    """Of several sentences the last that asks: `Good evening. And you are?`"""
    asking = [one for one in sentences(said) if one.rstrip('"”').endswith("?")]
    return asking[-1] if asking else said


class _Called(NamedTuple):
    """How words begin or end with a name, and how they go on after it."""

    first: re.Pattern[str]
    last: re.Pattern[str]
    begun: re.Pattern[str]


@lru_cache(maxsize=2_000)
def _called_by(name: str) -> _Called:
    """The same names are looked for in every question."""
    plain = re.escape(name)
    called = rf"(?:the )?{plain}"
    return _Called(
        re.compile(rf"^{called}\s*(?:[,:;.!-]\s*|(?=\w+ you\b))", re.I),
        re.compile(rf"\s*,\s*{called}\s*([?.!]*)$", re.I),
        re.compile(rf"(?:\w+,?\s+)?{plain}[,:]?\s+(?=\S)", re.I),
    )


@lru_cache(maxsize=512)
def _without_address(said: str, names: tuple[str, ...]) -> str:
    """Words without the name they begin or end with: `ok Marit what's that` asks Marit."""
    text = said.strip().strip('"“”')
    for name in sorted([*names, *word_class("titles")], key=len, reverse=True):
        called = _called_by(name)
        text = called.first.sub("", text)
        text = called.last.sub(r"\1", text)
    for name in sorted(names, key=len, reverse=True):
        begun = _called_by(name).begun.match(text)
        if begun and _goes_to_them(text[begun.end() :]):
            text = text[begun.end() :]
    return text.strip()


def _goes_to_them(words_after: str) -> bool:
    """Whether words after a name are said to whoever bears it: they ask, or speak from one side to
    the other."""
    first = _WORD.match(words_after)
    return first is not None and (_opener(first[0]) in _ASKS or first[0].lower() in _SIDES)


def _spelled_out(text: str) -> str:
    """Words with their short forms whole, and names as they stand: `if hes hurt`: he is."""
    whole = ((word, in_full(word)) for word in text.split())
    return " ".join(full if " " in full else word for word, full in whole)


def _as_said_to_them(text: str) -> str:
    """Reported words as they were spoken: he is you."""
    parts = _spelled_out(text).split()
    if parts and parts[0].lower() in _WHETHER:
        parts = parts[1:]
    said: list[str] = []
    for number, part in enumerate(parts):
        plain, last = part.lower(), number == len(parts) - 1
        owns = plain in _SOMEONES and not last
        if owns and (plain not in ("her", "it") or (plain == "her" and number == 0)):
            said.append("your")
        elif plain in _SOMEONE:
            said.append("you")
        else:
            said.append(part)
    return " ".join(said)

"""The nouns of a premise, in their order: what each names, whose it is, whether it is many."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from freeform.forge.premise.kinds import NounKind, kind_of_noun, known_kind, word_tables
from freeform.language.forms import is_adverb, is_participle, is_plural
from freeform.language.inflection import lemma, singular
from freeform.language.tables import cues
from freeform.language.words import unowned

_TOKEN = re.compile(r"[^\W\d_][\w'’-]*|\d[\w'’-]*|[.,;:!?()—–]")
_OWNS = re.compile(r"'s$|s'$")
_SHORTENED = re.compile(r"(?:n't|'(?:m|ve|re|ll|d))$")
"""`I'm`, `don't`: never a name."""
_SENTENCE_ENDS = frozenset(".!?")
_SETS_OFF = frozenset(",:")
_YEAR = re.compile(r"\d{4}")
_DECADE = re.compile(r"\d{4}s")
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_HEIRS = frozenset({"me", "us", "you", "him", "her", "them"})
_HAVING = frozenset({"has", "have", "had"})
_ONLY_BEFORE = frozenset({"late"})
"""Whoever is `the late king` is dead; whoever `is late` is not."""
_TELLERS = frozenset({"my", "our"})
YOU = "you"
"""Who owns what the teller calls `my`."""


@dataclass(frozen=True)
class PremiseNoun:
    """One thing the premise names."""

    text: str
    """As it stands: `lighthouse keeper`, `Captain Vey`, `three sisters` without its number."""
    head: str
    """Its last word, as one of them: `keeper`, `sister`."""
    kind: NounKind
    sort: str = ""
    """Of a place: building, wild, water …"""
    is_name: bool = False
    is_many: bool = False
    owner: str = ""
    """Whose it is: the text of another noun, or `YOU`."""
    is_gone: bool = False
    """Said to be dead or struck down: nobody to talk to."""
    is_one: bool = False
    """Said with an article: a suitcase, not money."""
    part: str = ""
    """Its part in the story, where the learned ear said it: foe, victim, friend, stake …"""
    also: str = ""
    """What else the premise calls them."""
    sure: float = 0.0
    """How likely it is what it is said to be; 0 where nobody said."""
    order: int = 0
    nature: str = ""
    """The sort of thing it names, where that is known: `written`, `sealed`, `creature` …"""
    is_fellow: bool = False
    """Whether they are one of those of whom the hero is another: the other brother."""
    fate: str = ""
    """What the premise says has become of it: dead, missing, asleep, away; '' for nothing."""
    full: str = ""
    """With all that stands before it: `strongly worded clay tablet`; '' where nothing does."""

    @property
    def also_called(self) -> list[str]:
        """Each of the other nouns for it: of `landlord, a retired pirate` both."""
        return re.split(r", an? ", self.also) if self.also else []


@dataclass
class _Phrase:
    """Words that may turn out to be a noun phrase."""

    before: str = ""
    has_article: bool = False
    owner: str = ""
    words: list[str] = field(default_factory=list)


class NounReader:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text.replace("’", "'"))
        self._found: list[PremiseNoun] = []
        self._phrase = _Phrase()
        self._starts_sentence = True
        self._at = 0

    def read(self) -> list[PremiseNoun]:
        """The nouns in their order; what modifies a noun and is a place is one of its own."""
        for at, token in enumerate(self._tokens):
            following = self._tokens[at + 1] if at + 1 < len(self._tokens) else ""
            self._at = at
            self._take(token, following)
            self._starts_sentence = token in _SENTENCE_ENDS
        self._at = len(self._tokens)
        self._close()
        return self._found

    def _take(self, token: str, following: str) -> None:
        plain = token.lower()
        bare = unowned(plain)
        if not token[0].isalpha() or bare in word_tables().small or _SHORTENED.search(plain):
            self._close()
            self._phrase = _Phrase(before=plain, has_article=plain in word_tables().determiners)
        elif _OWNS.search(plain):
            self._phrase.words.append(re.sub(r"'s?$", "", token))
            owner = self._close()
            self._phrase = _Phrase(has_article=True, owner=owner)
        elif self._is_verb(token, following):
            self._close()
            self._phrase = _Phrase(before=plain)
        elif is_adverb(plain) and known_kind(plain) is None:
            self._close()
        else:
            self._phrase.words.append(token)

    def _is_verb(self, token: str, following: str) -> bool:
        plain, phrase = token.lower(), self._phrase
        if token[0].isupper() and not self._starts_sentence:
            return False
        a_noun, a_verb = known_kind(plain) is not None, lemma(plain) in word_tables().verbs
        goes_on = following.lower() in word_tables().determiners or not following
        if phrase.words and _names_something(phrase.words[-1]):
            if a_noun:
                return a_verb and goes_on and bool(following)
            return a_verb or is_participle(plain)
        if phrase.has_article or phrase.words:
            return False
        if a_noun:
            return False
        return a_verb or is_participle(plain)

    def _close(self) -> str:
        """Ends the phrase; its text, where it names something."""
        phrase, self._phrase = self._phrase, _Phrase()
        words = _without_adjectives_behind(phrase.words)
        if not words:
            return ""
        head = words[-1]
        plain = head.lower()
        if {plain, singular(plain)} & word_tables().times or (
            len(words) == 1 and lemma(plain) in _NO_NOUNS
        ):
            return ""
        short_form = head.isupper() and len(head) > 1 and phrase.has_article  # `the AI`
        is_name = (
            head[0].isupper()
            and not short_form
            and (len(self._found) > 0 or known_kind(head) is None)
        )
        kind, sort = kind_of_noun(head, phrase.before, is_name)
        if is_name and plain in _MONTHS and self._token(0)[:1].isdigit():
            return ""
        if is_name and (self._is_dated() or _DECADE.fullmatch(phrase.before)):
            kind, sort = "place", "settlement"
        self._found += places_before(words[:-1], len(self._found))
        text = " ".join(words if is_name else [lowered(word) for word in words])
        many = not is_name and is_plural(plain) and singular(plain) != plain
        self._found.append(
            PremiseNoun(
                text=text,
                head=head if is_name else singular(plain),
                kind=kind,
                sort=sort,
                is_name=is_name,
                is_many=many,
                owner=phrase.owner or (YOU if phrase.before in _TELLERS else ""),
                is_gone=kind == "person" and self._is_gone(words),
                is_one=phrase.has_article,
                order=len(self._found),
            )
        )
        return text

    def _token(self, further: int) -> str:
        """The token that many behind the phrase; '' behind the last."""
        at = self._at + further
        return self._tokens[at] if at < len(self._tokens) else ""

    def _is_dated(self) -> bool:
        """Whether a year stands behind it: `London, 1666`, `Constantinople, April 1453`."""
        if self._token(0) not in _SETS_OFF:
            return False
        year = self._token(2) if self._token(1).lower() in _MONTHS else self._token(1)
        return _YEAR.fullmatch(year) is not None

    def _is_gone(self, words: list[str]) -> bool:
        first = self._at - len(words)
        before = [token.lower() for token in self._tokens[max(0, first - 4) : first]]
        return is_gone(before, words, [token.lower() for token in self._tokens[self._at :]])


def is_gone(before: Sequence[str], words: Sequence[str], behind: Sequence[str]) -> bool:
    """By a word of the phrase, by what is said of it behind, or by `the murder of` before it."""
    tables = word_tables()
    if tables.gone & {word.lower() for word in words}:
        return True
    if "of" in before and tables.gone_before & set(before):
        return True
    if len(behind) > 2 and behind[0] == "left" and behind[2] in tables.determiners:
        return behind[1] in _HEIRS  # `my grandma left me a motel`
    before_it = ""
    for at, word in enumerate(behind):
        if word in tables.gone - _ONLY_BEFORE:
            unlike = re.match(cues("fates")["unlike"], " ".join(behind[at:]))
            return before_it not in _HAVING and not unlike  # `the sheriff has shot somebody`
        if word not in tables.gone_links:
            return False
        before_it = word
    return False


def places_before(modifiers: Sequence[str], order: int) -> list[PremiseNoun]:
    """Places that say more of a noun: the lighthouse of a lighthouse keeper."""
    found: list[PremiseNoun] = []
    for word in modifiers:
        known = known_kind(word)
        if known and known[0] == "place" and word.islower():
            found.append(PremiseNoun(word, word, "place", known[1], order=order + len(found)))
    return found


_NO_NOUNS = frozenset({"lot", "kind", "else"})


def _names_something(word: str) -> bool:
    return word.lower() not in word_tables().adjectives


def _without_adjectives_behind(words: list[str]) -> list[str]:
    kept = list(words)
    while kept and kept[-1].lower() in word_tables().adjectives and known_kind(kept[-1]) is None:
        kept.pop()
    while kept and kept[0].lower() in word_tables().counts:
        kept.pop(0)
    return kept


def lowered(word: str) -> str:
    """In small letters, unless all of them are large."""
    return word if word.isupper() and len(word) > 1 else word.lower()

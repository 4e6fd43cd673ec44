"""A word's forms led back to one: `lemma` for all words, `singular` for nouns, `akin` for pairs."""

import re
from functools import cache, lru_cache
from typing import Any, NamedTuple

from freeform.language.tables import cues

_KNOWN_WORDS = 65_536
_BRITISH = (
    (re.compile(r"(?<=[a-z]{3})iz(?=(?:e[sdr]?|ers|ings?|ations?)$)"), "is"),
    (re.compile(r"(?<=[a-z]{3})yz(?=(?:e[sdr]?|ers|ings?)$)"), "ys"),
    (re.compile(r"(?<=[a-z]{2})our"), "or"),
    (re.compile(r"(?<=[a-z]{2}[bt])re(?=[sd]?$)"), "er"),
    (re.compile(r"(?<=h)ae(?=m)|(?<=p)ae(?=d)|(?<=f)oe(?=t)"), "e"),
    (re.compile(r"(?<=ef|ff)enc(?=e)"), "ens"),
    (re.compile(r"^gr[ae]y(?=$|s|e|i)"), "gray"),
    (re.compile(r"^whisk(?:e?ys?|e?ies)$"), "whiskey"),
)
"""British and American spelling, led to one. It need not be a word: it is only compared."""
_DOUBLED = re.compile(r"[aeiouy][^aeiouy]+[aeiouy]+ll$|[^aeiouy][aeiouy]ff$")
_BARE = re.compile(r"(?:i?e[sd]|ing|e|s|y)$")


class _Irregular(NamedTuple):
    """What no rule knows: forms of nouns and of all words, and what only looks like a form."""

    nouns: dict[str, str]
    verbs: dict[str, str]
    participles: dict[str, str]
    forms: dict[str, str]
    no_plural: frozenset[str]
    alone: frozenset[str]
    two_faced: dict[str, str]
    before_a_noun: frozenset[str]


@cache
def _irregular() -> _Irregular:
    known = cues("irregular")
    nouns = _by_form(known["nouns"])
    verbs = _by_form(known["verbs"])
    return _Irregular(
        nouns,
        verbs,
        participles=_participles(known),
        forms={**nouns, **verbs},
        no_plural=frozenset(known["no_plural"].split()),
        alone=frozenset(known["alone"].split()),
        two_faced=_by_form(known["two_faced"]),
        before_a_noun=frozenset(known["before_a_noun"].split()),
    )


def _participles(known: dict[str, Any]) -> dict[str, str]:
    """What each verb is when it is done: the last of its forms that is not `-ing`."""
    done = {verb: verb for verb in known["unchanged"].split()}
    for verb, forms in known["verbs"].items():
        past = [form for form in forms.split() if not form.endswith("ing")]
        if past:
            done[verb] = past[-1]
    return done | dict(known["done"])


def _by_form(listed: dict[str, str]) -> dict[str, str]:
    by_form: dict[str, str] = {}
    for word, forms in listed.items():
        for form in forms.split():
            by_form[form] = word
    return by_form


def irregular_verb(form: str) -> str:
    """The verb that an irregular form belongs to; '' for any other word."""
    return _irregular().verbs.get(form, "")


def irregular_participle(verb: str) -> str:
    """What an irregular verb is when it is done: bind, bound; '' for any other word."""
    return _irregular().participles.get(verb, "")


@lru_cache(maxsize=_KNOWN_WORDS)
def lemma(word: str) -> str:
    """What all forms of a word share (`stabs`, `stabbed`, `stabbing`): to compare, not to show."""
    one = singular(word)
    if one in _irregular().alone:
        return one
    # A stemmer keeps its place in itself, so two threads must not share one; it is cheap to make.
    stem: str = _stemmer()().stemWord(_spelled(word))
    return stem[:-1] if _DOUBLED.search(stem) else stem


@cache
def _stemmer() -> Any:
    """The stemmer's class, imported when a word is asked for: its package reads forty languages."""
    from snowballstemmer.english_stemmer import EnglishStemmer

    return EnglishStemmer


@lru_cache(maxsize=_KNOWN_WORDS)
def _spelled(word: str) -> str:
    """An irregular form as the word it belongs to, British and American spelling as one."""
    word = _irregular().forms.get(word, word)
    for spelling, replacement in _BRITISH:
        word = spelling.sub(replacement, word)
    return word


def beginning(word: str) -> str:
    """Two letters that all forms of a word begin with: far quicker than its lemma."""
    return _spelled(word)[:2]


@lru_cache(maxsize=_KNOWN_WORDS)
def singular(word: str) -> str:
    """A noun without its plural. Verbs stay: a `crossing` is not what one does to `cross`."""
    known = _irregular()
    if word in known.nouns:
        return known.nouns[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word in known.no_plural:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes", "oes")):
        return word[:-2]
    return word[:-1]


def as_meant(word: str, before: str) -> str:
    """A form with two faces as its verb (`it bit her`), unless it is a noun there (`a bit`)."""
    known = _irregular()
    if word not in known.two_faced or before in known.before_a_noun:
        return word
    return known.two_faced[word]


def akin(word: str, other: str) -> bool:
    """Whether two words are forms of one, or one is made from the other, as `torturer` is.

    `animal` and `animated` have one lemma and are not akin: they only begin alike.
    """
    if lemma(word) != lemma(other):
        return False
    one, two = _bare(_spelled(word)), _bare(_spelled(other))
    return one.startswith(two) or two.startswith(one)


def _bare(word: str) -> str:
    return _BARE.sub("", word) if len(word) > 3 else word

"""Who goes along, by the words of a deed that leads elsewhere: all, those it takes by name, or
nobody. What is unsure takes nobody.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from freeform.language.forms import is_denial
from freeform.language.inflection import lemma
from freeform.language.words import word_class

_ALOUD = re.compile(r'"[^"]*"|“[^”]*”|«[^»]*»')
_SENTENCE = re.compile(r"[.!?;:\n—–]+")
_CLAUSE = re.compile(r",|\b(?:and|then|so|but|while|when|as|because)\b", re.I)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_NOBODY = "(?!)"
_FIRST = 3
"""Within so many words a clause says who does it, where a pronoun does."""


class GoesAlong(NamedTuple):
    """Whom a deed takes along, and whom it says to leave."""

    everyone: bool
    taken: frozenset[str]
    left: frozenset[str]


class _Clause(NamedTuple):
    """One clause: its text, its words in small letters, and whose deed it is."""

    text: str
    words: Sequence[str]
    subject: str
    """`we`, `i`, or `other`."""

    @property
    def goes(self) -> bool:
        return bool({lemma(word) for word in self.words} & _lemmas("going"))

    @property
    def denies(self) -> bool:
        return any(map(is_denial, self.words))


def who_goes(text: str, names: Mapping[str, str]) -> GoesAlong:
    """Whom whoever does this takes along, of some by id and name."""
    known = {id: _name_of(name) for id, name in names.items()}
    anyone = "|".join(known.values()) or _NOBODY
    said = _ALOUD.sub(" ", text.replace("’", "'"))
    beside = _beside_me(said, anyone)
    clauses = list(_clauses(said, anyone))
    going = [each for each in clauses if each.goes]
    ways = [each for each in going or clauses if not each.denies]
    taking = [*ways, *(each for each in clauses if each not in ways and not each.denies)]
    taken = "; ".join([beside, *(_governed(each, anyone, each in ways) for each in taking)])
    left = "; ".join(_left_out(each, anyone) for each in clauses)
    out = frozenset(id for id, name in known.items() if re.search(name, left))
    along = frozenset(id for id, name in known.items() if re.search(name, taken)) - out
    return GoesAlong(_is_for_all(clauses, ways), along, out)


def speaks_for_all(text: str) -> bool:
    """Whether a deed that leads elsewhere is everyone's: `we go`, `let's`, `I take everyone`."""
    return who_goes(text, {}).everyone


def _is_for_all(clauses: Sequence[_Clause], ways: Sequence[_Clause]) -> bool:
    if any(_takes_all(each.words) for each in ways):
        return True
    whose = {each.subject for each in clauses if not each.denies}
    if any(each.goes for each in ways):
        whose = {each.subject for each in ways}
    return whose == {"we"}


def _name_of(name: str) -> str:
    """A pattern for what someone is called: the whole name, or one word of it; not where it is a
    word of another name, or says whose something is."""
    parts = [word for word in _WORD.findall(name) if len(word) > 2 and word[0].isupper()]
    parts = [word for word in parts if word.lower() not in word_class("articles")]
    called = "|".join(map(re.escape, [name, *parts]))
    return rf"(?<![Tt]he )\b(?:{called})\b(?!'s)(?!\s+(?!I\b)[A-Z])"


def _beside_me(said: str, anyone: str) -> str:
    """Those who are named beside the one who acts: `Rose and I go`, `me and Rose go`."""
    several = rf"(?:{anyone})(?:\s*(?:,|&|and)\s*(?:{anyone}))*"
    begins = r"(?:^|[.!?;:,\n]|\b(?:then|and|so)\b)\s*"
    first = rf"{begins}({several})\s*,?\s*(?:and|&)\s+(?:I|me)\b"
    last = rf"{begins}(?:I|[Mm]e)\s+(?:and|&)\s+({several})"
    found = [each[1] for way in (first, last) for each in re.finditer(way, said)]
    return "; ".join(found)


def _clauses(said: str, anyone: str) -> Iterator[_Clause]:
    listed = re.compile(rf"({anyone})\s*(?:,\s*and\b|,|\band\b)\s*(?={anyone}|(?:I|me)\b)")
    said = re.sub(r"\b([Mm]e|I)\s+and\s+(?=[A-Z])", r"\1 & ", listed.sub(r"\1 & ", said))
    for sentence in _SENTENCE.split(said):
        subject = "i"
        for part in _CLAUSE.split(sentence):
            words = [word.lower() for word in _WORD.findall(part)]
            if words:
                subject = _subject(part, words, anyone) or subject
                yield _Clause(part, words, subject)


def _subject(part: str, words: Sequence[str], anyone: str) -> str:
    """Whose deed a clause is; '' where it does not say."""
    said = [word for word in words if word not in word_class("before_all")]
    if "of us" in " ".join(words[:5]) or words[:2] == ["let", "us"]:
        return "we"
    if said and said[0] in word_class("everyone_here") | word_class("of_the_party"):
        return "we"
    for word in words[:_FIRST]:
        if word in word_class("ourselves"):
            return "we"
        if word.split("'")[0] == "i":
            return "i"
    if "& I" in part or "& me" in part:
        return "i"
    return "other" if re.match(rf"\s*(?:{anyone})", part) else ""


def _governed(clause: _Clause, anyone: str, is_way: bool) -> str:
    """Those whom a clause takes: `with Rose` where it goes, `take Rose`, `Rose comes with me`."""
    takes = _forms(clause.words, "takes_along")
    if is_way:
        takes = [*takes, *(word for word in clause.words if word == "with")]
    several = rf"(?:{anyone})(?:\s*&\s*(?:{anyone}))*"
    governs = "|".join(map(re.escape, takes)) or _NOBODY
    found = [each[0] for each in re.finditer(rf"\b(?:{governs})\s+{several}", clause.text)]
    comes = re.match(rf"\s*{several}.*\b(?:with|follow\w*|join\w*)\s+(?:me|us)\b", clause.text)
    return "; ".join([*found, comes[0] if comes else ""])


def _left_out(clause: _Clause, anyone: str) -> str:
    """Those whom a clause leaves, or who do something else in it."""
    several = rf"(?:{anyone})(?:\s*&\s*(?:{anyone}))*"
    leaves = "|".join(map(re.escape, _forms(clause.words, "leaves_out"))) or _NOBODY
    found = [
        each[0] for each in re.finditer(rf"\b(?:{leaves})\s+(?:for\s+)?{several}", clause.text)
    ]
    own = re.match(rf"\s*{several}", clause.text) if clause.subject == "other" else None
    stays = own and (clause.denies or not clause.goes)
    return "; ".join([*found, own[0] if own and stays else ""])


def _takes_all(words: Sequence[str]) -> bool:
    """Whether a clause has all with whoever goes: `with everyone`, `take the others`."""
    takes = _lemmas("takes_along") | {"with"}
    for at, word in enumerate(words):
        if lemma(word) not in takes and word not in takes:
            continue
        rest = [each for each in words[at + 1 :] if each not in word_class("before_all")]
        if rest[:2] in (["all", "of"], ["both", "of"]) and rest[2:3] != ["the"]:
            return True
        if rest and rest[0] in word_class("everyone_here") | word_class("of_the_party"):
            return True
    return False


def _forms(words: Sequence[str], name: str) -> list[str]:
    """The words that are forms of one of a class."""
    return [word for word in words if lemma(word) in _lemmas(name) or word in word_class(name)]


def _lemmas(name: str) -> frozenset[str]:
    return frozenset(map(lemma, word_class(name)))

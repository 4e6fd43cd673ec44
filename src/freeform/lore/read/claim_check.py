"""What a pass says, held against the page before it becomes a claim: the predicate, whose fact it
is, the words, the value.

A model copies a sentence with other quotation marks, or writes a predicate with a capital: that is
taken as meant. A quote that is not there, a name that neither the page nor any other page of the
world holds, a number that its paragraph does not hold: that is left out.
"""

import re
from collections.abc import Collection

from freeform.language.inflection import lemma
from freeform.language.words import stop_words, words
from freeform.lore.model import Claim, Kind
from freeform.lore.ports import WebPage
from freeform.lore.read.claims import make_claim
from freeform.lore.read.eras import era_at, sentence_era
from freeform.lore.read.passes import FoundFact
from freeform.lore.read.prose import is_order
from freeform.lore.read.values import LONGEST_NAME, Names, name_of, value_name
from freeform.lore.read.vocabulary import Predicate, predicate, predicate_of

_ALIKE = {"'": "['‘’‛`]", '"': '["“”„]', "-": "[-‐‑–—]", "…": r"(?:…|\.\.\.)"}
_MARKS = r"[*_`]*"
_SURE = 12
"""A quote of so many letters may stand in the page a little differently; a shorter one must be the
same."""
_UNLISTED = {("lore", "category")}
"""What a prompt asks for and no wiki has a label for."""


def checked(
    fact: FoundFact,
    page: WebPage,
    kind: Kind,
    names: Names,
    extractor: str,
    known: Collection[str] = (),
) -> Claim | None:
    """The claim that a fact makes, or None where the page does not bear it out. `known`: ids of
    things that other pages of the world name."""
    what = meant(kind, fact.predicate)
    span = stands(page.text, fact.quote)
    if what is None or span is None or any(map(is_order, (fact.quote, fact.value, fact.subject))):
        return None
    subject = value_name(fact.subject)
    if kind != "lore" and not is_named(subject, page, names, known):
        return None
    value = fact.value.strip()
    named = value.rpartition(": ")[2] if what.names else ""
    if what.names and not is_named(named, page, names, known):
        return None
    if not what.names and not borne_out(value, what, around(page.text, span)):
        return None
    return make_claim(
        page, kind=kind, subject=subject, subject_id=names.id(subject), predicate=what.id, value=value,
        value_id=names.id(named) if what.names else "", span=span, extractor=extractor,
        era=fact.era.strip()[:80]
        or sentence_era(page.text[slice(*span)], (subject, named or value))
        or era_at(page, span[0]),
    )  # fmt: skip


def is_named(name: str, page: WebPage, names: Names, known: Collection[str]) -> bool:
    """Whether another page of the world holds the name, or this one at least half of its words: a
    reader may call `Simon, of the Weavers` Simon Weaver."""
    said = {lemma(word) for word in words(name_of(name))}
    said = said - stop_words() or said
    if not said or len(name) > LONGEST_NAME:
        return False
    here = {lemma(word) for word in words(f"{page.title} {page.text}")}
    return names.id(name) in known or 2 * len(said & here) >= len(said)


def meant(kind: Kind, said: str) -> Predicate | None:
    """The predicate a pass means; None for one of its own making."""
    id = "_".join(re.findall(r"\w+", said.lower()))
    return predicate(kind, id) if (kind, id) in _UNLISTED else predicate_of(kind, said)


def stands(text: str, quote: str) -> tuple[int, int] | None:
    """Where the words stand: letter by letter, or with other spaces, quotation marks, dashes, case
    and Markdown."""
    said = quote.strip()
    if not said:
        return None
    if (start := text.find(said)) >= 0:
        return start, start + len(said)
    said = (
        re.sub(r"\*+|`+|\b_+|_+\b", "", said)
        .strip("\"'“”‘’ ")
        .removesuffix("…")
        .removesuffix("...")
        .rstrip()
    )
    if len(said) < _SURE:
        return None
    pieces = [
        _MARKS.join(_letter(sign) for sign in re.findall(r"\w+|\W", word)) for word in said.split()
    ]
    found = re.search(rf"{_MARKS}\s+{_MARKS}".join(pieces), text, re.I)
    return found.span() if found else None


def _letter(sign: str) -> str:
    same = next((pattern for pattern in _ALIKE.values() if re.fullmatch(pattern, sign)), "")
    return same or re.escape(sign)


def around(text: str, span: tuple[int, int]) -> str:
    """The paragraph a quote stands in."""
    start, end = text.rfind("\n\n", 0, span[0]), text.find("\n\n", span[1])
    return text[max(start, 0) : end if end >= 0 else len(text)]


def borne_out(value: str, what: Predicate, paragraph: str) -> bool:
    """Whether the paragraph holds every number that the value gives. Prose is the reader's to
    judge."""
    if what.type == "text" or what.id == "category":
        return True
    return set(re.findall(r"\d+", value)) <= set(re.findall(r"\d+", paragraph))

"""Nouns of a premise that name the same one: `Ilka, an old witch`, `my boss is Ilka`, `a pirate
called Gus`. Read by what stands between two neighbours; a name wins, and what else they are is kept
with it; and what a pronoun of a clause stands for."""

import re
from collections.abc import Sequence
from dataclasses import replace

from freeform.forge.grammar import with_a
from freeform.forge.premise.kinds import known_kind, word_tables
from freeform.forge.premise.nouns import YOU, PremiseNoun
from freeform.language.forms import is_plural

_DETERMINER = r"(?:an?|the|my|our|your|his|her|their)"
_HOW = r"(?:[\w'’-]+ ){0,2}?"
_IS = r" (?:is|was|['’]s)(?: (?:now|also|really|\w+ly))?"
_CALLED = r",? (?:(?:who is |is )?(?:called|named|known as))"
_ENDS = r"(?=\s*(?:[,.;:!?)—–]|$|(?:of|who|from|in|at|called|named|known)\b))"
_ANY = ("person", "thing", "place", "matter")
_PRONOUNS = {"it": _ANY[1:], "there": ("place",), "they": _ANY, "them": _ANY, "their": _ANY}
_UNBOUND = re.compile(
    r"\b(?:one|both|all|none|neither) of (them)\b"
    r"|(?<!^)\b(it|there|he|she|him|his|her|they|them|their)\b(?! (?:is|was|seems) that\b)"
    r"|\b(why|who|how|where|what)$",
    re.I,
)
_OPENS = re.compile(r"(?:^|[.!?\n])[\s\"“]*$")


def without_doubles(nouns: Sequence[PremiseNoun], text: str) -> list[PremiseNoun]:
    """The nouns, each of them once, in their order."""
    found: list[PremiseNoun] = []
    for noun in _with_names(nouns, text):
        before = found[-1] if found else None
        if before and _is_a_body_of(before, noun, text):
            continue
        if before and _may_be_one(before, noun) and _are_one(before, noun, nouns, text):
            found[-1] = as_one(before, noun)
        else:
            found.append(noun)
    return found


def as_one(noun: PremiseNoun, other: PremiseNoun) -> PremiseNoun:
    """Both as one: under the name, where one of them has one."""
    if noun.kind == "person" and other.is_name and not noun.is_name:
        named, also = other, [noun.text, *other.also_called]
    else:
        named, also = noun, [*noun.also_called, other.text, *other.also_called]
    also = [said for said in dict.fromkeys(also) if said != named.text]
    return replace(
        noun,
        text=named.text,
        head=named.head,
        is_name=named.is_name,
        also=", ".join([*also[:1], *map(with_a, also[1:])]),
        owner=noun.owner or other.owner,
        is_gone=noun.is_gone or other.is_gone,
    )


def _with_names(nouns: Sequence[PremiseNoun], text: str) -> list[PremiseNoun]:
    """`Nadia the baker` is one: Nadia, who is a baker. What opens a sentence and nobody took for
    a name is none: `While the queen sleeps`."""
    found: list[PremiseNoun] = []
    for noun in nouns:
        named = re.search(rf"\b([A-Z][\w’-]+) the {re.escape(noun.text)}\b", text)
        if noun.kind != "person" or noun.is_name or named is None or not _names(named, nouns, text):
            found.append(noun)
            continue
        found = [one for one in found if one.text != named[1]]
        found.append(replace(noun, text=named[1], head=named[1], is_name=True, also=noun.text))
    return found


def _names(said: re.Match[str], nouns: Sequence[PremiseNoun], text: str) -> bool:
    is_known = any(noun.text == said[1] for noun in nouns)
    opens = _OPENS.search(text[: said.start()]) is not None
    return is_known or (not opens and said[1].lower() not in word_tables().small)


def _may_be_one(noun: PremiseNoun, other: PremiseNoun) -> bool:
    is_both_named = noun.is_name and other.is_name
    is_both = noun.kind == other.kind == "person" and noun.is_many == other.is_many
    return is_both and not is_both_named and noun.text != other.owner


def _are_one(
    noun: PremiseNoun, other: PremiseNoun, nouns: Sequence[PremiseNoun], text: str
) -> bool:
    """By what stands between them; of people told one after the other each is somebody else."""
    first, then = _said(noun), _said(other)
    bare = "" if other.is_name and not noun.is_name else f"{_DETERMINER} {_HOW}"
    called = rf"\b{first}(?:{_IS} (?:{_DETERMINER} )?{_HOW}|{_CALLED} (?:the )?){then}\b"
    if re.search(called, text, re.IGNORECASE):
        return True
    set_off = re.search(rf"\b{first}, {bare}{then}\b{_ENDS}", text, re.IGNORECASE)
    return set_off is not None and not _goes_on(text[set_off.end() :], nouns)


def _goes_on(behind: str, nouns: Sequence[PremiseNoun]) -> bool:
    """Whether others are told of further on in the same row: `, the cook and a maid`."""
    people = "|".join(_said(noun) for noun in nouns if noun.kind == "person")
    row = rf"(?:,(?: (?:and|or))?| (?:and|or)) (?:{_DETERMINER} )?{_HOW}(?:{people})\b"
    row += r"\s*(?:[,.;]|$|and\b|or\b)"
    return bool(people) and re.match(row, behind, re.IGNORECASE) is not None


def _said(noun: PremiseNoun) -> str:
    """The noun under any of its names."""
    said = [noun.text, *noun.also_called]
    return rf"(?:{'|'.join(re.escape(one) for one in said)})"


def _is_a_body_of(noun: PremiseNoun, other: PremiseNoun, text: str) -> bool:
    """`the captain of the guard`: what somebody is the head of is nobody else to meet."""
    if noun.kind != "person" or other.is_name or other.is_many or other.owner == YOU:
        return False
    is_body = other.kind == "person" and other.head in word_tables().groups | word_tables().bodies
    of_it = rf"\b{_said(noun)} of the {re.escape(other.text)}\b"
    return is_body and re.search(of_it, text, re.IGNORECASE) is not None


def is_unbound(clause: str, nouns: Sequence[PremiseNoun]) -> bool:
    """Whether a pronoun stands for something that the clause does not name before it."""
    for said in _UNBOUND.finditer(clause):
        if said[1] or said[3]:
            return True
        kinds = _PRONOUNS.get(said[2].lower(), ("person",))
        before = clause[: said.start()].lower()
        meant = any(noun.kind in kinds and noun.text.lower() in before for noun in nouns)
        somebody = re.search(r"\b(?:every|some|no|any)(?:body|one|thing| one)\b", before)
        if not meant and not somebody:
            return True
    return False


def in_mid_sentence(clause: str, nouns: Sequence[PremiseNoun]) -> str:
    """A capital only where it is a name's."""
    first = clause.split()[0]
    named = any(noun.is_name and noun.text.startswith(first) for noun in nouns)
    plain = any(noun.text.lower().split()[0] == first.lower() for noun in nouns)
    is_noun = plain or known_kind(first) is not None or is_plural(first.lower())
    return clause if named or not is_noun else clause[:1].lower() + clause[1:]

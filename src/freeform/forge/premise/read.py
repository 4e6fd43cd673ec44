"""A premise as the forge reads it: cleaned, as a sentence, and with its nouns by what they name."""

import re
from dataclasses import dataclass, field

from freeform.core.errors import UserError
from freeform.core.text import MAX_INPUT, visible
from freeform.forge.grammar import with_the
from freeform.forge.premise.asides import PremiseAsides, without_asides
from freeform.forge.premise.clauses import PremiseClauses, clauses_of
from freeform.forge.premise.fates import with_fates
from freeform.forge.premise.fellows import fellows_of, is_pair
from freeform.forge.premise.happening import NOTHING_HAPPENS, PremiseHappening, happening_of
from freeform.forge.premise.labelled import labelled_nouns
from freeform.forge.premise.nouns import YOU, NounReader, PremiseNoun
from freeform.forge.premise.sorts import (
    of_the_bereaved,
    owned_by_hero,
    owned_by_the_only_one,
    sorted_nouns,
    without_a_part,
)
from freeform.forge.premise.teller import PremiseTeller, in_second_person, teller_of
from freeform.language.ear import nothing_near
from freeform.language.meaning.natures import nature_of
from freeform.language.meaning.premise import NOTHING_READ, PremiseEar, PremiseHeard
from freeform.language.short_forms import written_out
from freeform.language.words import words

_TAG = re.compile(r"<[^>]{0,400}>")
_MACRO = re.compile(r"\{\{[^}]{0,80}\}\}|[{}\[\]<>`]")
_TITLE = re.compile(r"\b(Mrs?|Ms|Dr|St|Prof|Capt|Lt|Sgt|Rev|Jr|Sr)\.(?= )")
"""No sentence ends behind it."""
_LINES = re.compile(r"(?<=[^\s.,;:!?])[ \t]*\n\s*(?=[A-Z][\w ]{1,20}: )")
"""Between lines such as `Setting: an island`."""
MOST_NOUNS = 16
_SHOWN, _SHORT = 320, 200
_HERS = frozenset({"she", "her", "herself"})
_HIS = frozenset({"he", "his", "him", "himself"})


@dataclass(frozen=True)
class PremiseRead:
    """What a premise says."""

    text: str = ""
    nouns: tuple[PremiseNoun, ...] = field(default=())
    """Without the hero, where it says who that is."""
    teller: PremiseTeller = field(default=PremiseTeller())
    clauses: PremiseClauses = field(default=PremiseClauses())
    happening: PremiseHappening = NOTHING_HAPPENS
    heard: PremiseHeard = NOTHING_READ
    """What the learned ear read in it."""
    wishes: tuple[str, ...] = ()
    """What was said beside it about how it should be told."""
    without: tuple[str, ...] = ()
    """What should not be in it."""

    def of(self, kind: str) -> list[PremiseNoun]:
        """The nouns of a kind, what is owned before its owner, each once."""
        chosen: dict[str, PremiseNoun] = {}
        for noun in self.nouns:
            if noun.kind == kind:
                called = noun.text if noun.is_fellow else noun.head
                chosen.setdefault(called.lower(), noun)
        owners = {noun.owner for noun in chosen.values() if noun.owner}
        return sorted(chosen.values(), key=lambda noun: (noun.text in owners, noun.order))

    def said(self, noun: PremiseNoun) -> str:
        """The noun as one speaks of it: `the cave`, `your grandmother's violin`, `Captain Vey`."""
        if noun.is_name:
            return with_the(noun.text) if noun.text[0].islower() else noun.text
        if noun.owner == YOU:
            return f"your {noun.text}"
        if not noun.owner:
            return with_the(noun.text)
        whose = next((one for one in self.nouns if one.text == noun.owner and one != noun), None)
        owner = self.said(whose) if whose else with_the(noun.owner)
        return f"{owner}'s {noun.text}"

    @property
    def is_players(self) -> bool:
        """Whether the player is in the middle of it: they tell it, or are one of the two it is
        told of."""
        return self.teller.is_own or is_pair(self.nouns)

    @property
    def hers(self) -> bool | None:
        """Whether whoever it tells of first is a she, by the only pronouns it has; None where it
        has none, or both."""
        return _is_hers(self.text)

    @property
    def sentence(self) -> str:
        """The premise to be told to the player: a capital, a full stop, three short sentences at
        most, else two."""
        said = re.split(r"(?<=[.!?])\s+", in_second_person(self.text))
        told = " ".join(said[:3])
        told = told if len(told) <= _SHORT else " ".join(said[:2])
        if len(told) > _SHOWN:
            told = told[: told.rfind(" ", 0, _SHOWN)].rstrip(",;: ") + "…"
        told = told[:1].upper() + told[1:]
        return told if told.endswith((".", "!", "?", "…")) else f"{told}."


def read_premise(premise: str, ear: PremiseEar | None = None) -> PremiseRead:
    """Reads it: by the ear, by tables where there is none. UserError says what to write instead of
    something that has no words."""
    if not premise.strip():
        return PremiseRead()
    if len(premise) > MAX_INPUT:
        raise UserError(
            f"the premise has {len(premise):,} letters and {MAX_INPUT:,} are read; "
            "give its first paragraph, and the rest as a pack (`freeform-rpg import`)"
        )
    text = written_out(plain_prose(premise))
    if not re.search(r"[^\W\d_]{3,}", text):
        raise UserError(
            "the premise has no words in it; say in a sentence who or what the story is about"
        )
    asides = without_asides(text)
    text = asides.story
    heard = ear.read_premise(text) if ear else NOTHING_READ
    knows = bool(heard.shapes)
    nouns = labelled_nouns(text, heard.spans) if knows else NounReader(text).read()
    natures = heard.natures or {word: nature_of(word, nothing_near) for word in words(text)}
    nouns = [noun for noun in sorted_nouns(nouns, natures, text) if not _is_absent(noun, asides)]
    nouns = nouns[:MOST_NOUNS]
    teller = teller_of(text, nouns)
    hero = next((noun for noun in nouns if noun.text == teller.hero), None)
    others = [noun for noun in nouns if noun.text not in (teller.hero, teller.name)]
    others = [*fellows_of(hero, text), *others]
    if not teller.hero and not teller.is_own:
        others = owned_by_the_only_one(others, text)
    if teller.hero:
        others = owned_by_hero(others, teller.concept if teller.is_own else text)
        others = of_the_bereaved(others, nouns, teller.hero)
    others = with_fates(without_a_part(others, text) if teller.is_own else others, text)
    clauses = clauses_of(text, teller)
    others = [noun for noun in others if noun.kind == "person" or noun.text not in clauses.deadline]
    wished = (asides.wishes, asides.without)
    happening = happening_of(text, teller, nouns, _is_hers(text))
    return PremiseRead(text, tuple(others), teller, clauses, happening, heard, *wished)


def _is_hers(text: str) -> bool | None:
    said = set(re.findall(r"[a-z]+", text.lower()))
    she, he = bool(said & _HERS), bool(said & _HIS)
    return she if she != he else None


def _is_absent(noun: PremiseNoun, asides: PremiseAsides) -> bool:
    """Whether it is named only to say that it is not there: `no boats`."""
    heads = {word.split()[-1] for word in asides.absent}
    head = noun.text.lower().split()[-1]
    return head in heads and head not in words(asides.present)


def plain_prose(text: str) -> str:
    """The text without markup, macros and braces, and with titles written as Mr and Dr."""
    text = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", text)
    text = _TITLE.sub(r"\1", _MACRO.sub(" ", _TAG.sub(" ", text)))
    text = _LINES.sub(". ", text)
    return re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"\s{2,}", " ", visible(text))).strip()

"""What a premise turns on: the thing of it that a story can be about, and whether it is gone."""

import re
from dataclasses import replace

from freeform.forge.premise.fates import MISSING
from freeform.forge.premise.nouns import PremiseNoun
from freeform.forge.premise.read import PremiseRead

_STAKE = 1.0
_BY_NATURE = {
    "written": 0.6,
    "sealed": 0.5,
    "creature": 0.5,
    "door": 0.5,
    "works": 0.4,
    "weather": 0.3,
    "growing": 0.3,
    "likeness": 0.3,
    "valuable": 0.2,
}
"""How much a story can be made of it, beside being what is fought over."""
_SHUT = r"(?:locked|sealed|bolted|bricked up|barred|padlocked|nailed shut|shut up)"
_GONE = re.compile(
    r"\b(?:sto(?:le|len|eals?)|missing|vanish(?:ed|es)?|kidnapp?ed|lost|escaped|disappear(?:ed|s)?"
    r"|swapped|taken|ran away|run away|gone)\b",
    re.IGNORECASE,
)


def middle_of(premise: PremiseRead) -> PremiseNoun | None:
    """What the premise turns on; None where it names no thing."""
    shut = shut_place(premise)
    if shut:
        door = f"door of {premise.said(shut)}"
        thing = replace(shut, text=door, head="door", kind="thing", sort="", is_name=False)
        return replace(thing, part="stake", nature="door", owner="", is_one=True)
    things = premise.of("thing")
    return max(things, key=_weight, default=None)


def is_lost(premise: PremiseRead) -> bool:
    """Whether the premise says that something is gone."""
    return _GONE.search(premise.text) is not None


def somebody_vanished(premise: PremiseRead) -> bool:
    """Whether the premise says of one of its people that nobody knows where they are."""
    return any(noun.fate == MISSING for noun in premise.of("person"))


def is_shut(premise: PremiseRead) -> bool:
    """Whether the premise says that what it turns on is locked."""
    middle = middle_of(premise)
    if middle is None or middle.nature not in ("door", "sealed"):
        return False
    said = (
        rf"\b{_SHUT}(?: \w+)? {re.escape(middle.head)}|\b{re.escape(middle.head)}\b.{{0,20}}{_SHUT}"
    )
    return bool(shut_place(premise)) or re.search(said, premise.text, re.IGNORECASE) is not None


def _weight(noun: PremiseNoun) -> tuple[float, int]:
    stake = _STAKE if noun.part == "stake" else 0.0
    return stake + _BY_NATURE.get(noun.nature, 0.0), -noun.order


def shut_place(premise: PremiseRead) -> PremiseNoun | None:
    """A place that the premise says is locked; None where there is none."""
    for noun in premise.of("place"):
        name = re.escape(noun.text)
        shut = rf"\b{name}\b(?: (?:is|was|has been|stays|remains|that is|which is))? {_SHUT}"
        if re.search(rf"{shut}|\b{_SHUT} {name}\b", premise.text, re.IGNORECASE):
            return noun
    return None

"""What a premise turns on: the thing of it that a story can be about, and whether it is gone."""

import re
from dataclasses import replace

from freeform.forge.premise.fates import MISSING
from freeform.forge.premise.nouns import PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.forge.premise.teller import in_second_person

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

_SOMETHING = re.compile(
    r"\bsomething(?! (?:is|was|has gone|went|about|to|wrong|strange|odd|off|else)\b(?! \w+ing\b))"
    r"((?: (?:huge|big|old|large|hungry))?(?: (?:with|in|under|below|from|behind|outside|inside)"
    r"(?: (?:the|a|an|my|our|your|too|many|no|long|its|his|her))* [\w'’-]+)?)",
    re.IGNORECASE,
)
"""`something with too many teeth is eating`."""
_SIZED = re.compile(r"(?:huge|big|old|large|hungry)\b", re.IGNORECASE)
"""`something huge` is the huge thing."""
_COME_BACK = re.compile(
    r"\b(?:back|returns?|returned|returning|reappear\w*|home(?:coming)?|resurrected|again|alive|"
    r"long lost|impostor|presumed|knocks?|looks? (?:exactly|just) like)\b",
    re.IGNORECASE,
)
_BURIED = re.compile(
    r"\b(?:buried|dead|drowned|died|funeral|grave)\b[^.;]*\b(?:walk|s[ai]t|saw|seen|stand|stood|"
    r"c[ao]me|asks?|asked|met|is here|answers?|calls?|writes?|texts?)",
    re.IGNORECASE,
)

_AND_NO_FURTHER = (
    r"(?!(?:and|or|but|who|whom|that|which|than|for|of|in|into|at|on|by|from|before|beside|like"
    r"|without|while|as|the(?: \w+){1,2} with)\b)"
)
_OWN_WORDS = rf"(?:{_AND_NO_FURTHER}[\w'’-]+\s+)"
_AGAINST = rf"\b(?:against|versus|vs)\s+{_OWN_WORDS}{{0,3}}?"
_DOES_TO = rf"^{_OWN_WORDS}{{1,7}}?"
"""`fence a duel with my old friend Armand`; in `win the race for my sister` nobody is faced, and in
`win the dance contest with my brother` he is no opponent."""


def middle_of(premise: PremiseRead) -> PremiseNoun | None:
    """What the premise turns on; None where it names no thing."""
    shut = shut_place(premise)
    if shut:
        door = f"door of {premise.said(shut)}"
        thing = replace(shut, text=door, head="door", kind="thing", sort="", is_name=False)
        return replace(thing, part="stake", nature="door", owner="", is_one=True)
    things = premise.of("thing")
    return max(things, key=_weight, default=None)


def prowler_of(premise: PremiseRead) -> PremiseNoun | None:
    """What is out there and does the harm: a beast or a being of the premise, or what it calls only
    something; None where it names nothing of the kind."""
    told = _SOMETHING.search(premise.text)
    if told:
        more = in_second_person(" ".join(told[1].split())) if told[1] else ""
        sized = _SIZED.match(more)
        size, rest = (sized[0], more[sized.end() :].strip()) if sized else ("", more)
        text = " ".join(filter(None, (size, "thing", rest)))
        return PremiseNoun(text, "thing", "thing", part="stake", is_one=True, nature="creature")
    wild = [noun for noun in premise.nouns if noun.nature in ("creature", "being")]
    wild = [noun for noun in wild if noun.kind in ("person", "thing") and not noun.is_many]
    first = next((noun for noun in wild if not noun.owner and not noun.fate), None)
    return replace(first, kind="thing", part="stake", nature="creature") if first else None


def with_prowler(premise: PremiseRead) -> PremiseRead:
    """The premise with what does the harm as what it turns on, and nobody one meets."""
    prowler = prowler_of(premise)
    if prowler is None:
        return premise
    words = set(prowler.text.split())
    rest = [noun for noun in premise.nouns if noun.text != prowler.text]
    rest = [noun for noun in rest if noun.kind != "thing" or noun.text not in words]
    things = [replace(n, part="thing") if n.kind == "thing" else n for n in rest]
    return replace(premise, nouns=(replace(prowler, order=-1), *things))


def opponent_of(premise: PremiseRead) -> PremiseNoun | None:
    """Whom the hero has to face, as the premise's clauses say it: whoever stands behind `against`,
    else whoever it is that the deed is done to or with; None where it says nobody, or several."""
    people, aim = premise.of("person"), premise.clauses.aim
    against = [noun for noun in people if _stands_behind(_AGAINST, noun, premise.text)]
    faced = against or [noun for noun in people if _stands_behind(_DOES_TO, noun, aim)]
    return faced[0] if len(faced) == 1 else None


def _stands_behind(before: str, noun: PremiseNoun, text: str) -> bool:
    return re.search(rf"{before}{re.escape(noun.text)}\b", text, re.IGNORECASE) is not None


def is_lost(premise: PremiseRead) -> bool:
    """Whether the premise says that something is gone."""
    return _GONE.search(premise.text) is not None


def is_taken(premise: PremiseRead) -> bool:
    """Whether one of its things is gone, and nobody says who has it."""
    things = premise.of("thing")
    if things:
        return any(noun.fate == MISSING for noun in things)
    return is_lost(premise)


def somebody_vanished(premise: PremiseRead) -> bool:
    """Whether the premise says of one of its people that nobody knows where they are."""
    return any(noun.fate == MISSING for noun in premise.of("person"))


def has_come_back(premise: PremiseRead) -> bool:
    """Whether the premise says that somebody has come back, or is there who was buried."""
    return _COME_BACK.search(premise.text) is not None or bool(_BURIED.search(premise.text))


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

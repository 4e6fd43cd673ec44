"""Names that a text itself explains: the couple, brothers or household of a family, and peoples in
small letters."""

import re
from collections.abc import Iterator, Sequence

from freeform.language.forms import is_plural
from freeform.lore.read.passes import FoundFact
from freeform.offline.lore.mentions import NamedThing, NameForms

_NAME = r"[A-Z][\w'’-]+"
_KIN = re.compile(
    rf"\b[Tt]he\s+(?P<family>{_NAME})\s+(?P<type>couple|twins|brothers|sisters|siblings),\s+"
    rf"(?P<listed>{_NAME}(?:,\s+{_NAME})*,?\s+and\s+{_NAME})(?![\w'’])"
)
_HOUSEHOLD = re.compile(
    r"^The\s+(?P<family>[A-Z][a-z]+)s\s+are\s+"
    r"(?:two|three|four|five|six|seven|eight)\s*:\s*(?P<told>.+)"
)
_HELD = re.compile(
    r"\b(?:belongs?\s+to|(?:home|refuge|stronghold|haven)\s+(?:of|to|for)|"
    r"(?:held|ruled|inhabited|governed|controlled|claimed|populated)\s+by|"
    r"(?:society|tribe|clan|colony|nation)\s+of)\s+(?:the\s+)?"
    r"(?P<people>(?:[a-z]+\s+)?[a-z]+)(?=[,.;]|\s+(?:who|whose|and|that|which)\b)"
)
FAMILY = "x"
"""The letter of a name that is a family's: no person and no place."""


def learn_families(lexicon: NameForms, said: Sequence[str]) -> None:
    """People whom a text calls by one name, with the name of the family it says they are of."""
    for sentence in said:
        for kin in _KIN.finditer(sentence):
            lexicon.forms.setdefault(kin["family"], NamedThing(kin["family"], FAMILY))
            _named(lexicon, re.findall(_NAME, kin["listed"]), kin["family"])
        household = _HOUSEHOLD.match(sentence)
        if household:
            whole = f"{household['family']}s"
            lexicon.forms.setdefault(whole, NamedThing(whole, FAMILY))
            names = re.findall(rf"(?<!\w){_NAME}", household["told"])
            _named(lexicon, names, household["family"])


def _named(lexicon: NameForms, names: Sequence[str], family: str) -> None:
    for name in names:
        lexicon.forms.setdefault(name, NamedThing(f"{name} {family}", "n"))


def couples(said: Sequence[str]) -> Iterator[FoundFact]:
    """How the two of a couple, or of brothers, stand to each other."""
    for sentence in said:
        for kin in _KIN.finditer(sentence):
            names = [f"{name} {kin['family']}" for name in re.findall(_NAME, kin["listed"])]
            if len(names) == 2:
                value = f"{kin['type']}: {names[1]}"
                yield FoundFact(subject=names[0], predicate="relation", value=value, quote=sentence)


def learn_peoples(lexicon: NameForms, said: Sequence[str]) -> None:
    """Those to whom something belongs, in small letters and of more than one: `the deep elves`."""
    for sentence in said:
        for held in _HELD.finditer(sentence):
            people = held["people"]
            if is_plural(people.split()[-1]) or people.endswith("folk"):
                lexicon.forms.setdefault(people, NamedThing(people, "f"))

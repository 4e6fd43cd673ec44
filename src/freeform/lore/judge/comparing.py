"""Claims as they are compared: what they say, how much their sources count, which time is now."""

import re
from collections.abc import Mapping

from freeform.lore.model import Claim, ConflictKind, ConflictSide, SourceReference
from freeform.lore.read.eras import newest
from freeform.lore.read.values import Names, number_in, plain_value, range_in
from freeform.lore.read.vocabulary import predicate

PERSON_SITE, OWN_WORDS = "a-person", "own words"
"""Where a person's own words stand, and their licence."""
WEIGHT = {0: 100.0, 1: 4.0, 2: 2.0, 3: 1.0}
"""How much a source's word counts; several sources of one domain count once. Tier 0 is a person."""
_ARTICLES = frozenset(
    {"the", "a", "an", "of", "house", "clan", "order", "system", "planet", "faction"}
)


def of_our_time(claims: list[Claim]) -> list[Claim]:
    """With the newest version that pages speak of as now, where they speak of several, or of
    nothing else."""
    eras = {claim.era for claim in claims}
    last = newest(eras)
    versions = {era for era in eras if newest([era])}
    if not last or (len(versions) < 2 and "" in eras):
        return claims
    return [
        claim.model_copy(update={"era": ""}) if claim.era == last else claim for claim in claims
    ]


def settled(claim: Claim, names: Names) -> Claim:
    """A claim by the ids that things go by, whatever other name was learned after it was read."""
    ids = (names.id(claim.subject_id), names.id(claim.value_id) if claim.value_id else "")
    same = ids == (claim.subject_id, claim.value_id)
    return claim if same else claim.model_copy(update={"subject_id": ids[0], "value_id": ids[1]})


def weight_of(claims: list[Claim]) -> float:
    """How much the sources of claims count together, each site once."""
    domains: Mapping[str, int] = {
        domain_of(claim.url): min(
            c.tier for c in claims if domain_of(c.url) == domain_of(claim.url)
        )
        for claim in claims
    }
    return sum(WEIGHT.get(tier, 1.0) for tier in domains.values())


def domain_of(url: str) -> str:
    """The host of an address."""
    return re.sub(r"^\w+://([^/]+).*$", r"\1", url)


def source_at(url: str) -> SourceReference:
    """A source of which nothing but the address is known; a person's words are their own."""
    if domain_of(url) != PERSON_SITE:
        return SourceReference(url=url, domain="")
    return SourceReference(url=url, domain=PERSON_SITE, tier=0, licence=OWN_WORDS)


def same_value(one: Claim, other: Claim) -> bool:
    """Whether two claims on one thing say the same."""
    if one.value_id or other.value_id:
        return one.value_id == other.value_id
    if predicate(one.subject_kind, one.predicate).type == "number":
        return number_in(one.value) == number_in(other.value)
    if one.predicate == "level_range":
        return range_in(one.value) == range_in(other.value)
    return plain_value(one.value) == plain_value(other.value)


def class_of(one: Claim, other: Claim) -> tuple[ConflictKind, str]:
    """What kind of conflict two values are, and why."""
    words = [set(plain_value(claim.value).split()) - _ARTICLES for claim in (one, other)]
    named = not any(number_in(claim.value) is not None for claim in (one, other))
    if named and words[0] and words[1] and (words[0] <= words[1] or words[1] <= words[0]):
        return "alias", "one name holds the other"
    return "error", "two sources of one time give two values"


def form_of(claim: Claim) -> str:
    """A value as values are told apart."""
    return claim.value_id or plain_value(claim.value)


def by_value(group: list[Claim], value: str) -> list[Claim]:
    """The claims with that value: best tier first, a page's structure before its prose."""
    return sorted(
        (claim for claim in group if form_of(claim) == value),
        key=lambda claim: (claim.tier, claim.extractor.startswith("lore/")),
    )


def side_of(claim: Claim) -> ConflictSide:
    """What one source says, as a conflict shows it."""
    return ConflictSide(
        value=claim.value, url=claim.url, tier=claim.tier, era=claim.era, quote=claim.quote[:300]
    )

"""Where sources do not agree: found by rule on subject + predicate, classed as error, era or alias.

one value      two sources, one time, two values        error   (`alias` when one name holds the other)
               two times, two values                    era
several        a lesser source lists what every better
               source that lists at all leaves out      error, unless the other end confirms it
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from pydantic import Field

from freeform.core.record import Record
from freeform.lore.model import Claim, ClaimConflict, ConflictKind, ConflictSide
from freeform.lore.read.values import number_in, plain_value, range_in
from freeform.lore.read.vocabulary import predicate

WEIGHT = {1: 4.0, 2: 2.0, 3: 1.0}
"""How much a source's word counts; several sources of one domain count once."""
_ARTICLES = frozenset(
    {"the", "a", "an", "of", "house", "clan", "order", "system", "planet", "faction"}
)


class Point(Record):
    """One data point: what is kept, and the claims for and against it. A set has one point for each
    value."""

    subject_id: str
    predicate: str
    value: str
    value_id: str = ""
    era: str = ""
    support: list[Claim]
    against: list[Claim] = Field(default_factory=list)

    @property
    def id(self) -> str:
        """`delta_polaris.faction`, or with the value where several stand side by side."""
        return f"{self.subject_id}.{self.predicate}"


class Weighed(Record):
    """All data points, and all conflicts among the claims."""

    points: list[Point]
    conflicts: list[ClaimConflict]


def weigh(
    claims: Iterable[Claim], confirmed: Callable[[Claim], bool] = lambda claim: False
) -> Weighed:
    """What is kept of the claims. `confirmed` says whether the other end of a link lists it too."""
    groups: dict[tuple[str, str, str], list[Claim]] = defaultdict(list)
    for claim in claims:
        groups[claim.subject_kind, claim.subject_id, claim.predicate].append(claim)
    points: list[Point] = []
    conflicts: list[ClaimConflict] = []
    for group in groups.values():
        known = predicate(group[0].subject_kind, group[0].predicate)
        match known.type:
            case "set":
                _weigh_set(group, confirmed, points, conflicts)
            case "text":
                points.extend(
                    _point(_by_value(group, value)) for value in dict.fromkeys(map(_form, group))
                )
            case "one" | "number":
                _weigh_one(group, points, conflicts)
    return Weighed(points=points, conflicts=conflicts)


def disputed(claims: Iterable[Claim], predicate_id: str) -> list[Claim]:
    """Claims of a set that only lesser sources make: worth a look at the other end."""
    found: list[Claim] = []
    groups: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.predicate == predicate_id:
            groups[claim.subject_id].append(claim)
    for group in groups.values():
        found += [claims[0] for claims in _left_out(group).values()]
    return found


def _weigh_one(group: list[Claim], points: list[Point], conflicts: list[ClaimConflict]) -> None:
    eras: dict[str, list[Claim]] = defaultdict(list)
    for claim in group:
        eras[plain_value(claim.era)].append(claim)
    winners: list[list[Claim]] = []
    for same_time in eras.values():
        ranked = _ranked(same_time)
        best = ranked[0]
        for other in ranked[1:]:
            if {domain_of(claim.url) for claim in other} <= {
                domain_of(claim.url) for claim in best
            }:
                continue  # A source that says two things of itself names two sides of one: no disagreement.
            kind, why = _class(best[0], other[0])
            conflicts.append(_conflict(best[0], other[0], kind, best[0].value, why))
            if kind == "alias":
                best = [*best, *other]
        winners.append(best)
    winners.sort(key=lambda claims: (claims[0].era != "", -_weight(claims), claims[0].era))
    for later in winners[1:]:
        if not same_value(winners[0][0], later[0]):
            why = f"'{winners[0][0].era or 'now'}' against '{later[0].era or 'now'}'"
            conflicts.append(_conflict(winners[0][0], later[0], "era", winners[0][0].value, why))
    sure = {domain_of(claim.url) for claim in winners[0]}
    against = [
        claim
        for claim in group
        if not any(claim in claims for claims in winners) and domain_of(claim.url) not in sure
    ]
    points.append(_point(winners[0], against))


def _weigh_set(
    group: list[Claim],
    confirmed: Callable[[Claim], bool],
    points: list[Point],
    conflicts: list[ClaimConflict],
) -> None:
    left_out = _left_out(group)
    listing = [claim for claim in group if claim.tier == min(each.tier for each in group)]
    for value in dict.fromkeys(map(_form, group)):
        said = _by_value(group, value)
        if value in left_out and not confirmed(said[0]):
            shown = ConflictSide(
                value=", ".join(dict.fromkeys(claim.value for claim in listing)), url=listing[0].url,
                tier=listing[0].tier, era=listing[0].era, quote=listing[0].quote,
            )  # fmt: skip
            conflicts.append(
                ClaimConflict(
                    subject_id=said[0].subject_id, subject_kind=said[0].subject_kind,
                    predicate=said[0].predicate, kind="error", source_a=shown,
                    source_b=_side(said[0]), why="a better source lists the others and leaves this one out",
                )
            )  # fmt: skip
            continue
        points.append(_point(said))


def _left_out(group: list[Claim]) -> dict[str, list[Claim]]:
    """Values that no source of the best tier lists, though such a source lists others of the same
    time."""
    found: dict[str, list[Claim]] = {}
    for era in dict.fromkeys(claim.era for claim in group):
        same = [claim for claim in group if claim.era == era and claim.value_id]
        best = min((claim.tier for claim in same), default=0)
        listed = {_form(claim) for claim in same if claim.tier == best}
        for claim in same:
            if claim.tier > best and _form(claim) not in listed:
                found.setdefault(_form(claim), []).append(claim)
    return found


def _ranked(claims: list[Claim]) -> list[list[Claim]]:
    """Claims by value, the weightiest value first."""
    values: list[list[Claim]] = []
    for claim in claims:
        home = next((group for group in values if same_value(group[0], claim)), None)
        if home is None:
            values.append([claim])
        else:
            home.append(claim)
    for group in values:
        group.sort(key=lambda claim: claim.tier)
    return sorted(values, key=lambda group: (-_weight(group), group[0].tier, group[0].value))


def _weight(claims: list[Claim]) -> float:
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


def same_value(one: Claim, other: Claim) -> bool:
    """Whether two claims on one thing say the same."""
    if one.value_id or other.value_id:
        return one.value_id == other.value_id
    if predicate(one.subject_kind, one.predicate).type == "number":
        return number_in(one.value) == number_in(other.value)
    if one.predicate == "level_range":
        return range_in(one.value) == range_in(other.value)
    return plain_value(one.value) == plain_value(other.value)


def _class(one: Claim, other: Claim) -> tuple[ConflictKind, str]:
    words = [set(plain_value(claim.value).split()) - _ARTICLES for claim in (one, other)]
    named = not any(number_in(claim.value) is not None for claim in (one, other))
    if named and words[0] and words[1] and (words[0] <= words[1] or words[1] <= words[0]):
        return "alias", "one name holds the other"
    return "error", "two sources of one time give two values"


def _form(claim: Claim) -> str:
    return claim.value_id or plain_value(claim.value)


def _by_value(group: list[Claim], value: str) -> list[Claim]:
    return sorted((claim for claim in group if _form(claim) == value), key=lambda claim: claim.tier)


def _point(support: list[Claim], against: list[Claim] | None = None) -> Point:
    first = support[0]
    return Point(
        subject_id=first.subject_id, predicate=first.predicate, value=first.value, value_id=first.value_id,
        era=first.era, support=support, against=against or [],
    )  # fmt: skip


def _conflict(one: Claim, other: Claim, kind: ConflictKind, kept: str, why: str) -> ClaimConflict:
    return ClaimConflict(
        subject_id=one.subject_id, subject_kind=one.subject_kind, predicate=one.predicate, kind=kind,
        source_a=_side(one), source_b=_side(other),
        kept=kept, why=why,
    )  # fmt: skip


def _side(claim: Claim) -> ConflictSide:
    return ConflictSide(
        value=claim.value, url=claim.url, tier=claim.tier, era=claim.era, quote=claim.quote[:300]
    )

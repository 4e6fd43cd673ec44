"""Where sources do not agree: found by rule on subject + predicate, classed as error, era or alias.

The world is open: what a source leaves out it does not deny, and sets are united. Only what excludes
each other is a conflict:

one value      two pages, one time, two values          error   (`alias` when one name holds the other)
               two times, two values                    era
several        a way that neither end lists, though
               better sources list the ways of both     error
               a place that a better source lists in
               one zone, in whose other it leaves it out error
               two sites, one trade each, far apart     error
stances        allied with whom one is hostile to       error

A page that gives several values side by side means them all; a place inside another is no other
place. Of two values with equal weight neither is kept.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from pydantic import Field

from freeform.core.record import Record
from freeform.core.text import slug
from freeform.lore.judge.comparing import (
    by_value,
    class_of,
    domain_of,
    form_of,
    of_our_time,
    same_value,
    side_of,
    weight_of,
)
from freeform.lore.judge.trades import Unlike, never_unlike, rival_trades
from freeform.lore.judge.turning import is_turned, turned, without_passing
from freeform.lore.judge.ways import unconfirmed
from freeform.lore.model import Claim, ClaimConflict, ConflictKind
from freeform.lore.read.values import plain_value
from freeform.lore.read.vocabulary import predicate


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


_MANY_PAGES, _MANY_SHARE = 3, 0.3
"""Where so many pages, and so large a share of them, give several values, they mean them all."""
_WHERE = {("lore", "zone"): "place", ("npc", "zone"): "npc", ("narrative_item", "zone"): "item"}
"""What says where a thing is, and what a zone calls such things."""
_RIVAL = {"allied": "hostile", "hostile": "allied"}


def weigh(
    claims: Iterable[Claim],
    denied: Callable[[Claim], bool] = lambda claim: False,
    unlike: Unlike = never_unlike,
) -> Weighed:
    """What is kept of the claims. `denied` says whether both ends of a connection leave it out,
    `unlike` whether two trades lie far apart."""
    had = without_passing(of_our_time(list(claims)))
    had += turned(had)
    groups: dict[tuple[str, str, str], list[Claim]] = defaultdict(list)
    for claim in had:
        groups[claim.subject_kind, claim.subject_id, claim.predicate].append(claim)
    scales = _Scales(had, groups, denied)
    for group in groups.values():
        scales.weigh(group)
    scales.settle_trades(unlike)
    scales.settle_places()
    scales.settle_stances()
    return Weighed(points=scales.points, conflicts=scales.conflicts)


class _Scales:
    """Points and conflicts as they come."""

    def __init__(
        self,
        claims: list[Claim],
        groups: Mapping[tuple[str, str, str], list[Claim]],
        denied: Callable[[Claim], bool],
    ) -> None:
        self.denied = denied
        self.points: list[Point] = []
        self.conflicts: list[ClaimConflict] = []
        self.here_now = {(c.subject_kind, c.subject_id) for c in claims if not c.era}
        self.within = {
            (c.value_id, c.subject_id)
            for c in claims
            if (c.subject_kind, c.predicate) == ("zone", "place")
        }
        self.zones = {c.subject_id for c in claims if c.subject_kind == "zone" and not is_turned(c)}
        self.listing = {
            (c.subject_id, domain_of(c.url))
            for c in claims
            if (c.subject_kind, c.predicate) == ("zone", "place") and not is_turned(c)
        }
        self.many = _many(groups)

    def weigh(self, group: list[Claim]) -> None:
        first = group[0]
        known = predicate(first.subject_kind, first.predicate)
        if known.type == "text":
            self.keep_all(group)
        elif known.type == "set" or (first.subject_kind, first.predicate) in self.many:
            self.weigh_set(group)
        else:
            self.weigh_one(group)

    def keep_all(self, group: list[Claim]) -> None:
        for value in dict.fromkeys(map(form_of, group)):
            self.points.append(_point(by_value(group, value)))

    def of_now(self, group: list[Claim]) -> list[Claim]:
        """The claims a row may carry: those of now; of a thing of the past alone, and of how people
        stand to each other, all of them: a brother is one in every time."""
        first = group[0]
        if (first.subject_kind, first.predicate) == ("npc", "relation"):
            return group
        if (first.subject_kind, first.subject_id) in self.here_now:
            return [claim for claim in group if not claim.era]
        return group

    def weigh_set(self, group: list[Claim]) -> None:
        now = self.of_now(group)
        for value in dict.fromkeys(map(form_of, now)):
            said = by_value(now, value)
            # A person's word needs no other end.
            if said[0].predicate == "connects_to" and said[0].tier and self.denied(said[0]):
                # Told where it was said; its other end only does not carry it.
                told = [claim for claim in said if not is_turned(claim)]
                self.conflicts += [unconfirmed(told, now)] if told else []
            else:
                self.points.append(_point(said))

    def weigh_one(self, group: list[Claim]) -> None:
        eras: dict[str, list[Claim]] = defaultdict(list)
        for claim in group:
            eras[plain_value(claim.era)].append(claim)
        winners = [self.best_of(same_time) for same_time in eras.values()]
        winners.sort(key=lambda kept: (kept[0][0].era != "", -weight_of(kept[0]), kept[0][0].era))
        first = winners[0][0][0]
        for later in winners[1:]:
            other = later[0][0]
            if not any(same_value(first, each) for claims in later for each in claims):
                why = f"'{first.era or 'now'}' against '{other.era or 'now'}'"
                self.conflicts.append(_conflict(first, other, "era", first.value, why))
        now = self.of_now(group)
        for kept in winners[0]:
            if kept[0] in now and not self.open(kept[0]):
                self.points.append(_point(kept, self.against(kept, group, winners)))

    def best_of(self, same_time: list[Claim]) -> list[list[Claim]]:
        """The weightiest value with all that stand beside it; the others become conflicts."""
        ranked = _ranked(same_time)
        best, beside = ranked[0], list[list[Claim]]()
        for other in ranked[1:]:
            if self.together(best, other):
                beside.append(other)
                continue
            kind, why = class_of(best[0], other[0])
            tie = kind == "error" and weight_of(best) == weight_of(other)
            kept = "" if tie else best[0].value
            self.conflicts.append(_conflict(best[0], other[0], kind, kept, why))
            if kind == "alias":
                best = [*best, *other]
        return [best, *beside]

    def together(self, one: list[Claim], other: list[Claim]) -> bool:
        """Whether one source gives both, or one lies inside the other: of two places that nobody
        knows as zones this cannot be told."""
        ends = {(one[0].value_id, other[0].value_id), (other[0].value_id, one[0].value_id)}
        known = {one[0].value_id, other[0].value_id} <= self.zones
        if ends & self.within or (_is_where(one[0]) and not known):
            return True
        if self.misplaced(one, other):
            return False
        # A wiki that puts someone in two places, on whichever pages, means both.
        source = domain_of if _is_where(one[0]) else str
        return bool({source(c.url) for c in one} & {source(c.url) for c in other})

    def misplaced(self, one: list[Claim], other: list[Claim]) -> bool:
        """Whether a better source than any of the other lists a place in one zone, and lists the
        places of the other zone without it."""
        if one[0].subject_kind != "lore" or not _is_where(one[0]):
            return False
        worse = min(claim.tier for claim in other)
        better = {domain_of(claim.url) for claim in one if claim.tier < worse}
        return any((other[0].value_id, site) in self.listing for site in better)

    def open(self, claim: Claim) -> bool:
        """Whether sources of equal weight disagree on it: then no row carries either."""
        return any(
            c.kind == "error"
            and not c.kept
            and c.subject_id == claim.subject_id
            and (c.subject_kind, c.predicate) == (claim.subject_kind, claim.predicate)
            for c in self.conflicts
        )

    def against(
        self, kept: list[Claim], group: list[Claim], winners: list[list[list[Claim]]]
    ) -> list[Claim]:
        won: list[Claim] = []
        for kept_then in winners:
            for claims in kept_then:
                won += claims
        sure = {domain_of(claim.url) for claim in kept}
        return [c for c in group if c not in won and domain_of(c.url) not in sure]

    def settle_places(self) -> None:
        """A zone loses what the thing itself was found to be somewhere else."""
        lost = {
            (_WHERE[c.subject_kind, c.predicate], slug(c.source_b.value), c.subject_id)
            for c in self.conflicts
            if c.kind == "error" and c.kept and (c.subject_kind, c.predicate) in _WHERE
        }
        self.points = [
            p for p in self.points if (p.predicate, p.subject_id, p.value_id) not in lost
        ]

    def settle_trades(self, unlike: Unlike) -> None:
        """Of two trades that cannot both be meant the weightier one is kept."""
        trades: dict[str, list[Point]] = defaultdict(list)
        for point in self.points:
            if (point.support[0].subject_kind, point.predicate) == ("npc", "role"):
                trades[point.subject_id].append(point)
        for points in trades.values():
            rivals = rival_trades([claim for each in points for claim in each.support], unlike)
            if rivals is None:
                continue
            better, worse = sorted(rivals, key=weight_of, reverse=True)
            tie = weight_of(better) == weight_of(worse)
            kept = "" if tie else better[0].value
            why = "two sites know one trade each, and these are far apart"
            self.conflicts.append(_conflict(better[0], worse[0], "error", kept, why))
            gone = [each for each in points if tie or each.support[0] in worse]
            self.points = [point for point in self.points if point not in gone]

    def settle_stances(self) -> None:
        """Nobody is allied with whom they are hostile to, told from either end."""
        stances: dict[tuple[str, ...], dict[str, list[Point]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for point in self.points:
            if point.support[0].subject_kind == "faction" and point.predicate in _RIVAL:
                pair = tuple(sorted((point.subject_id, point.value_id)))
                stances[pair][point.predicate].append(point)
        for told in stances.values():
            if len(told) == 2:
                self.settle_pair(told)

    def settle_pair(self, told: Mapping[str, list[Point]]) -> None:
        weights: dict[str, float] = {}
        for stance, points in told.items():
            support = [claim for point in points for claim in point.support]
            weights[stance] = weight_of(support)
        better = max(weights, key=lambda stance: weights[stance])
        tie = len(set(weights.values())) == 1
        for point in told[_RIVAL[better]]:
            rival = told[better][0].support[0]
            why = f"one source says {better}, the other {point.predicate}"
            made = _conflict(point.support[0], point.support[0], "error", "", why)
            self.conflicts.append(made.model_copy(update={"source_a": side_of(rival)}))
        gone = [*told[_RIVAL[better]], *(told[better] if tie else [])]
        self.points = [point for point in self.points if point not in gone]


def _many(groups: Mapping[tuple[str, str, str], list[Claim]]) -> set[tuple[str, str]]:
    """Predicates of which the pages themselves give several values at a time."""
    pages: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for (kind, _, name), group in groups.items():
        by_page: dict[str, set[str]] = defaultdict(set)
        for claim in group:
            if not is_turned(claim):
                by_page[claim.url].add(form_of(claim))
        pages[kind, name] += [len(values) > 1 for values in by_page.values()]
    return {
        key
        for key, several in pages.items()
        if sum(several) >= _MANY_PAGES and sum(several) / len(several) >= _MANY_SHARE
    }


def _is_where(claim: Claim) -> bool:
    return (claim.subject_kind, claim.predicate) in _WHERE


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
    return sorted(values, key=lambda group: (-weight_of(group), group[0].tier, group[0].value))


def _point(support: list[Claim], against: list[Claim] | None = None) -> Point:
    first = support[0]
    return Point(
        subject_id=first.subject_id, predicate=first.predicate, value=first.value, value_id=first.value_id,
        era=first.era, support=support, against=against or [],
    )  # fmt: skip


def _conflict(one: Claim, other: Claim, kind: ConflictKind, kept: str, why: str) -> ClaimConflict:
    return ClaimConflict(
        subject_id=one.subject_id, subject_kind=one.subject_kind, predicate=one.predicate, kind=kind,
        source_a=side_of(one), source_b=side_of(other),
        kept=kept, why=why,
    )  # fmt: skip

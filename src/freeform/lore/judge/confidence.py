"""How sure a data point is: from the tier of its best source, agreement, contradiction, and completeness."""

from collections.abc import Iterable

from freeform.lore.judge.conflicts import Point, domain_of

BASE = {1: 0.8, 2: 0.65, 3: 0.45}
"""One source alone. A second domain that agrees halves the doubt, so does a third."""
CONTRADICTED = 0.65
"""What is left of it when a source of the same time says otherwise."""
HIGHEST = 0.97


def confidence_of(point: Point) -> float:
    """Of one data point, 0..1."""
    tiers: dict[str, int] = {}
    for claim in point.support:
        domain = domain_of(claim.url)
        tiers[domain] = min(claim.tier, tiers.get(domain, 9))
    ranked = sorted(tiers.values())
    doubt = 1 - BASE.get(ranked[0], 0.3)
    for tier in ranked[1:]:
        doubt *= 1 - BASE.get(tier, 0.3) * 0.6
    sure = 1 - doubt
    for _ in {domain_of(claim.url) for claim in point.against}:
        sure *= CONTRADICTED
    return round(min(HIGHEST, sure), 4)


def row_confidence(points: Iterable[float], completeness: float = 1.0) -> float:
    """Of a row: the mean of its data points, less where what it links to was not read."""
    found = list(points)
    return round(sum(found) / len(found) * (0.6 + 0.4 * completeness), 4) if found else 0.0

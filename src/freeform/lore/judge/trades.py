"""What somebody is: people have several trades, but two sites that know one each, and two that lie
far apart in meaning, hardly mean both."""

from collections import defaultdict
from collections.abc import Callable

from freeform.language.ear import TextNearness
from freeform.lore.judge.comparing import domain_of, form_of
from freeform.lore.model import Claim
from freeform.lore.read.values import plain_value

FAR = 0.05
"""Of 42 pairs of words for one trade 7 are less near than this, of 40 pairs of two trades 26."""
Unlike = Callable[[str, str], bool]


def never_unlike(one: str, other: str) -> bool:
    """Where nothing knows what trades mean, none excludes another."""
    return False


def unlike_by(near: TextNearness) -> Unlike:
    """Whether two trades share no word and lie far apart."""

    def unlike(one: str, other: str) -> bool:
        words = [set(plain_value(trade).split()) for trade in (one, other)]
        likeness = [] if words[0] & words[1] else near(one.lower(), (other.lower(),))
        return bool(likeness) and likeness[0] < FAR

    return unlike


def rival_trades(group: list[Claim], unlike: Unlike) -> tuple[list[Claim], list[Claim]] | None:
    """The two trades of one person that two sites tell, each site that one alone, where both cannot
    be meant."""
    by_site: dict[str, dict[str, list[Claim]]] = defaultdict(lambda: defaultdict(list))
    for claim in group:
        by_site[domain_of(claim.url)][form_of(claim)].append(claim)
    told: dict[str, list[Claim]] = defaultdict(list)
    for values in by_site.values():
        if len(values) > 1:
            return None
        for value, claims in values.items():
            told[value] += claims
    if len(told) != 2:
        return None
    one, other = told.values()
    return (one, other) if unlike(one[0].value, other[0].value) else None

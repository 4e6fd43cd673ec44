"""Ways that only a lesser source tells of: which they are, and the conflict where both ends leave
one out."""

from collections import defaultdict
from collections.abc import Iterable

from freeform.lore.judge.comparing import form_of, of_our_time, side_of
from freeform.lore.model import Claim, ClaimConflict, ConflictSide


def unconfirmed(said: list[Claim], group: list[Claim]) -> ClaimConflict:
    """A way that one source lists and neither end of it knows."""
    listing = [claim for claim in group if claim.tier == min(each.tier for each in group)]
    shown = ConflictSide(
        value=", ".join(dict.fromkeys(claim.value for claim in listing)),
        url=listing[0].url,
        tier=listing[0].tier,
        era=listing[0].era,
        quote=listing[0].quote[:300],
    )
    first = said[0]
    return ClaimConflict(
        subject_id=first.subject_id,
        subject_kind=first.subject_kind,
        predicate=first.predicate,
        kind="error",
        source_a=shown,
        source_b=side_of(first),
        why="better sources list the ways of both ends and leave this one out",
    )


def disputed(claims: Iterable[Claim], predicate_id: str) -> list[Claim]:
    """Claims of a set that only lesser sources make: worth a look at the other end."""
    found: list[Claim] = []
    groups: dict[str, list[Claim]] = defaultdict(list)
    for claim in of_our_time(list(claims)):
        if claim.predicate == predicate_id:
            groups[claim.subject_id].append(claim)
    for group in groups.values():
        found += [claims[0] for claims in _left_out(group).values()]
    return found


def _left_out(group: list[Claim]) -> dict[str, list[Claim]]:
    """Values that no source of the best tier lists, though such a source lists others of the same
    time."""
    found: dict[str, list[Claim]] = {}
    for era in dict.fromkeys(claim.era for claim in group):
        same = [claim for claim in group if claim.era == era and claim.value_id]
        best = min((claim.tier for claim in same), default=0)
        listed = {form_of(claim) for claim in same if claim.tier == best}
        for claim in same:
            if claim.tier > best and form_of(claim) not in listed:
                found.setdefault(form_of(claim), []).append(claim)
    return found

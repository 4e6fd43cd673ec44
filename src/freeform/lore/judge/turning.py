"""What a claim says of its other end: a way leads both ways, and who is found in a zone is one of
its people."""

from collections.abc import Iterable

from freeform.lore.model import Claim, Kind

TURNED = "~"
"""At the end of an extractor's name: read from the other end, in the same words."""
_OTHER_END: dict[tuple[str, str], tuple[Kind, str]] = {
    ("zone", "connects_to"): ("zone", "connects_to"),
    ("zone", "place"): ("lore", "zone"),
    ("zone", "npc"): ("npc", "zone"),
    ("zone", "item"): ("narrative_item", "zone"),
    ("lore", "zone"): ("zone", "place"),
    ("npc", "zone"): ("zone", "npc"),
    ("narrative_item", "zone"): ("zone", "item"),
    ("faction", "member"): ("npc", "faction"),
    ("faction", "leader"): ("npc", "faction"),
}


def turned(claims: Iterable[Claim]) -> list[Claim]:
    """The other end of every claim that has one and was not told itself."""
    had = list(claims)
    told = {_key(claim) for claim in had}
    found: dict[tuple[str, ...], Claim] = {}
    for claim in had:
        back = other_end(claim)
        if back is not None and _key(back) not in told:
            found.setdefault(_key(back), back)
    return list(found.values())


def other_end(claim: Claim) -> Claim | None:
    """The claim as its value would tell it; None where it is no relation of two things."""
    to = _OTHER_END.get((claim.subject_kind, claim.predicate))
    if to is None or not claim.value_id or claim.value_id == claim.subject_id:
        return None
    kind, predicate = to
    return claim.model_copy(
        update={
            "subject_id": claim.value_id,
            "subject_kind": kind,
            "subject": claim.value,
            "predicate": predicate,
            "value": claim.subject,
            "value_id": claim.subject_id,
            "extractor": claim.extractor + TURNED,
        }
    )


def is_turned(claim: Claim) -> bool:
    """Whether a claim was read from its other end."""
    return claim.extractor.endswith(TURNED)


def _key(claim: Claim) -> tuple[str, ...]:
    return (
        claim.subject_kind,
        claim.subject_id,
        claim.predicate,
        claim.value_id,
        claim.era,
        claim.url,
    )


def without_passing(claims: list[Claim]) -> list[Claim]:
    """Claims without those that only link to somebody in passing on a zone's page, where another
    says that they are elsewhere."""
    told: dict[str, set[str]] = {}
    for claim in claims:
        if claim.predicate == "zone" and claim.value_id:
            told.setdefault(claim.subject_id, set()).add(claim.value_id)
    return [
        claim
        for claim in claims
        if claim.extractor != "prose@1"
        or claim.predicate not in ("npc", "item")
        or claim.subject_id in told.get(claim.value_id, {claim.subject_id})
    ]

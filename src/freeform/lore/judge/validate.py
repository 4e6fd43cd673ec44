"""What the validator looks at: schema, quotes, references, coverage, conflicts. Pure but for the
stored pages."""

from collections.abc import Callable, Mapping

from freeform.core.text import slug
from freeform.lore.judge.conflicts import weigh
from freeform.lore.judge.rows import rows_of
from freeform.lore.messages import ValidationFeedback, ValidationResult
from freeform.lore.model import Claim, ResearchPackage
from freeform.lore.ports import WebPage
from freeform.lore.read.claims import wrong_with
from freeform.lore.read.prose import is_order

FindPage = Callable[[Claim], WebPage | None]
MOST_SEARCHES = 8


def check_package(
    package: ResearchPackage, page_of: FindPage, least_coverage: float = 0.5, *, last: bool = False
) -> ValidationResult:
    """Accepted where nothing that blocks was found; the rest is advice. `last`: there is no further
    attempt, so that what could be read better is advice too."""
    found = [
        *check_rows(package),
        *check_quotes(package, page_of),
        *check_references(package),
        *check_coverage(package, least_coverage, last=last),
        *check_conflicts(package),
    ]
    accepted = not any(each.blocking for each in found)
    return ValidationResult(
        zone_name=package.zone_name,
        accepted=accepted,
        feedback=found,
        iteration=package.iteration,
        game=package.game,
    )


def check_rows(package: ResearchPackage) -> list[ValidationFeedback]:
    """Ids, names, sources and confidences are there and sane; no row carries orders to a
    machine."""
    found = []
    if not package.game or not package.zone_data.id or not package.zone_name:
        found.append(
            ValidationFeedback(check="schema", message="the package names no game or no zone")
        )
    for row in rows_of(package):
        where = f"{row.kind} '{row.name[:60]}'"
        if not row.id or not row.name:
            found.append(
                ValidationFeedback(check="schema", message=f"{where} has no id or no name")
            )
        if not 0 <= row.confidence <= 1:
            found.append(
                ValidationFeedback(
                    check="schema", message=f"{where} has the confidence {row.confidence}"
                )
            )
        if not row.data.get("sources"):
            found.append(
                ValidationFeedback(
                    check="schema", message=f"{where} has no source", data_point=row.id
                )
            )
        if any(is_order(text) for text in _texts(row.data)):
            found.append(
                ValidationFeedback(
                    check="injection", message=f"{where} carries orders to a machine"
                )
            )
    return found


def check_quotes(package: ResearchPackage, page_of: FindPage) -> list[ValidationFeedback]:
    """Every claim's quote stands in the stored page of its revision."""
    wrong = {
        f"{c.subject_id}.{c.predicate}": why
        for c in package.claims
        if (why := wrong_with(c, page_of(c)))
    }
    return [
        ValidationFeedback(check="quotes", message=why, data_point=point)
        for point, why in wrong.items()
    ]


def check_references(package: ResearchPackage) -> list[ValidationFeedback]:
    """Every edge ends at a row, at a named gap, or at a zone: those come later."""
    rows = {(row.kind, row.id) for row in rows_of(package)}
    backed = {claim.subject_id for claim in package.claims} | {
        claim.value_id for claim in package.claims
    }
    found = []
    for edge in package.relations:
        for kind, id in ((edge.source_kind, edge.source_id), (edge.target_kind, edge.target_id)):
            if (kind, id) not in rows and kind != "zone" and id not in backed:
                text = f"{edge.name} leads to {kind} '{id}', which nothing speaks of"
                found.append(ValidationFeedback(check="references", message=text, data_point=id))
    return found


def check_coverage(
    package: ResearchPackage, least: float, *, last: bool = False
) -> list[ValidationFeedback]:
    """A page that names the zone was read, and enough of what its pages name. Gaps become
    searches."""
    zone, searches = (
        package.zone_data,
        [f"{gap.name} {package.game}" for gap in package.gaps if gap.why != "dead link"],
    )
    own = [claim for claim in package.claims if zone.id in (claim.subject_id, claim.value_id)]
    if not own and not (last and package.sources):
        again = [
            f"{zone.name} {package.game} wiki",
            f"{zone.name} map location",
            f"{zone.name} guide",
        ]
        return [
            ValidationFeedback(
                check="coverage", message=f"nothing was read on {zone.name}", searches=again
            )
        ]
    denied = {
        slug(side.value)
        for c in package.conflicts
        for side in (c.source_a, c.source_b)
        if c.subject_id == zone.id
    }
    named = {
        *zone.faction_ids,
        *(c.value_id for c in own if c.predicate in ("faction", "factions") and not c.era),
    }
    lost = sorted(
        named - {faction.id for faction in package.factions} - (denied - set(zone.faction_ids))
    )
    found = [
        ValidationFeedback(
            check="coverage", message=f"the faction '{id}' is named but not in the package", data_point=id,
            searches=[f"{id.replace('_', ' ')} {package.game}"], blocking=not last,
        )
        for id in lost
    ]  # fmt: skip
    readable = [gap for gap in package.gaps if gap.why == "not read"]
    total = len(package.sources) + len(readable)
    share = len(package.sources) / total if total else 1.0
    if share < least:
        text = f"only {share:.0%} of what the pages name was read; {len(readable)} are missing"
        found.append(
            ValidationFeedback(
                check="coverage", message=text, searches=searches[:MOST_SEARCHES], blocking=not last
            )
        )
    elif package.gaps:
        text = f"{len(package.gaps)} things are named and were not read"
        found.append(ValidationFeedback(check="coverage", message=text, blocking=False))
    return found


def check_conflicts(package: ResearchPackage) -> list[ValidationFeedback]:
    """What the claims contradict must be told as a conflict, and no contradicted point may pass for
    certain."""
    told = {conflict.data_point for conflict in package.conflicts}
    found = [
        ValidationFeedback(
            check="conflicts", message=f"sources disagree on {each.data_point} and it is not told", data_point=each.data_point
        )
        for each in weigh(package.claims).conflicts
        if each.kind == "error" and each.kept and each.data_point not in told
    ]  # fmt: skip
    for conflict in package.conflicts:
        if conflict.kind == "error" and package.confidence.get(conflict.data_point, 0.0) > 0.9:
            text = f"{conflict.data_point} is contradicted and yet given {package.confidence[conflict.data_point]:.2f}"
            found.append(
                ValidationFeedback(check="conflicts", message=text, data_point=conflict.data_point)
            )
    return found


def _texts(data: Mapping[str, object]) -> list[str]:
    return [value for value in data.values() if isinstance(value, str)] + [
        each
        for value in data.values()
        if isinstance(value, list)
        for each in value
        if isinstance(each, str)
    ]

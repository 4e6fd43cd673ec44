"""What a person asks of the researcher besides answers: try failed zones again, look again at the
pages of completed ones, stop. A request is a letter in its inbox: it is heard once, now or later.
"""

from datetime import datetime

from freeform.core.errors import NotFound, Unavailable, UserError
from freeform.core.text import slug
from freeform.lore.daemon.checkpoint import advanced
from freeform.lore.errand import LorePorts, OutOfReach, effect_id
from freeform.lore.judge.comparing import PERSON_SITE
from freeform.lore.messages import RESEARCHER, USER, MessageEnvelope, PersonRequest
from freeform.lore.model import ResearchCheckpoint, ResearchPackage
from freeform.lore.ports import LoreStore, StepCommit


async def ask_researcher(store: LoreStore, request: PersonRequest, at: datetime) -> PersonRequest:
    """Puts a request into the researcher's inbox; every zone of it where none is named."""
    point = await store.load_checkpoint(request.game)
    if point is None:
        raise NotFound(f"no research on '{request.game}'")
    if request.wish != "stop":
        request = request.model_copy(update={"zones": _meant(point, request)})
    id = effect_id("request", request, point.sequence, at.isoformat())
    await store.accept(
        MessageEnvelope(
            message_id=id,
            source_agent=USER,
            target_agent=RESEARCHER,
            message_type="person_request",
            timestamp=at,
            correlation_id=id,
            payload=request.model_dump(mode="json"),
        )
    )
    return request


def _meant(point: ResearchCheckpoint, request: PersonRequest) -> list[str]:
    failed = [zone.zone_name for zone in point.failed_zones]
    there = failed if request.wish == "retry" else point.completed_zones
    known = {slug(zone): zone for zone in there}
    strange = [zone for zone in request.zones if slug(zone) not in known]
    if strange or not known:
        what = "failed" if request.wish == "retry" else "completed"
        raise UserError(
            f"'{strange[0]}' is no {what} zone of '{request.game}'; there is: "
            f"{', '.join(there) or 'none'}"
            if strange
            else f"no zone of '{request.game}' is {what}; `lore status` tells where it stands"
        )
    return [known[slug(zone)] for zone in request.zones] or list(known.values())


def with_request(point: ResearchCheckpoint, request: PersonRequest) -> ResearchCheckpoint:
    """The checkpoint after a request was heard."""
    wanted = {slug(zone) for zone in request.zones}
    if request.wish == "stop":
        return advanced(point)
    if request.wish == "retry":
        again = [each.zone_name for each in point.failed_zones if slug(each.zone_name) in wanted]
        left = [each for each in point.failed_zones if slug(each.zone_name) not in wanted]
        return advanced(
            point, failed_zones=left, progression_queue=[*point.progression_queue, *again]
        )
    again = [zone for zone in point.completed_zones if slug(zone) in wanted]
    return advanced(point, refresh_zones=list(dict.fromkeys([*point.refresh_zones, *again])))


async def look_again(point: ResearchCheckpoint, ports: LorePorts) -> StepCommit:
    """Fetches the pages of the first zone that waits for it. Where one has changed the zone is
    worked again, from the store but for that page; else it stays as it is."""
    zone, *others = point.refresh_zones
    package = await ports.store.package(point.game, slug(zone))
    changed = await _changed_pages(package, ports) if package else []
    after = advanced(point, refresh_zones=others, step_data={})
    if changed or package is None:
        after = after.model_copy(
            update={
                "completed_zones": [each for each in point.completed_zones if each != zone],
                "priority_queue": [*point.priority_queue, zone],
            }
        )
    pages = len(package.sources) if package else 0
    ports.log(
        "pipeline_step_completed",
        zone_name=zone,
        step_number=0,
        step_name="refresh",
        pages=pages,
        changed=len(changed),
    )
    return StepCommit(
        key=effect_id("look again", point.game, zone, point.sequence),
        agent=ports.agent,
        game=point.game,
        zone_name=zone,
        name="refresh",
        result={"pages": pages, "changed": changed},
        checkpoint=after,
        at=ports.now(),
    )


async def _changed_pages(package: ResearchPackage, ports: LorePorts) -> list[str]:
    """Addresses of the pages whose text is another by now; the new text is in the store then. One
    that is gone or cannot be had stays as it was read."""
    changed: list[str] = []
    away = 0
    sources = [source for source in package.sources if source.domain != PERSON_SITE]
    for source in sources:
        try:
            page = await ports.crawler.crawl(source.url)
        except UserError as gone:
            ports.log(
                "crawl_executed", "debug", url=source.url, content_length=0, refused=str(gone)
            )
            continue
        except Unavailable:
            away += 1
            continue
        if page.sha256 != source.sha256:
            await ports.store.put_page(
                package.game, page.model_copy(update={"asked_url": source.url})
            )
            changed.append(page.url)
    if sources and away == len(sources):
        raise OutOfReach(f"no page on {package.zone_name} can be had just now; tried again later")
    return changed

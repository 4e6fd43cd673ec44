"""Where the daemon stands: reading checkpoints of older versions, and the moves from one to the
next."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from freeform.core.errors import UserError
from freeform.core.text import slug
from freeform.lore.model import FailedZone, ResearchCheckpoint

VERSION = 1


def read_checkpoint(raw: Mapping[str, Any], game: str = "") -> ResearchCheckpoint:
    """A stored checkpoint of any version up to ours. Version 0 is the seed's nine fields and
    nothing else."""
    version = raw.get("version", 0)
    if not isinstance(version, int) or version > VERSION:
        raise UserError(
            f"the checkpoint of '{game}' has version {version} and this program reads versions up to {VERSION}; "
            "update Freeform RPG to go on with it"
        )
    fields = {key: value for key, value in raw.items() if key in ResearchCheckpoint.model_fields}
    if version == 0:
        # Step data of that version had another shape, so the zone is begun anew; the queues are
        # kept.
        fields.update(version=VERSION, game=raw.get("game", game), current_step=0, step_data={})
        failed = fields.get("failed_zones") or []
        fields["failed_zones"] = [
            FailedZone(zone_name=each, reason="failed before the update")
            if isinstance(each, str)
            else each
            for each in failed
        ]
    try:
        return ResearchCheckpoint.model_validate(fields)
    except ValidationError as wrong:
        where = ".".join(str(part) for part in wrong.errors()[0]["loc"])
        raise UserError(
            f"the checkpoint of '{game}' does not read ({where}); put back a copy of lore.db, or begin another game"
        ) from None


def advanced(before: ResearchCheckpoint, **changes: Any) -> ResearchCheckpoint:
    """The next checkpoint."""
    return before.model_copy(update={**changes, "sequence": before.sequence + 1})


def known_zones(point: ResearchCheckpoint) -> set[str]:
    """Slugs of every zone that is done, failed, at work, queued or held."""
    names = [
        *point.completed_zones, *(failed.zone_name for failed in point.failed_zones), *point.progression_queue,
        *point.priority_queue, *point.held_zones, *([point.zone_name] if point.zone_name else []),
    ]  # fmt: skip
    return {slug(name) for name in names}


def next_zone(point: ResearchCheckpoint) -> tuple[str, ResearchCheckpoint]:
    """The zone to work on next and the queues without it; '' where none waits. A person's choices
    come first."""
    for queue in ("priority_queue", "progression_queue"):
        waiting: list[str] = getattr(point, queue)
        if waiting:
            return waiting[0], point.model_copy(update={queue: waiting[1:]})
    return "", point

"""Where the way divides: zones found go into the queue, or wait for a person's choice. The daemon does not stop."""

from datetime import timedelta
from typing import Any

from freeform.core.text import slug
from freeform.lore.daemon.checkpoint import known_zones
from freeform.lore.daemon.gathered import Gathered
from freeform.lore.errand import Errand, effect_id
from freeform.lore.messages import RESEARCHER, USER, Decision, MessageEnvelope, UserDecisionRequired
from freeform.lore.model import ResearchPackage

MOST_OPTIONS = 12
Fork = tuple[dict[str, Any], list[MessageEnvelope], list[Decision]]


async def at_fork(errand: Errand, package: ResearchPackage, had: Gathered) -> Fork:
    """The changes to the checkpoint, and the question to the user where there is more than one new way."""
    point, ports = errand.point, errand.ports
    if not ports.limits.roam:
        return {}, [], []
    known = known_zones(point)
    titles = {c.value_id: c.value for c in had.claims if c.predicate == "connects_to"}
    ways = [titles.get(id, id) for id in package.zone_data.connected_zones]
    new = [way for way in dict.fromkeys(ways) if slug(way) not in known][:MOST_OPTIONS]
    if len(new) < 2 or not ports.limits.ask_at_forks:
        return {"progression_queue": [*point.progression_queue, *new]}, [], []
    decision = await _question(errand, package, new)
    ports.log("fork_detected", zone_name=point.zone_name, options=new)
    ports.log("user_decision_requested", decision_id=decision.decision_id, options=new)
    asked = UserDecisionRequired(
        question=decision.question, options=new, context=decision.context, decision_id=decision.decision_id,
        default=decision.default, deadline=decision.deadline, costs=decision.costs,
    )  # fmt: skip
    envelope = MessageEnvelope(
        message_id=decision.decision_id, source_agent=RESEARCHER, target_agent=USER,
        message_type="user_decision_required", timestamp=ports.clock.now(), correlation_id=decision.decision_id,
        payload=asked.model_dump(mode="json"),
    )  # fmt: skip
    return {"held_zones": [*point.held_zones, *new]}, [envelope], [decision]


async def _question(errand: Errand, package: ResearchPackage, options: list[str]) -> Decision:
    point, ports = errand.point, errand.ports
    done = len(point.completed_zones)
    cost = (await ports.store.spent(point.game)) // done if done else 0
    hours = ports.limits.decision_hours
    deadline = (
        (ports.clock.now() + timedelta(hours=hours)).isoformat(timespec="seconds") if hours else ""
    )
    sure = {e.target_id: e.confidence for e in package.relations if e.name == "CONNECTS_TO"}
    best = max(options, key=lambda option: (sure.get(slug(option), 0.0), -options.index(option)))
    waiting = len(point.progression_queue) + len(point.priority_queue)
    meanwhile = (
        f"Meanwhile {'another zone goes' if waiting == 1 else f'{waiting} other zones go'} on."
        if waiting
        else "Nothing else is queued: research waits here."
    )
    return Decision(
        decision_id=effect_id(errand.key, "fork"), game=point.game, zone_name=point.zone_name,
        question=f"Which zone should be researched after {point.zone_name}?", options=options,
        context=f"{point.zone_name} leads to {', '.join(options)}. {meanwhile}", default=best, deadline=deadline,
        costs=dict.fromkeys(options, cost), asked_at=ports.now(),
    )  # fmt: skip

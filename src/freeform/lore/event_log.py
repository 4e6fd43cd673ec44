"""The seed's 18 events as structured JSON, one object a line."""

import json
from collections.abc import Callable
from typing import Any

from freeform.core.clock import Clock
from freeform.lore.messages import RESEARCHER
from freeform.lore.ports import Level

EVENTS = frozenset({
    "daemon_started", "checkpoint_loaded", "research_cycle_started", "pipeline_step_started",
    "pipeline_step_completed", "search_executed", "crawl_executed", "conflict_detected", "package_sent",
    "validation_received", "validation_rejected", "fork_detected", "user_decision_requested",
    "user_decision_received", "budget_warning", "budget_exhausted", "error", "daemon_shutdown",
})  # fmt: skip
_ORDER = ("debug", "info", "warn", "error")


class StructuredLog:
    """Writes events at or above a level. Pages' texts are never in them."""

    def __init__(
        self,
        write: Callable[[str], None],
        clock: Clock,
        agent_id: str = RESEARCHER,
        least: Level = "info",
    ) -> None:
        self._write, self._clock, self._agent, self._least = write, clock, agent_id, least

    def __call__(self, event: str, level: Level = "info", **fields: Any) -> None:
        """One event."""
        assert event in EVENTS, f"{event} is none of the seed's events"
        if _ORDER.index(level) < _ORDER.index(self._least):
            return
        base = {
            "agent_id": self._agent, "domain": "world_lore", "level": level, "event": event,
            "timestamp": self._clock.now().isoformat(timespec="milliseconds"),
        }  # fmt: skip
        self._write(json.dumps({**base, **fields}, ensure_ascii=False, default=str))


def silent(event: str, level: Level = "info", **fields: Any) -> None:
    """A log that keeps nothing."""

"""The seed's 18 events as structured JSON, one object a line; each is a line of the log too."""

import json
import logging
from collections.abc import Callable
from typing import Any

from freeform.core.clock import Clock
from freeform.core.log import tell
from freeform.lore.messages import RESEARCHER
from freeform.lore.ports import Level

EVENTS = frozenset({
    "daemon_started", "checkpoint_loaded", "research_cycle_started", "pipeline_step_started",
    "pipeline_step_completed", "search_executed", "crawl_executed", "conflict_detected", "package_sent",
    "validation_received", "validation_rejected", "fork_detected", "user_decision_requested",
    "user_decision_received", "budget_warning", "budget_exhausted", "error", "daemon_shutdown",
})  # fmt: skip
_ORDER = ("debug", "info", "warn", "error")
_LOG = logging.getLogger("freeform.lore")
_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
}
_NAMES = frozenset({"zone_name", "step_name", "error_type", "budget_type", "action", "kind"})
"""Fields with words that may stand in the log; of the others only numbers do."""


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
        plain = {k: v for k, v in fields.items() if k in _NAMES or isinstance(v, int | float)}
        tell(_LOG, _LEVELS[level], event, agent=self._agent, **plain)
        if _ORDER.index(level) < _ORDER.index(self._least):
            return
        base = {
            "agent_id": self._agent, "domain": "world_lore", "level": level, "event": event,
            "timestamp": self._clock.now().isoformat(timespec="milliseconds"),
        }  # fmt: skip
        self._write(json.dumps({**base, **fields}, ensure_ascii=False, default=str))


def silent(event: str, level: Level = "info", **fields: Any) -> None:
    """A log that keeps nothing."""

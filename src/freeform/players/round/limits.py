"""The table's lines and veils hold for AI players too: what they say, direct or attempt is held
against them."""

from freeform.engine.rules.safety import MOVED_ON, SafetyLimits
from freeform.language.meaning.topics import Topics
from freeform.players.model import TableView


def limits_of(table: TableView, topics: Topics | None) -> SafetyLimits:
    """What the players at this table keep to."""
    return SafetyLimits(table.lines, table.veils, topics=topics)


def within_limits(text: str, limits: SafetyLimits) -> str:
    """The words without what crosses a line or a veil; '' where nothing else is left."""
    if not text or not (limits.lines or limits.veils):
        return text
    kept = limits.allow(text)
    return "" if kept == MOVED_ON else kept

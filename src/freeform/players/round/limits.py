"""The table's lines and veils hold for AI players too: what they say, direct or attempt is held
against them."""

from freeform.engine.rules.safety import MOVED_ON, SafetyLimits
from freeform.players.model import TableView


def within_limits(text: str, table: TableView) -> str:
    """The words without what crosses a line or a veil; '' where nothing else is left."""
    if not text or not (table.lines or table.veils):
        return text
    kept = SafetyLimits(table.lines, table.veils).allow(text)
    return "" if kept == MOVED_ON else kept


def is_within(option: str, table: TableView) -> bool:
    """Whether a deed may be put forward."""
    return SafetyLimits(table.lines, table.veils).allows(option)

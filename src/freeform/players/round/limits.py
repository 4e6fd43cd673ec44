"""The table's lines and veils hold for AI players too: what they say, direct or attempt is held
against them."""

from freeform.engine.rules.safety import MOVED_ON, SafetyLimits
from freeform.engine.table import Rules
from freeform.players.model import TableView
from freeform.players.round.phase import Playing


async def limits_of(table: TableView, playing: Playing) -> SafetyLimits:
    """What the players at this table keep to. Where nobody but our own code and authors speak, the
    author's own limits are not asked about by meaning."""
    topics = playing.table.topics
    if topics and playing.authored:
        begun = await playing.table.store.begun(playing.party.campaign)
        topics = Rules.of(begun, topics).trusting_author().topics
    return SafetyLimits(table.lines, table.veils, topics=topics)


def within_limits(text: str, limits: SafetyLimits) -> str:
    """The words without what crosses a line or a veil; '' where nothing else is left."""
    if not text or not (limits.lines or limits.veils):
        return text
    kept = limits.allow(text)
    return "" if kept == MOVED_ON else kept

"""What the settings make of the assistant's sources: the shelf of sheets, notes, and rulebooks."""

from freeform.assistant.sheet.shelf import SheetShelf
from freeform.settings import Settings


def sheets(settings: Settings) -> SheetShelf:
    """The sheets under the home."""
    return SheetShelf(settings.home)

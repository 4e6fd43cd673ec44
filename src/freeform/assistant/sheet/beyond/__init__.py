"""D&D Beyond's character JSON into the normal form."""

"""The players' memory in SQLite."""

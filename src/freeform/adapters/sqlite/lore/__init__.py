"""The lore researcher's store in SQLite."""

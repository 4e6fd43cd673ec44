"""The lore researcher: its desk, its agents and its servers."""

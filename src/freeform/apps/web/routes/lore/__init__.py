"""Routes of the lore researcher: its desk, and the person who judges what it found."""

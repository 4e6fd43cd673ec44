"""The lore researcher and its validator: a world read from the web, zone by zone, checked, and
published as a pack."""

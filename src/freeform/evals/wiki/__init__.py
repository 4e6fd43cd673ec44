"""A wiki made from a real game's files, served on loopback: the gold world the lore researcher is
measured on."""

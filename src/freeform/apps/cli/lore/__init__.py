"""Verbs of the lore researcher and its servers."""

"""Foundry's dnd5e actors (JSON or YAML, old and new) into the normal form."""

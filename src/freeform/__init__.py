"""Freeform RPG: tabletop role-playing with language models, local first."""

__version__ = "0.2.0"

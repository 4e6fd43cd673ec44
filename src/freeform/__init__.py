"""Freeform RPG: tabletop role-playing with language models, local first."""

__version__ = "0.1.0"

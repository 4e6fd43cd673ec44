"""Verbs of scenarios."""

"""Verbs of packs."""

"""Verbs of reading books."""

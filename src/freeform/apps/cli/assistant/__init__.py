"""Verbs of the assistant: ask, research, characters."""

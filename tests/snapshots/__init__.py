"""Whole runs of the real thing, kept as files that read as a diff."""

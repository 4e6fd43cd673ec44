"""Verbs of AI players."""

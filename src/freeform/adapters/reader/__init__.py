"""Reads passages for the answer to a question."""

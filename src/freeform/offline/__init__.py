"""Answers to every prompt without any model: fast, free, and the same for the same seed."""

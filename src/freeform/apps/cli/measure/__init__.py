"""Verbs that measure: replay, bisect, metrics, eval."""

"""Measuring: replay, bisect, metrics, suites."""

"""Scenarios: checked, and brought in."""

"""Scenarios: forged, checked, and brought in; sheets as their heroes."""

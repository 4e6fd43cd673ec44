"""Fights and rules with opposition."""

"""Scenarios with mistakes planted in them."""

"""Measures the product on data nobody here wrote."""

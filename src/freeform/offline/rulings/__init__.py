"""Rulings without a model: a safe, useful set of deeds that nobody authored."""

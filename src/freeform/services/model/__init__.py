"""A model chosen, tried and kept."""

"""Reads pages of a wiki without a model: names, whom words stand for, clauses, and their shapes."""

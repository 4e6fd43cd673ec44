"""Campaigns that last as long as the program: for replay, evaluation and probes."""

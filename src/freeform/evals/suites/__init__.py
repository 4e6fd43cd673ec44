"""Suites: each measures the product on data, with a fixed seed, and gives one row of the
scoreboard."""

"""Answers that a learned reader finds in passages of all sources."""

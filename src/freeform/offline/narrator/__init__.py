"""Telling without a model: the scenario's own prose, and lines that do not repeat."""

from freeform.offline.narrator.compose import EVENTS, respond

__all__ = ["EVENTS", "respond"]

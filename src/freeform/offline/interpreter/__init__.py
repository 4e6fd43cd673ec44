"""Hearing without a model: what a player types becomes proposed actions."""

from freeform.offline.interpreter.build import interpret, respond

__all__ = ["interpret", "respond"]

"""The forge."""

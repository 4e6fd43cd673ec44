"""Which sections tell of one thing, of what kind, with which numbers."""

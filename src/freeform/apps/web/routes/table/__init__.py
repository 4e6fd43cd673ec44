"""Routes about the table itself: its limits, and its human game master."""

"""The table in the browser, and doors for other programs."""

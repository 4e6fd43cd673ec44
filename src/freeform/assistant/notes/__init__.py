"""Session notes: Markdown that players keep, and what the engine wrote down of a campaign."""

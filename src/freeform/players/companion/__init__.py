"""AI companions at people's tables: when they act, what they see, choose and say."""

"""AI companions at people's tables: when it is their turn, what they see, what they choose and say."""

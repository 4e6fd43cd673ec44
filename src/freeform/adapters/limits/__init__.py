"""Reads whether a sentence touches a topic, for lines and veils."""

"""Verbs about the program itself: what it found, what it serves, prompts, dice."""

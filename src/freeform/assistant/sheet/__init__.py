"""A character's sheet in one normal form, whatever program it came from, with numbers that answer
why."""

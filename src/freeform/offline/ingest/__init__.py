"""The offline answers to what the reading of a book asks: its structure, its lore, its rules."""

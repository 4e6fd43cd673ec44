"""What a clause asks for, and whether what was found tells it."""

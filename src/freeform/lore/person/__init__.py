"""A person in the loop: what they say about a world, kept, applied, and undone."""

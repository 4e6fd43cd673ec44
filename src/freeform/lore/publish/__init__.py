"""What was accepted, for people: a pack, facts, a graph."""

"""One table, several people: who sits there, whose turn it is, what they say beside the story."""

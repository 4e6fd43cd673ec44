"""What a model reads in the two-call form: the story, which only grows, and what is so now."""

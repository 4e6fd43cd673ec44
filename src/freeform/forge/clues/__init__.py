"""What is hidden and how it is learnt: facts, what people say, deeds and endings."""

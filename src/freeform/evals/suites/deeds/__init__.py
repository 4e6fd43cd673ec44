"""The suite `deeds`: improvised deeds, and whether prose and state agree on what became of them."""

"""The suite `rules`: rule questions in players' words, and the sections of the SRD that answer
them."""

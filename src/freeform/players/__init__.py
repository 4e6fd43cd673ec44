"""AI players: personas who direct characters, three channels, and a memory that fails like a
person's."""

"""How a world goes on where its map ends."""

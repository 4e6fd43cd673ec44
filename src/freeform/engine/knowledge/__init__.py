"""What the player's character perceives and knows, and answers made of that alone."""

"""What may be tried and what comes of it: checks, dice, effects, what a narrator makes true."""

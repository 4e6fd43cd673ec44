"""What a player means: the rules' reading and the learned ear's, weighed against each other."""

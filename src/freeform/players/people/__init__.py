"""People at one table: who they are, where they sit, what they may do, and whose turn it is."""

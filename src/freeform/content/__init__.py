"""What comes with the program: systems, scenarios, packs."""

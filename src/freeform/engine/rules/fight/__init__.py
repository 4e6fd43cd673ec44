"""Fights, wounds, powers, rests, luck: what a system with opposition adds to play."""

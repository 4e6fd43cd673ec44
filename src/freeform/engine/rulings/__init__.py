"""Rulings: what a game master says of deeds nobody authored, checked, played, and what lasts."""

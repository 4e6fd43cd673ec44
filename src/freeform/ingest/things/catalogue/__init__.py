"""Catalogues: things that share labels, found without knowing what any game calls them."""

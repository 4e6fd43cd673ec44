"""Catalogues: things that share recurring labels, found without knowing what any game calls them."""

"""One round of a party: the scene, the talk, the deeds, and what is kept of them."""

"""Campaigns in SQL, whichever database holds them."""

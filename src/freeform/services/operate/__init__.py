"""Running it for others: health, copies of everything, long work."""

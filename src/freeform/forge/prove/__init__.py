"""Whether a forged scenario holds: what must be in it, and two ways to every secret."""

"""Files from outside: what one is, unpacking it within limits, and bringing each kind in."""

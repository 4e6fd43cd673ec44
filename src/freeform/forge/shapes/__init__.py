"""Story shapes: what kinds of evening there are, as data, and which one a wish asks for."""

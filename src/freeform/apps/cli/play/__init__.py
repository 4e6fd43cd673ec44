"""The table in the terminal: `loop.play` is the part; the rest is how it speaks, draws and obeys."""

"""The table in the terminal: `loop.play` is the evening; the rest speaks, draws and obeys."""

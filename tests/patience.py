"""How long a test waits for what surely comes. A net for what hangs, never a measure: a starved machine took 300 s over a page.

No test waits this long where all is well, and none fails for being slow before it. pytest's own net (`timeout` in
pyproject.toml) is wider still.
"""

PATIENCE = 900.0

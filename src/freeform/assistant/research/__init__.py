"""Multi-step research: a plan checked like a program, run step by step, kept after each item, told
with sources."""

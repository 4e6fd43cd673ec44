"""Pictures on request: told what may be shown, drawn by a program of the person's choice, kept."""

"""Questions answered from the character sheet, the session notes and the rulebook, with sources."""

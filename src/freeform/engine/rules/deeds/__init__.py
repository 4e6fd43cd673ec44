"""What each kind of action does when nothing special was authored for it: one file per kind."""

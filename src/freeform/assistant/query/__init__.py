"""Questions as typed queries over what the sources are."""

"""One function for each thing a user can do: the same through every door."""

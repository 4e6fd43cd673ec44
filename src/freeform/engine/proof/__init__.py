"""Whether a scenario holds together and can be played."""

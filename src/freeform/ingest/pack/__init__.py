"""From things to the files of a pack."""

"""The command line. `main.run` is the outermost loop; each other file holds one group of verbs."""

"""The verbs of a table that several people share."""

"""A human game master at the table."""

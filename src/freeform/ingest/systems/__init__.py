"""Stages S1 to S3: the rules of a book as data the engine can play with."""

"""Sentences and topics: whether a table that drew a line would be shown the sentence."""

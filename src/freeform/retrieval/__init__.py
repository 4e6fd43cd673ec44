"""Finds the passages that matter: chunking, words and vectors fused, filters, who may know what, a
token budget."""

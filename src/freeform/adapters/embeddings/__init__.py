"""Texts as vectors: a small real model on this machine, or any OpenAI-compatible address."""

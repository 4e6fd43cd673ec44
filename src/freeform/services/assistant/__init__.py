"""The assistant's use cases: characters, questions, research."""

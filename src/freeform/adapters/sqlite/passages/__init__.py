"""The search index in SQLite: words and vectors."""

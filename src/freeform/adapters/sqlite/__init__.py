"""SQLite: one file per campaign, one file per search index."""

"""SQLite: one file per campaign holds its log, its state tables and its tapes; one file per search
index."""

"""Campaigns in SQLite: log, state tables, tapes."""

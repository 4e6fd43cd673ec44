"""Campaigns and tables in Postgres, for who hosts more than one process holds."""

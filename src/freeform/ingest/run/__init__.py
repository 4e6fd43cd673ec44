"""The eight stages of an ingest, run, resumed and published."""

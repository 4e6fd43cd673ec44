"""Rows as Parquet files, by pyarrow."""

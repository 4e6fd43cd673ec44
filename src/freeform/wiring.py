"""What builds the table: the one place that names an adapter."""

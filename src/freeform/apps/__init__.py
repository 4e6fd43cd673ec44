"""Front ends: parse, call, show."""

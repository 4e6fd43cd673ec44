"""From claims to rows: confidence, conflicts, gaps, validation."""

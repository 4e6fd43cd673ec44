"""What authors write: scenarios, systems, conditions and effects as data."""

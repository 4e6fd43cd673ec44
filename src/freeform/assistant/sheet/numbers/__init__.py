"""Every number of a sheet, from its causes."""

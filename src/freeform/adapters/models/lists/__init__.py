"""What servers list."""

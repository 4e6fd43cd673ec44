"""What stands outside this process and is used by it, as the settings name it."""

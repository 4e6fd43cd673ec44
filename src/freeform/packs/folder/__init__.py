"""A pack as a folder of files: read, checked, written."""

"""The table as tools and resources for other programs' models: over HTTP, or standard streams."""
